import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Behaviour,
  type TimeFormat,
  type Simulator,
  DEFAULT_ACCOUNT,
  PROFILES,
} from "../../../simulator/src/index";
import {
  KAFKA,
  KINESIS,
  call,
  createPipe,
  ok,
  send,
  servicePath,
  start,
  listPipes,
  updatePipe,
  OBJECT_STORAGE,
  POSTGRES,
  listed,
  SCALING,
} from "./client";

const TIME = Date.UTC(2026, 0, 31, 12);

test.each<[TimeFormat, string | undefined]>([
  ["iso", "2026-01-31T12:00:00.000Z"],
  ["seconds", "2026-01-31T12:00:00Z"],
  ["without-zone", "2026-01-31T12:00:00"],
  ["unix-seconds", "1769860800"],
  ["absent", undefined],
])("the format %s writes the times of a pipe as %s in every answer", async (timeFormat, time) => {
  const simulator = await start({ timeFormat, now: () => TIME });
  const { id, ...created } = await createPipe(simulator, KAFKA);
  const updated = await updatePipe(simulator, id, { name: "renamed" });
  const [listed] = await listPipes(simulator);
  for (const pipe of [created, updated, listed])
    expect([pipe?.createdAt, pipe?.updatedAt]).toEqual([time, time]);
  expect(simulator.control.state().pipes[0]?.createdAt).toBe("2026-01-31T12:00:00.000Z");
});

test.each([
  [600, "Sat, 31 Jan 2026 12:10:00 GMT", "2026-01-31T12:10:00.000Z"],
  [-600, "Sat, 31 Jan 2026 11:50:00 GMT", "2026-01-31T11:50:00.000Z"],
])("a clock that is %d s ahead shows in the Date header and in createdAt", async (skew, date, createdAt) => {
  const simulator = await start({ clockSkewSeconds: skew, now: () => TIME });
  const { headers, envelope } = await call(simulator, "POST", "/pipes", KAFKA);
  expect(headers.get("date")).toBe(date);
  expect(envelope.result).toMatchObject({ createdAt });
});

test("a clock that is set back does not keep a pipe from its next state", async () => {
  const simulator = await start({ now: () => TIME });
  await createPipe(simulator, KAFKA);
  simulator.control.setBehaviour({ clockSkewSeconds: -3600 });
  simulator.control.advance(10);
  expect(await listPipes(simulator)).toMatchObject([{ state: "Running" }]);
});

test("reads that are behind lack a new pipe until they are not, and updates know it at once", async () => {
  const simulator = await start({ now: () => TIME, readLagSeconds: 30 });
  const { id } = await createPipe(simulator, KAFKA);
  const seen = async () => [
    (await listPipes(simulator)).length,
    (await call(simulator, "GET", `/pipes/${id}/settings`)).status,
  ];
  expect(await seen()).toEqual([0, 404]);
  expect((await call(simulator, "PATCH", `/pipes/${id}`, { name: "known" })).status).toBe(200);
  simulator.control.advance(29);
  expect(await seen()).toEqual([0, 404]);
  simulator.control.advance(1);
  expect(await seen()).toEqual([1, 200]);
});

test("the control path shows the behaviour and changes what it is given", async () => {
  const simulator = await start({ control: true, timeFormat: "seconds" });
  const path = "/control/behaviour";
  const changed = await send(simulator, "PATCH", path, { profiles: ["sparse"], clockSkewSeconds: 5 });
  const behaviour: Behaviour = {
    ...{ profiles: ["sparse"], timeFormat: "seconds" },
    ...{ clockSkewSeconds: 5, readLagSeconds: 0 },
  };
  expect(JSON.parse(changed.text)).toEqual(behaviour);
  expect(JSON.parse((await send(simulator, "GET", path)).text)).toEqual(behaviour);
  const [serviceId = ""] = simulator.account.serviceIds;
  await send(simulator, "PATCH", path, { serviceId, profiles: ["omit"] });
  const own = await send(simulator, "GET", `${path}?serviceId=${serviceId}`);
  expect(JSON.parse(own.text)).toEqual({ ...behaviour, profiles: ["omit"] });
  const refused = await send(simulator, "PATCH", path, { profiles: ["nope"] });
  expect([refused.status, simulator.control.behaviour()]).toEqual([400, behaviour]);
});

