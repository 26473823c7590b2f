import { networkInterfaces } from "node:os";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { canary } from "../../testkit/canary";
import { answer } from "../../testkit/connected";
import {
  call,
  detailsOf,
  settingsOf,
  startPlugin,
  structOf,
  urnOf,
  type NativePlugin,
} from "../../testkit/native-plugin";
import { seed } from "../../testkit/imported";
import { complete, minimal } from "../../testkit/pipes";
import { secretMarker, UNKNOWN_MARKER } from "../../testkit/protocol";
import { newSimulator, takeWrites, type Simulator } from "../../testkit/simulator";
import { answersOf, callsOn, failureOf, kafka } from "./calls";

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

const on = (other: NativePlugin) => callsOn(() => answersOf(other));
const { check, checkConfig, create, diff, invoke, read, update } = callsOn(() => answersOf(plugin));

const { DIFF_NONE, DIFF_SOME } = pb.DiffResponse.DiffChanges;

test("a pipe is checked, created, compared, updated, read and deleted", async () => {
  const { inputs, failures } = await check({ ...minimal.kafka, deletionPolicy: "delete" });
  expect([inputs["name"], failures]).toEqual(["orders", []]);
  const { id, outputs } = await create(inputs);
  expect(outputs).toMatchObject({ name: "orders", state: "Running" });
  const same = await check({ ...minimal.kafka, deletionPolicy: "delete" }, inputs);
  expect((await diff(id, outputs, same.inputs)).getChanges()).toBe(DIFF_NONE);
  const source = { kafka: { ...kafka, iamRole: "arn:1" } };
  const changed = await check({ ...minimal.kafka, deletionPolicy: "delete", source }, inputs);
  const found = await diff(id, outputs, changed.inputs);
  expect([found.getChanges(), found.getReplacesList(), found.getHasdetaileddiff()]).toEqual([
    DIFF_SOME,
    [],
    true,
  ]);
  expect(detailsOf(found)).toEqual([["source.kafka.iamRole", { kind: 0, inputdiff: true }]]);
  takeWrites(simulator);
  const updated = await update(id, outputs, changed.inputs);
  expect(takeWrites(simulator)).toMatchObject([
    { method: "PATCH", body: { source: { kafka: { iamRole: "arn:1" } } } },
  ]);
  const after = await read(id, updated);
  expect(after).toMatchObject({ id, outputs: { source: { kafka: { iamRole: "arn:1" } } } });
  // In the run that has updated it, the program declares it.
  const later = await startPlugin(simulator);
  await on(later).delete(id, after.outputs);
  expect(simulator.control.state().pipes).toEqual([]);
});

test("a failure of a check names the path in its reason, and no property whose value the engine would print", async () => {
  const password = canary("password");
  const { failures } = await check({
    source: { kafka: { credentials: { username: "u", password } } },
    destinaton: {},
  });
  expect(failures.map(([property]) => property)).toEqual(failures.map(() => ""));
  expect(failures.map(([, reason]) => reason).join("\n")).toContain("destinaton");
  expect(JSON.stringify(failures)).not.toContain("canary");
});

test("a preview of a create returns the inputs, leaves other outputs unknown and sends nothing", async () => {
  const { inputs } = await check(minimal.kafka);
  const { id, outputs } = await create(inputs, { preview: true });
  expect([id, outputs["name"], outputs["state"], outputs["observed"]]).toEqual([
    "",
    "orders",
    UNKNOWN_MARKER,
    UNKNOWN_MARKER,
  ]);
  expect(simulator.control.requests()).toEqual([]);
});

test("credentials are marked as secret in inputs and outputs", async () => {
  const of = urnOf("secrets");
  const { inputs } = await check({ ...complete.kafka }, {}, of);
  const source = inputs["source"] as { kafka: Record<string, unknown> };
  expect(source.kafka["credentials"]).toEqual(secretMarker(expect.anything()));
});

test("a change of a field that needs a replacement is refused, and one that is allowed replaces by its path", async () => {
  const of = urnOf("replaced");
  const { inputs } = await check(minimal.kafka, {}, of);
  const { id, outputs } = await create(inputs, { of });
  const source = { kafka: { ...kafka, topics: "others" } };
  const changed = await check(
    { ...minimal.kafka, source, name: "replaced", replacementPolicy: "allow" },
    inputs,
    of,
  );
  const found = await diff(id, outputs, changed.inputs);
  expect(found.getReplacesList()).toEqual(["source.kafka.topics"]);
  expect(detailsOf(found)).toContainEqual(["source.kafka.topics", { kind: 5, inputdiff: true }]);
});

