import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { connect, createServer, type AddressInfo } from "node:net";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { answer, newSimulator, takeWrites, until, type Simulator } from "../kit/simulator";
import { call, startPlugin, type NativePlugin } from "./native-plugin";
import { UNKNOWN_MARKER, withValue, type JsonObject } from "../kit/json";
import { minimal } from "../kit/pipes";
import { callFailureOf, structOf, urnOf } from "../kit/plugin";
import { onEnd } from "../kit/cleanup";

let simulator: Simulator;
let plugin: NativePlugin;

beforeAll(async () => {
  simulator = await newSimulator();
  plugin = await startPlugin(simulator);
});

beforeEach(() => {
  simulator.control.clearRequests();
  plugin.lines.length = 0;
});

/** A pipe of a topic of its own. */
const pipe = (topic: string): JsonObject => withValue(minimal.kafka, "source.kafka.topics", topic);

const { DIFF_NONE, DIFF_SOME } = pb.DiffResponse.DiffChanges;

test("the process prints its port only, which the engine reads", async () => {
  await plugin.deploy(pipe("printed"));
  expect(plugin.printed.join("")).toBe(`${plugin.port}\n`);
});

test("a diff of the same inputs shows no change", async () => {
  const { inputs, id, outputs } = await plugin.deploy(pipe("same"));
  const same = await plugin.check(pipe("same"), inputs);
  expect((await plugin.diff(id, outputs, same.inputs)).getChanges()).toBe(DIFF_NONE);
});

test("a changed field is in the diff, in the request and in the next read", async () => {
  const { inputs, id, outputs } = await plugin.deploy(pipe("changed"));
  const changed = await plugin.check(withValue(pipe("changed"), "source.kafka.iamRole", "arn:1"), inputs);
  expect((await plugin.diff(id, outputs, changed.inputs)).toObject()).toMatchObject({
    changes: DIFF_SOME,
    replacesList: [],
    hasdetaileddiff: true,
    detaileddiffMap: [["source.kafka.iamRole", { kind: 0, inputdiff: true }]],
  });
  takeWrites(simulator);
  const updated = await plugin.update(id, outputs, changed.inputs);
  const source = { kafka: { iamRole: "arn:1" } };
  expect(takeWrites(simulator)).toMatchObject([{ method: "PATCH", body: { source } }]);
  expect(await plugin.read(id, updated)).toMatchObject({ id, outputs: { source } });
});

test("a preview of a create returns the inputs, leaves other outputs unknown and writes nothing", async () => {
  const { id, outputs } = await plugin.deploy(minimal.kafka, { preview: true });
  const { name, state, observed } = outputs;
  expect(id).toBe("");
  expect(name).toBe("orders");
  expect(state).toEqual(UNKNOWN_MARKER);
  expect(observed).toEqual(UNKNOWN_MARKER);
  expect(takeWrites(simulator)).toEqual([]);
});

test("Cancel ends a wait at once, and keeps the pipe", async () => {
  const own = await startPlugin(simulator);
  const of = urnOf("cancelled");
  const created = callFailureOf(own.deploy({ ...pipe("cancelled"), waitFor: { states: ["Nope"] } }, { of }));
  const pipeOf = () => simulator.control.state().pipes.find(({ name }) => name === "cancelled");
  await until(() => pipeOf() !== undefined);
  await call((done) => own.client.cancel(new Empty(), done));
  const { id, message, outputs } = await created;
  expect(id).toBe(pipeOf()?.id);
  expect(outputs).toMatchObject({ name: "cancelled", observed: expect.anything() as object });
  expect(message).toMatch(/the run was canceled.* The pipe stays in the stack\./);
});

const id = "0a1b2c3d-0000-4000-8000-0000000000ff";

const FOUR_IDS = [id, id, id, id].join("/");

test.each(["orders", "a/b", `${id}/${id}`, `//${id}`, `${id}/${id}/`, `/${id}`, `${id}//${id}`, FOUR_IDS])(
  "an import refuses %s, which is no ID",
  async (wrong) => {
    const refusal = `${JSON.stringify(wrong)} is not a valid ID of a Pipe. Pass \`<id>\`, or`;
    await expect(plugin.read(wrong)).rejects.toThrow(refusal);
  },
);

test.each(["getNothing", "constructor"])("there is no function %s", async (name) => {
  await expect(plugin.invoke(name, {})).rejects.toThrow(`no function "${name}"`);
});

test("a line of the log carries the URN of its resource", async () => {
  const of = urnOf("kept");
  const { id, outputs } = await plugin.deploy(pipe("kept"), { of });
  await plugin.delete(id, outputs, { of });
  expect(plugin.lines).toMatchObject([{ severity: "info", urn: of }]);
});

test("a function leaves out a backup without a UUID, and the warning comes before its result", async () => {
  simulator.control.fault({ operationId: "listBackups", ...answer([{ id: "no UUID" }, { id }]) });
  expect(await plugin.invoke("getBackups", {})).toMatchObject({ backups: [{ id }] });
  expect(plugin.lines).toMatchObject([{ severity: "warning" }]);
});

test("another configuration replaces no provider", async () => {
  const request = new pb.DiffRequest()
    .setUrn(urnOf("main", "pulumi:providers:datapipes"))
    .setOlds(structOf({ baseUrl: simulator.url }))
    .setNews(structOf({ baseUrl: "https://other.example" }));
  const changed = await call<pb.DiffResponse>((done) => plugin.client.diffConfig(request, done));
  expect(changed.getReplacesList()).toEqual([]);
});

/** Whether a port takes connections at an address of this machine. */
async function isOpen(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** The addresses of this machine, apart from 127.0.0.1, at which a port can be open. */
async function otherAddresses(): Promise<string[]> {
  const external = Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one === undefined || one.internal || one.family !== "IPv4" ? [] : [one.address]));
  const server = createServer().listen(0, "0.0.0.0");
  onEnd(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const reached: string[] = [];
  // Some systems have no second address of their own, but then one in a network.
  for (const host of ["127.0.0.2", ...external]) if (await isOpen(host, port)) reached.push(host);
  return reached;
}

test("the port is open at 127.0.0.1 and at no other address of this machine", async () => {
  expect(await isOpen("127.0.0.1", plugin.port)).toBe(true);
  const hosts = await otherAddresses();
  expect(hosts).not.toEqual([]);
  for (const host of hosts) {
    const isReachable = await isOpen(host, plugin.port);
    expect({ host, isReachable }).toEqual({ host, isReachable: false });
  }
});