test("a service that control deletes is 404 in all its paths, and its pipes are gone with it", async () => {
  const simulator = await start({ control: true });
  const { id } = await createPipe(simulator, KAFKA);
  await ok(simulator, "POST", "/pipesReversePrivateEndpoints", { type: "VPC_ENDPOINT_SERVICE" });
  const [serviceId = ""] = simulator.account.serviceIds;
  expect((await send(simulator, "DELETE", `/control/services/${serviceId}`)).status).toBe(200);
  for (const [method, path, body] of [
    ["GET", "/pipes"],
    ["POST", "/pipes", KAFKA],
    ["PATCH", `/pipes/${id}`, { name: "x" }],
    ["DELETE", `/pipes/${id}`],
    ["GET", "/backups"],
    ["PATCH", "", { name: "x" }],
  ] as const) {
    const { status, envelope } = await call(simulator, method, path, body);
    expect([method, path, status]).toEqual([method, path, 404]);
    expect(envelope.error).toContain("no service of this serviceId");
  }
  expect(simulator.control.state()).toMatchObject({ services: [], pipes: [], endpoints: [], backups: [] });
  expect((await send(simulator, "DELETE", `/control/services/${serviceId}`)).status).toBe(404);
  simulator.control.reset();
  expect((await send(simulator, "GET", `${servicePath(simulator)}/pipes`)).status).toBe(200);
});

test("incomplete-list leaves the named pipes out of as many lists as it should", async () => {
  const simulator = await start();
  const [kafka] = simulator.control.seedPipes([KAFKA, KINESIS]);
  const pipeIds = [(kafka?.id ?? "").toUpperCase()];
  simulator.control.fault({ operationId: "listPipes", kind: "incomplete-list", pipeIds, times: 2 });
  const names: string[][] = [];
  for (const _ of [1, 2, 3]) names.push((await listPipes(simulator)).map(({ name }) => name));
  expect(names).toEqual([["stream"], ["stream"], ["orders", "stream"]]);
});

test("a DELETE can be answered with 404 although the pipe is there", async () => {
  const simulator = await start();
  const { id } = await createPipe(simulator, KAFKA);
  simulator.control.fault({ operationId: "deletePipe", kind: "status", status: 404 });
  expect((await call(simulator, "DELETE", `/pipes/${id}`)).status).toBe(404);
  expect(await listPipes(simulator)).toHaveLength(1);
});

const CONTINUOUS = { ...OBJECT_STORAGE, source: { objectStorage: { url: "u", isContinuous: true } } };

async function stateOf(simulator: Simulator, id: string): Promise<string | undefined> {
  const pipes = await listPipes(simulator);
  return pipes.find((pipe) => pipe.id === id)?.state;
}

test.each([
  ["a kafka pipe", KAFKA, ["Setup", "Running", "Running"]],
  ["a kinesis pipe", KINESIS, ["Setup", "Running", "Running"]],
  ["a postgres pipe", POSTGRES, ["Setup", "Snapshot", "Running", "Running"]],
  ["a one-time object storage pipe", OBJECT_STORAGE, ["Setup", "Running", "Completed", "Completed"]],
  ["a continuous object storage pipe", CONTINUOUS, ["Setup", "Running", "Running"]],
])("%s goes through its states as the clock moves", async (_which, body, expected) => {
  const simulator = await start({ now: () => 0, stateSeconds: 2 });
  const { id, state } = await createPipe(simulator, body);
  expect(state).toBe("Provisioning");
  for (const next of expected) {
    simulator.control.advance(2);
    expect(await stateOf(simulator, id)).toBe(next);
  }
});

test("an update sets the state to Modifying, then back to Running", async () => {
  const simulator = await start({ now: () => 0, stateSeconds: 5 });
  const { id, updatedAt } = await createPipe(simulator, KAFKA);
  simulator.control.advance(100);
  const after = await updatePipe(simulator, id, { name: "x" });
  expect(after.state).toBe("Modifying");
  expect(after.updatedAt > updatedAt).toBe(true);
  simulator.control.advance(5);
  expect(await stateOf(simulator, id)).toBe("Running");
});

test("states change at once with stateSeconds: 0", async () => {
  const simulator = await start({ stateSeconds: 0 });
  expect((await createPipe(simulator, KAFKA)).state).toBe("Running");
  expect((await createPipe(simulator, OBJECT_STORAGE)).state).toBe("Completed");
});

test("a reverse private endpoint goes from Provisioning to Ready", async () => {
  const simulator = await start({ now: () => 0, stateSeconds: 2 });
  await ok(simulator, "POST", "/pipesReversePrivateEndpoints", { type: "VPC_ENDPOINT_SERVICE" });
  expect(simulator.control.state().endpoints[0]?.status).toBe("Provisioning");
  simulator.control.advance(2);
  expect(simulator.control.state().endpoints[0]?.status).toBe("Ready");
});

