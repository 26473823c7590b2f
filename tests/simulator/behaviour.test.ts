import { DEFAULT_ACCOUNT, PROFILES } from "../../simulator/src/index";
import type { Behaviour, Pipe, TimeFormat } from "../../simulator/src/index";
import { servicePath } from "../kit/simulator";
import { call, createEndpoint, createPipe, listPipes, listed, send, start, updatePipe } from "./client";
import { BODIES, KAFKA, KINESIS, OBJECT_STORAGE, POSTGRES, SCALING } from "./client";

const TIME = Date.UTC(2026, 0, 31, 12);

test.each<[TimeFormat, string | undefined]>([
  ["iso", "2026-01-31T12:00:00.000Z"],
  ["seconds", "2026-01-31T12:00:00Z"],
  ["without-zone", "2026-01-31T12:00:00"],
  ["unix-seconds", "1769860800"],
  ["absent", undefined],
])("the format %s writes the times of a pipe as %s in every answer", async (timeFormat, time) => {
  const simulator = await start({ timeFormat, now: () => TIME });
  const { id, ...created } = await createPipe(simulator);
  const updated = await updatePipe(simulator, id, { name: "renamed" });
  for (const pipe of [created, updated, await listed(simulator)]) {
    expect(pipe?.createdAt).toEqual(time);
    expect(pipe?.updatedAt).toEqual(time);
  }
  expect(simulator.control.state().pipes[0]?.createdAt).toBe("2026-01-31T12:00:00.000Z");
});

test("reads that are behind lack a new pipe until they are not, and updates know it at once", async () => {
  const simulator = await start({ now: () => TIME, readLagSeconds: 30 });
  const { id } = await createPipe(simulator);
  const seen = async () => [
    (await listPipes(simulator)).length,
    (await call(simulator, "GET", `/pipes/${id}/settings`)).status,
  ];
  expect((await call(simulator, "PATCH", `/pipes/${id}`, { name: "known" })).status).toBe(200);
  expect(await seen()).toEqual([0, 404]);
  simulator.control.advance(29);
  expect(await seen()).toEqual([0, 404]);
  simulator.control.advance(1);
  expect(await seen()).toEqual([1, 200]);
});

test("the control path shows the behaviour, changes what it is given, and a reset restores it", async () => {
  const simulator = await start({ control: true, timeFormat: "seconds" });
  const path = "/control/behaviour";
  const [serviceId = ""] = simulator.account.serviceIds;
  const initial: Behaviour = { profiles: [], timeFormat: "seconds", clockSkewSeconds: 0, readLagSeconds: 0 };
  const change = { profiles: ["sparse"], clockSkewSeconds: 5 };
  const behaviour = { ...initial, ...change };
  const answer = async (method: string, query = "", body?: object): Promise<unknown> =>
    JSON.parse((await send(simulator, method, path + query, body)).text);
  expect(await answer("PATCH", "", change)).toEqual(behaviour);
  await answer("PATCH", "", { serviceId, profiles: ["omit"] });
  expect(await answer("GET", `?serviceId=${serviceId}`)).toEqual({ ...behaviour, profiles: ["omit"] });
  expect((await send(simulator, "PATCH", path, { profiles: ["nope"] })).status).toBe(400);
  expect(await answer("GET")).toEqual(behaviour);
  expect(simulator.control.behaviour()).toEqual(behaviour);
  simulator.control.reset();
  expect(simulator.control.behaviour(serviceId)).toEqual(initial);
});

