import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { connect, createServer, type AddressInfo } from "node:net";
import { symlink } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { answer, newSimulator, takeWrites, type Simulator } from "../kit/simulator";
import { call, startPlugin, type NativePlugin } from "./native-plugin";
import { withValue, type JsonObject } from "../kit/json";
import { complete, creationBody, minimal } from "../kit/pipes";
import { callFailureOf, settingsOf, structOf, urnOf } from "../kit/plugin";
import { secretMarker, UNKNOWN_MARKER } from "../kit/json";
import { onEnd } from "../kit/cleanup";
import { launcherTools } from "./tools";

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

/** All that the process prints is its port, which the engine reads. */
afterAll(() => {
  expect(plugin.printed.join("")).toBe(`${plugin.port}\n`);
});

/** A pipe of a topic of its own. */
const pipe = (topic: string): JsonObject => withValue(minimal.kafka, "source.kafka.topics", topic);

/** A PATH with Node.js and without the Pulumi CLI. */
async function withoutCli(): Promise<string> {
  const folder = await launcherTools();
  await symlink(process.execPath, path.join(folder, "node"));
  return folder;
}

const { DIFF_NONE, DIFF_SOME } = pb.DiffResponse.DiffChanges;

test("a pipe is checked, created, compared, updated and read; without the CLI it is not deleted", async () => {
  const declared = { ...pipe("orders"), deletionPolicy: "delete" };
  const { inputs, id, outputs } = await plugin.deploy(declared);
  expect(outputs).toMatchObject({ name: "orders", state: "Running" });
  const same = await plugin.check(declared, inputs);
  expect((await plugin.diff(id, outputs, same.inputs)).getChanges()).toBe(DIFF_NONE);
  const changed = await plugin.check(withValue(declared, "source.kafka.iamRole", "arn:1"), inputs);
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
  const after = await plugin.read(id, updated);
  expect(after).toMatchObject({ id, outputs: { source } });
  const later = await startPlugin(simulator, { env: { ...process.env, PATH: await withoutCli() } });
  simulator.control.clearRequests();
  await expect(later.delete(id, after.outputs)).rejects.toThrow(
    "Nothing was deleted: the provider cannot read the state of the stack (the command pulumi is not on the PATH)",
  );
  expect(simulator.control.requests()).toEqual([]);
});

test("a preview of a create returns the inputs, leaves other outputs unknown and sends nothing", async () => {
  const { id, outputs } = await plugin.deploy(minimal.kafka, { preview: true });
  const { name, state, observed } = outputs;
  expect(id).toBe("");
  expect(name).toBe("orders");
  expect(state).toEqual(UNKNOWN_MARKER);
  expect(observed).toEqual(UNKNOWN_MARKER);
  expect(simulator.control.requests()).toEqual([]);
});

test("Cancel ends a wait at once, keeps the pipe, and no request starts after that", async () => {
  const own = await startPlugin(simulator);
  const of = urnOf("cancelled");
  const created = callFailureOf(own.deploy({ ...minimal.kafka, waitFor: { states: ["Nope"] } }, { of }));
  const pipeOf = () => simulator.control.state().pipes.find(({ name }) => name === "cancelled");
  while (pipeOf() === undefined) await sleep(50);
  await call((done) => own.client.cancel(new Empty(), done));
  const { id, message, outputs } = await created;
  expect(id).toBe(pipeOf()?.id);
  expect(outputs).toMatchObject({ name: "cancelled", observed: expect.anything() as object });
  expect(message).toMatch(/the run was canceled.* The pipe stays in the stack\./);
  simulator.control.clearRequests();
  await expect(own.deploy(minimal.kafka, { of: urnOf("late") })).rejects.toThrow("the run was canceled");
  expect(simulator.control.requests()).toEqual([]);
});

test("an import takes the id alone, or with organization and service before it", async () => {
  const [{ id: made } = { id: "" }] = simulator.control.seedPipes([
    creationBody("made by hand", complete.objectStorage),
    creationBody("made at the same time", complete.kafka),
  ]);
  // A run of its own has read no list yet.
  const own = await startPlugin(simulator);
  const { organizationId, serviceIds } = simulator.account;
  for (const id of [made, [organizationId, serviceIds[0], made].join("/")]) {
    const imported = await own.read(id);
    expect(imported).toMatchObject({ id: made, inputs: { name: "made by hand" } });
    expect(JSON.stringify(imported.inputs)).not.toMatch(/accessKey|connectionString/);
  }
  expect(own.lines).toEqual([]);
});

test("an import refuses an id that no pipe has, and what is no id", async () => {
  const id = "0a1b2c3d-0000-4000-8000-0000000000ff";
  await expect(plugin.read(id)).rejects.toThrow(
    `read Pipe ${id} failed: the service has no pipe with this ID.`,
  );
  const wrong = ["orders", "a/b", `${id}/${id}`, `//${id}`, `${id}/${id}/`, `/${id}`, `${id}//${id}`];
  for (const one of wrong)
    await expect(plugin.read(one)).rejects.toThrow(`${JSON.stringify(one)} is not a valid ID of a Pipe.`);
  const four = [id, id, id, id].join("/");
  await expect(plugin.read(four)).rejects.toThrow("is not a valid ID of a Pipe. Pass `<id>`, or");
});