test("the injected clock alone moves states and times", async () => {
  let now = Date.UTC(2026, 0, 1);
  const simulator = await start({ now: () => now, stateSeconds: 60 });
  const { id, createdAt } = await createPipe(simulator, KAFKA);
  expect(createdAt).toBe("2026-01-01T00:00:00.000Z");
  now += 60_000;
  expect(await stateOf(simulator, id)).toBe("Setup");
});

const README = readFileSync(join(__dirname, "../../../simulator/README.md"), "utf8");

describe("profiles", () => {
  test("work together, with every kind of source and every format of times", async () => {
    const simulator = await start({ profiles: [...PROFILES], timeFormat: "absent", nulls: true });
    for (const body of [KAFKA, OBJECT_STORAGE, KINESIS, POSTGRES]) {
      const { id } = await createPipe(simulator, { ...body, scaling: SCALING });
      await updatePipe(simulator, id, { name: "renamed" });
    }
    const [pipe] = await listPipes(simulator);
    expect(pipe?.scaling).toEqual({ replicas: 0, replicaCpuMillicores: "0m", replicaMemoryGb: "0Gi" });
    await listPipes(simulator);
    expect((await listed(simulator))?.scaling).toMatchObject({ replicaMemoryGb: "1.5Gi" });
  });

  test.each(PROFILES)("are in the README: %s", (profile) => {
    expect(README).toMatch(new RegExp(`^- \\*\\*\`${profile}\`\\*\\*: .`, "m"));
  });

  test("can be switched while the simulator runs, and come back at a reset", async () => {
    const simulator = await start({ profiles: ["quantity"] });
    const seed = { ...KAFKA, scaling: SCALING };
    simulator.control.seedPipes([seed]);
    expect((await listed(simulator))?.scaling?.replicaCpuMillicores).toBe("125m");
    expect(simulator.control.setBehaviour({ profiles: [] }).profiles).toEqual([]);
    expect((await listed(simulator))?.scaling?.replicaCpuMillicores).toBe(125);
    simulator.control.reset();
    expect(simulator.control.behaviour().profiles).toEqual(["quantity"]);
  });

  test("can differ between services", async () => {
    const serviceIds = [...DEFAULT_ACCOUNT.serviceIds, "0a1b2c3d-0000-4000-8000-00000000000a"];
    const simulator = await start({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }], stateSeconds: 0 });
    const [first = "", second = ""] = serviceIds;
    simulator.control.setBehaviour({ profiles: ["sparse"] }, second.toUpperCase());
    expect(Object.keys(await createPipe(simulator, KAFKA))).toContain("source");
    const path = servicePath(simulator).replace(first, second);
    const { envelope } = await send(simulator, "POST", `${path}/pipes`, KAFKA);
    expect(Object.keys(envelope.result as object)).toEqual(["id", "name", "state"]);
    expect(simulator.control.behaviour(first).profiles).toEqual([]);
    expect(() => simulator.control.setBehaviour({ clockSkewSeconds: 1 }, first)).toThrow("cannot differ");
  });

  test("spell a pipe that control has edited into something unknown, too", async () => {
    const simulator = await start({ profiles: [...PROFILES] });
    const [pipe] = simulator.control.seedPipes([KAFKA]);
    const patch = { scaling: "small", destination: { columns: ["Id"] }, createdAt: 5 };
    simulator.control.editPipe(pipe?.id ?? "", patch);
    expect(await listed(simulator)).toMatchObject({ scaling: "small", createdAt: 5 });
  });

  test.each([
    [{ profiles: ["fast"] }, "profiles must be an array of quantity, omit"],
    [{ profiles: "quantity" }, "profiles must be"],
    [{ timeFormat: "rfc" }, "timeFormat must be one of iso"],
    [{ clockSkewSeconds: Number.NaN }, "clockSkewSeconds must be a number"],
    [{ readLagSeconds: -1 }, "readLagSeconds must be a number from 0"],
    [{ profile: [] }, "profile is not a field of a behaviour"],
  ])("refuse an invalid behaviour: %j", async (behaviour, text) => {
    const simulator = await start();
    expect(() => simulator.control.setBehaviour(behaviour as object)).toThrow(text);
    if (!("profile" in behaviour)) await expect(start(behaviour as object)).rejects.toThrow(text);
  });
});