test("a service that control deletes is 404 in all its paths, and its pipes are gone with it", async () => {
  const simulator = await start({ control: true });
  const { id } = await createPipe(simulator);
  await createEndpoint(simulator);
  const [serviceId = ""] = simulator.account.serviceIds;
  expect((await send(simulator, "DELETE", `/control/services/${serviceId}`)).status).toBe(200);
  for (const [method, path, body] of [
    ["POST", "/pipes", KAFKA],
    ["DELETE", `/pipes/${id}`],
    ["PATCH", "", { name: "x" }],
  ] as const) {
    const { status, envelope } = await call(simulator, method, path, body);
    expect({ method, path, status }).toEqual({ method, path, status: 404 });
    expect(envelope.error).toContain("no service with this serviceId");
  }
  expect(simulator.control.state()).toMatchObject({ services: [], pipes: [], endpoints: [], backups: [] });
  expect((await send(simulator, "DELETE", `/control/services/${serviceId}`)).status).toBe(404);
  simulator.control.reset();
  expect(await listPipes(simulator)).toEqual([]);
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

const CONTINUOUS = { ...OBJECT_STORAGE, source: { objectStorage: { url: "u", isContinuous: true } } };

test.each([
  ["a kafka pipe", KAFKA, ["Setup", "Running", "Running"]],
  ["a kinesis pipe", KINESIS, ["Setup", "Running", "Running"]],
  ["a postgres pipe", POSTGRES, ["Setup", "Snapshot", "Running", "Running"]],
  ["a one-time object storage pipe", OBJECT_STORAGE, ["Setup", "Running", "Completed", "Completed"]],
  ["a continuous object storage pipe", CONTINUOUS, ["Setup", "Running", "Running"]],
])("%s goes through its states as the clock moves, or at once with stateSeconds: 0", async (...row) => {
  const [, body, expected] = row;
  const simulator = await start({ now: () => 0, stateSeconds: 2 });
  expect((await createPipe(simulator, body)).state).toBe("Provisioning");
  // A clock that is set back keeps no pipe from its next state.
  simulator.control.setBehaviour({ clockSkewSeconds: -3600 });
  const states: unknown[] = [];
  for (const _ of expected) {
    simulator.control.advance(2);
    states.push((await listed(simulator))?.state);
  }
  expect(states).toEqual(expected);
  expect((await createPipe(await start({ stateSeconds: 0 }), body)).state).toBe(expected.at(-1));
});

test("an update sets the state to Modifying, then back to Running", async () => {
  const simulator = await start({ now: () => 0, stateSeconds: 5 });
  const { id, updatedAt } = await createPipe(simulator);
  simulator.control.advance(100);
  const after = await updatePipe(simulator, id, { name: "x" });
  expect(after.state).toBe("Modifying");
  expect(after.updatedAt > updatedAt).toBe(true);
  simulator.control.advance(5);
  expect((await listed(simulator))?.state).toBe("Running");
});

describe("profiles", () => {
  test("work together, with every kind of source and every format of times", async () => {
    const simulator = await start({ profiles: [...PROFILES], timeFormat: "absent", nulls: true });
    for (const body of Object.values(BODIES)) {
      const { id } = await createPipe(simulator, { ...body, scaling: SCALING });
      await updatePipe(simulator, id, { name: "renamed" });
    }
    const lists: (Pipe | undefined)[] = [];
    for (const _ of [1, 2, 3]) lists.push(await listed(simulator));
    expect(lists[0]?.scaling).toEqual({ replicas: 0, replicaCpuMillicores: "0m", replicaMemoryGb: "0Gi" });
    expect(lists[2]?.scaling).toMatchObject({ replicaMemoryGb: "1.5Gi" });
  });

  test("can differ between services", async () => {
    const serviceIds = [...DEFAULT_ACCOUNT.serviceIds, "0a1b2c3d-0000-4000-8000-00000000000a"];
    const simulator = await start({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }], stateSeconds: 0 });
    const [first = "", second = ""] = serviceIds;
    simulator.control.setBehaviour({ profiles: ["sparse"] }, second.toUpperCase());
    expect(Object.keys(await createPipe(simulator))).toContain("source");
    const path = servicePath(simulator).replace(first, second);
    const { envelope } = await send(simulator, "POST", `${path}/pipes`, KAFKA);
    expect(Object.keys(envelope.result as object)).toEqual(["id", "name", "state"]);
    expect(simulator.control.behaviour(first).profiles).toEqual([]);
    expect(() => simulator.control.setBehaviour({ clockSkewSeconds: 1 }, first)).toThrow("cannot differ");
  });

  test("spell a pipe that control has edited into something unknown, too", async () => {
    const simulator = await start({ profiles: [...PROFILES] });
    const [pipe] = simulator.control.seedPipes([KAFKA]);
    const patch = { scaling: "small", destination: { columns: ["Id"] }, createdAt: 5, state: "SomethingNew" };
    simulator.control.editPipe(pipe?.id ?? "", patch);
    const { destination: _, ...unknown } = patch;
    expect(await listed(simulator)).toMatchObject(unknown);
    expect(await updatePipe(simulator, pipe?.id ?? "", { name: "x" })).toMatchObject({ name: "x" });
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