test("a function answers by its token, and an error has one next step", async () => {
  const listed = (await plugin.invoke("getPipes", {})) as { pipes: unknown[] };
  expect(listed.pipes).not.toEqual([]);
  simulator.control.seedPipes([creationBody("twice", complete.kafka), creationBody("twice", complete.kafka)]);
  const TWICE = /has 2 pipes with the name "twice": \S+, \S+\. Pass the ID of one of them\./;
  const refusals: [name: string, args: object, error: RegExp][] = [
    ["getPipe", { name: "no such" }, /has no pipe with the name "no such"\. Check the ID or name/],
    ["getPipe", { name: "twice" }, TWICE],
    ["getPipe", { nam: "x" }, /getPipe failed: nam .*did you mean "name"/i],
    ["getNothing", {}, /no function "getNothing"/],
    ["constructor", {}, /no function "constructor"/],
  ];
  for (const [name, args, error] of refusals) await expect(plugin.invoke(name, args)).rejects.toThrow(error);
});

test("lines are about their resource, and warnings are warnings", async () => {
  const of = urnOf("kept");
  const { id, outputs } = await plugin.deploy(pipe("kept"), { of });
  const later = await startPlugin(simulator);
  await later.delete(id, outputs, { of });
  const message = `pipe "kept" (${id}) keeps running and loading data: its deletionPolicy is "retain", so the provider sends nothing. Pulumi no longer manages it.`;
  expect(later.lines).toContainEqual({ severity: "info", urn: of, message });
  later.lines.length = 0;
  const { name } = outputs;
  await later.check({ name, source: { kafka: {} } }, {}, of);
  const warning = expect.stringMatching(
    /^pipe "kept" has no source\.kafka\.brokers .*, so it cannot load anything\.$/,
  ) as string;
  expect(later.lines).toContainEqual({ severity: "warning", urn: of, message: warning });
});

test("a function leaves out a backup without a UUID, and the warning comes before its result", async () => {
  const id = "0a1b2c3d-0000-4000-8000-0000000000ba";
  const result = [{ id: "=1/*xxxx", backupName: "nightly" }, { id }];
  simulator.control.fault({ operationId: "listBackups", ...answer(result) });
  expect(await plugin.invoke("getBackups", {})).toEqual({ backups: [{ id }] });
  expect(plugin.lines).toMatchObject([
    {
      severity: "warning",
      message: expect.stringMatching(/ignores objects .* not a UUID: "nightly"\.$/) as string,
    },
  ]);
});

test("a plain secret in the configuration becomes a secret, and another one replaces nothing", async () => {
  const { url, account } = simulator;
  const plain = { baseUrl: url, apiKeySecret: account.apiKeySecret };
  const { inputs } = await plugin.checkConfig(plain, "main");
  expect(inputs["apiKeySecret"]).toEqual(secretMarker(account.apiKeySecret));
  const request = new pb.DiffRequest()
    .setUrn(urnOf("main", "pulumi:providers:datapipes"))
    .setOlds(structOf(plain))
    .setNews(structOf({ baseUrl: "https://other.example" }));
  const changed = await call<pb.DiffResponse>((done) => plugin.client.diffConfig(request, done));
  expect(changed.getReplacesList()).toEqual([]);
});

test("settings come from a provider's arguments, then the stack, then the environment", async () => {
  const { baseUrl, organizationId, ...given } = settingsOf(simulator);
  const env = {
    ...process.env,
    // The engine passes the stack's configuration of the package here.
    PULUMI_CONFIG: JSON.stringify({ baseUrl, organizationId, serviceId: "of the stack" }),
    DATAPIPES_ORGANIZATION_ID: "of the environment",
  };
  const own = await startPlugin(undefined, { env });
  await own.configure(given);
  const { inputs, failures } = await own.check(pipe("settings"));
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({ organizationId, serviceId: given["serviceId"] });
});

/** Whether a port takes connections at an address of this machine. */
async function isOpen(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  const outcome = await Promise.race(
    ["connect", "error"].map((event) =>
      new Promise((resolve) => socket.once(event, resolve)).then(() => event),
    ),
  );
  socket.destroy();
  return outcome === "connect";
}

test("the port is open at the address 127.0.0.1 only, where no other machine can reach it", async () => {
  const external = Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one === undefined || one.internal || one.family !== "IPv4" ? [] : [one.address]));
  const open = createServer().listen(0, "0.0.0.0");
  onEnd(() => open.close());
  await once(open, "listening");
  const { port } = open.address() as AddressInfo;
  const reached: string[] = [];
  // Some systems have no second address of their own, but then one in a network.
  for (const host of ["127.0.0.2", ...external]) if (await isOpen(host, port)) reached.push(host);
  expect(reached).not.toEqual([]);
  for (const host of reached) {
    const open = await isOpen(host, plugin.port);
    expect({ host, open }).toEqual({ host, open: false });
  }
  expect(await isOpen("127.0.0.1", plugin.port)).toBe(true);
});