test("a wait that fails leaves the created pipe in the state, with its outputs in the details of the error", async () => {
  const of = urnOf("waiting");
  const { inputs } = await check({ ...minimal.kafka, waitFor: { states: ["Nope"] } }, {}, of);
  const failed = await failureOf(create(inputs, { of, timeout: 1 }));
  const [pipe] = simulator.control.state().pipes.filter(({ name }) => name === "waiting");
  expect(failed.id).toBe(pipe?.id);
  expect(failed.outputs).toMatchObject({ name: "waiting", observed: expect.anything() as object });
  expect(failed.message).toContain("did not become Nope within the 1 s of customTimeouts");
});

test("Cancel ends a wait at once, keeps the pipe, and no request starts after that", async () => {
  const own = await startPlugin(simulator);
  const of = urnOf("cancelled");
  const { inputs } = await check({ ...minimal.kafka, waitFor: { states: ["Nope"] } }, {}, of);
  const created = failureOf(on(own).create(inputs, { of }));
  const pipeOf = () => simulator.control.state().pipes.find(({ name }) => name === "cancelled");
  while (pipeOf() === undefined) await sleep(50);
  await call((done) => own.client.cancel(new Empty(), done));
  const { id, message } = await created;
  expect(id).toBe(pipeOf()?.id);
  expect(message).toMatch(/the run is cancelled.* The pipe stays in the stack\./);
  simulator.control.clearRequests();
  const late = on(own).create({ ...inputs, name: "late" }, { of: urnOf("late") });
  await expect(late).rejects.toThrow("the run is cancelled");
  expect(simulator.control.requests()).toEqual([]);
});

test("an import takes the id alone, or with organization and service before it, and refuses a pipe that is missing or that the program would replace", async () => {
  const [pipe] = simulator.control.seedPipes([
    seed("made by hand", complete.objectStorage),
    seed("made at the same time", complete.kafka),
  ]);
  const { organizationId, serviceIds } = simulator.account;
  for (const id of [pipe?.id ?? "", `${organizationId}/${serviceIds[0] ?? ""}/${pipe?.id ?? ""}`]) {
    const imported = await read(id);
    expect(imported).toMatchObject({ id: pipe?.id, inputs: { name: "made by hand" } });
    expect(JSON.stringify(imported.inputs)).not.toMatch(/accessKey|connectionString/);
    const other = await check({ ...imported.inputs, scaling: { replicas: 9 } }, imported.inputs);
    await expect(diff(imported.id, imported.outputs, other.inputs)).rejects.toThrow(
      "cannot be imported as the program declares it: scaling.replicas is",
    );
  }
  expect(plugin.lines).toEqual([]);
  const missing = "0a1b2c3d-0000-4000-8000-0000000000ff";
  await expect(read(missing)).rejects.toThrow(`Pipe ${missing} does not exist.`);
  for (const id of [
    "orders",
    "a/b",
    `${missing}/${missing}`,
    `//${missing}`,
    `${missing}/${missing}/`,
    `/${missing}`,
    `${missing}//${missing}`,
  ])
    await expect(read(id)).rejects.toThrow(`${JSON.stringify(id)} is not the id of a Pipe.`);
  const four = [missing, missing, missing, missing].join("/");
  await expect(read(four)).rejects.toThrow("is not the id of a Pipe. Pass `<id>`, or");
});

test("a function answers by its token, and an error has one next step", async () => {
  const listed = (await invoke("getPipes", {})) as { pipes: unknown[] };
  expect(listed.pipes).toHaveLength(simulator.control.state().pipes.length);
  await expect(invoke("getPipe", { name: "no such" })).rejects.toThrow(
    /has no pipe with the name "no such"\. Check the id or name/,
  );
  simulator.control.seedPipes([seed("twice", complete.kafka), seed("twice", complete.kafka)]);
  await expect(invoke("getPipe", { name: "twice" })).rejects.toThrow(
    /has 2 pipes with the name "twice": \S+, \S+\. Pass the id of one of them\./,
  );
  await expect(invoke("getPipe", { nam: "x" })).rejects.toThrow(/getPipe failed: nam .*did you mean "name"/i);
  for (const name of ["getNothing", "constructor"])
    await expect(invoke(name, {})).rejects.toThrow(`no function "${name}"`);
});

