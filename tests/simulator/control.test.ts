import type { Backup, LoggedRequest, Pipe, Simulator, SimulatorState } from "../../simulator/src/index";
import { createEndpoint, createPipe, listPipes, listStatus, listed, ok, send } from "./client";
import { KAFKA, KINESIS, POSTGRES, call, start, updatePipe } from "./client";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await start({ control: true, now: () => 0 });
});

async function control<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { status, text } = await send(simulator, method, `/control${path}`, body);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text) as T;
}

describe("the control path", () => {
  test("does not exist by default, and is never under /v1", async () => {
    for (const path of ["/control/state", "/control/requests"])
      expect((await send(await start(), "GET", path)).status).toBe(404);
    expect((await send(simulator, "GET", "/v1/control/state")).status).toBe(404);
  });

  test("shows the received requests without the credential, and clears them", async () => {
    await call(simulator, "POST", "/pipes", KAFKA, { headers: { "user-agent": "test/1" } });
    await call(simulator, "GET", "/nowhere");
    const { requests } = await control<{ requests: LoggedRequest[] }>("GET", "/requests");
    const sent = { method: "POST", userAgent: "test/1", contentType: "application/json", body: KAFKA };
    const nothing = { operationId: null, body: null, contentType: null };
    const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
    expect(requests).toMatchObject([
      { ...sent, sequence: 1, operationId: "createPipe", status: 200, requestId },
      { ...nothing, sequence: 2, method: "GET", status: 404 },
    ]);
    expect(requests[0]?.headers["authorization"]).toBe("[redacted]");
    await control("DELETE", "/requests");
    expect(simulator.control.requests()).toEqual([]);
  });

  test("seeds pipes in a lasting state, and edits and deletes them", async () => {
    const id = "0a1b2c3d-0000-4000-8000-0000000000bb";
    const seeds = { pipes: [{ ...KAFKA, id, state: "Stopped" }, KINESIS] };
    const { pipes } = await control<{ pipes: Pipe[] }>("POST", "/pipes", seeds);
    expect(pipes).toMatchObject([{ id, state: "Stopped" }, { name: "stream" }]);
    simulator.control.advance(1000);
    await control("PATCH", `/pipes/${id}`, { scaling: { replicas: 9 }, settings: null, extra: { a: 1 } });
    const edited = await listed(simulator);
    const scaling = { replicas: 9, concurrency: 1 };
    expect(edited).toMatchObject({ state: "Stopped", scaling, extra: { a: 1 } });
    expect(edited).not.toHaveProperty("settings");
    await control("DELETE", `/pipes/${id}`);
    expect(await listPipes(simulator)).toMatchObject([{ name: "stream" }]);
  });

  test("edits services and endpoints, and adds backups", async () => {
    const ipAccessList = [{ source: "10.0.0.0/8", description: "by hand" }];
    await control("PATCH", `/services/${simulator.account.serviceIds[0] ?? ""}`, { ipAccessList });
    expect(await ok(simulator, "PATCH", "", {})).toMatchObject({ ipAccessList });
    const id = await createEndpoint(simulator);
    await control("PATCH", `/endpoints/${id}`, { status: "Rejected" });
    expect(simulator.control.state().endpoints).toMatchObject([{ id, status: "Rejected" }]);
    await control("DELETE", `/endpoints/${id}`);
    expect(simulator.control.state().endpoints).toEqual([]);
    const backup = { startedAt: "2030-01-01T00:00:00.000Z", sizeInBytes: 1 };
    await control("POST", "/backups", { backups: [backup] });
    expect((await ok<Backup[]>(simulator, "GET", "/backups"))[0]).toMatchObject(backup);
  });

  test("moves the clock, shows the state, resets both, and logs none of its own requests", async () => {
    await createPipe(simulator, POSTGRES);
    simulator.control.clearRequests();
    expect(await control("POST", "/clock", { advanceSeconds: 60 })).toEqual({ now: 60_000 });
    const { organizationId: id, serviceIds } = simulator.account;
    const state = await control<SimulatorState>("GET", "/state");
    expect(state.pipes).toMatchObject([{ name: "replica", state: "Running" }]);
    expect(state.organizations).toEqual([{ id, serviceIds }]);
    expect(simulator.control.requests()).toEqual([]);
    await control("POST", "/reset");
    expect(await control("GET", "/state")).toMatchObject({ now: 0, pipes: [], endpoints: [] });
  });

  test("sets, lists and removes faults", async () => {
    await control("POST", "/faults", { operationId: "*", kind: "status", status: 500, times: 2 });
    expect(await listStatus(simulator)).toBe(500);
    expect(await control("GET", "/faults")).toMatchObject({ faults: [{ kind: "status", times: 1 }] });
    await control("DELETE", "/faults");
    expect(await listStatus(simulator)).toBe(200);
  });

  test("removes one fault by the id that the list states", async () => {
    for (const kind of ["hang", "slow"])
      await control("POST", "/faults", { operationId: "*", kind, id: "chosen" });
    const { faults } = await control<{ faults: { id: string }[] }>("GET", "/faults");
    expect(new Set(faults.map(({ id }) => id)).size).toBe(2);
    await control("DELETE", `/faults/${faults[0]?.id ?? ""}`);
    expect(await control("GET", "/faults")).toEqual({ faults: [faults[1]] });
  });

  test.each([
    ["POST", "/pipes", { pipes: [KAFKA, { ...KAFKA, name: 1 }] }, 400, "pipes[1].name must be string"],
    ["POST", "/pipes", { pipes: KAFKA }, 400, "pipes must be an array"],
    ["POST", "/clock", { advanceSeconds: -1 }, 400, "advanceSeconds"],
    ["POST", "/faults", { kind: "hang" }, 400, "operationId"],
    ["DELETE", "/faults/x", undefined, 404, "no pending fault"],
    ["PATCH", "/pipes/x", {}, 404, "no pipe"],
    ["PATCH", "/services/x", {}, 404, "no service"],
    ["DELETE", "/endpoints/x", undefined, 404, "no reverse private endpoint"],
  ])("refuses %s %s with %j", async (method, path, body, status, text) => {
    const answer = await send(simulator, method, `/control${path}`, body);
    expect(answer.status).toEqual(status);
    expect(answer.text).toContain(text);
  });
});

describe("control in the same process", () => {
  test("keeps the digest of the sent credentials after an update of another field", async () => {
    const { id } = await createPipe(simulator);
    const digests = () => simulator.control.state().pipes[0]?.credentialsDigest;
    const sent = digests();
    await updatePipe(simulator, id, { name: "renamed" });
    expect(digests()).toEqual(sent);
    expect(sent).toHaveProperty(["source.kafka.credentials"]);
  });

  test("seeds nothing when one of the pipes is wrong or its id is taken", () => {
    const [{ id } = { id: "" }] = simulator.control.seedPipes([KAFKA]);
    expect(() => simulator.control.seedPipes([KINESIS, { ...KAFKA, id }])).toThrow("id is taken");
    expect(simulator.control.state().pipes).toHaveLength(1);
  });

  test("gives copies: what a caller does with them changes nothing", () => {
    const [pipe] = simulator.control.seedPipes([KAFKA]);
    if (pipe?.source.kafka) pipe.source.kafka.brokers = "changed";
    expect(simulator.control.state().pipes).toMatchObject([
      { source: { kafka: { brokers: KAFKA.source.kafka.brokers } } },
    ]);
  });
});