test("lines are about their resource, and warnings are warnings", async () => {
  const of = urnOf("kept");
  const { inputs } = await check(minimal.kafka, {}, of);
  const { id, outputs } = await create(inputs, { of });
  const later = await startPlugin(simulator);
  await on(later).delete(id, outputs, { of });
  const message = `pipe "kept" (${id}) keeps running and loading data: its deletionPolicy is "retain", so the provider sends nothing. Pulumi no longer manages it.`;
  expect(later.lines).toEqual([{ severity: "info", urn: of, message }]);
  await on(later).create(inputs, { of });
  const [, ...warnings] = later.lines;
  expect(warnings).toMatchObject([{ severity: "warning", urn: of }]);
  expect(warnings[0]?.message).toContain('the service already has a pipe named "kept"');
});

test("a function leaves out a backup whose id is not a UUID, and the warning arrives before its result", async () => {
  const id = "0a1b2c3d-0000-4000-8000-0000000000ba";
  const result = [{ id: "=1/*xxxx", backupName: "nightly" }, { id }];
  simulator.control.fault({ operationId: "listBackups", ...answer(result) });
  expect(await invoke("getBackups", {})).toEqual({ backups: [{ id }] });
  expect(plugin.lines).toMatchObject([
    { severity: "warning", message: expect.stringMatching(/left out .* not a UUID: "nightly"\.$/) as string },
  ]);
});

test("a secret in the configuration that is plain becomes a secret, and another configuration replaces nothing", async () => {
  const { url, account } = simulator;
  const plain = { baseUrl: url, apiKeySecret: account.apiKeySecret };
  const { inputs } = await checkConfig(plain, "main");
  expect(inputs["apiKeySecret"]).toEqual(secretMarker(account.apiKeySecret));
  const request = new pb.DiffRequest()
    .setUrn("urn:pulumi:dev::shop::pulumi:providers:datapipes::main")
    .setOlds(structOf(plain))
    .setNews(structOf({ baseUrl: "https://other.example" }));
  const changed = await call<pb.DiffResponse>((done) => plugin.client.diffConfig(request, done));
  expect(changed.getReplacesList()).toEqual([]);
});

test("settings come from a provider's arguments, then from the stack's configuration, then from the environment", async () => {
  const { url, account } = simulator;
  const { baseUrl: _, organizationId: _organizationId, ...given } = settingsOf(simulator);
  const ofStack = { baseUrl: url, organizationId: account.organizationId, serviceId: "of the stack" };
  const env = {
    ...process.env,
    // The engine passes the stack's configuration of the package here.
    PULUMI_CONFIG: JSON.stringify(ofStack),
    DATAPIPES_ORGANIZATION_ID: "of the environment",
  };
  const own = on(await startPlugin(undefined, { env }));
  await own.configure(given);
  const { inputs, failures } = await own.check(minimal.kafka);
  expect(failures).toEqual([]);
  const { organizationId, serviceIds } = account;
  expect(inputs).toMatchObject({ organizationId, serviceId: serviceIds[0] });
});

test("the schema is that of the package, and the port is open on this machine only", async () => {
  const response = await call<pb.GetSchemaResponse>((done) =>
    plugin.client.getSchema(new pb.GetSchemaRequest(), done),
  );
  const schema = JSON.parse(response.getSchema()) as { name: string; resources: object };
  expect([schema.name, Object.keys(schema.resources)]).toEqual([
    "datapipes",
    ["Pipe", "ReversePrivateEndpoint", "ServiceSettings"].map((type) => `datapipes:index:${type}`),
  ]);
  const others = Object.values(networkInterfaces())
    .flat()
    .filter((address) => address !== undefined && !address.internal && address.family === "IPv4");
  for (const address of others) {
    const socket = connect({ host: address?.address, port: plugin.port, timeout: 1000 });
    const outcome = await new Promise((resolve) => {
      for (const event of ["connect", "error", "timeout"])
        socket.once(event, () => {
          socket.destroy();
          resolve(event);
        });
    });
    expect(outcome).not.toBe("connect");
  }
});
