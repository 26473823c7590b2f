import type { Fault, FaultKind, Simulator } from "../../simulator/src/index";
import { until } from "../kit/simulator";
import { type Answer, KAFKA, authorizationOf, call, listPipes, listStatus, start } from "./client";

const create = (simulator: Simulator): Promise<Answer> => call(simulator, "POST", "/pipes", KAFKA);

type Given = FaultKind & Partial<Omit<Fault, keyof FaultKind>>;

/** A fault of createPipe, unless it names another operation. */
const aimed = (fault: Given): Fault => ({ operationId: "createPipe", ...fault });

async function withFaults(...faults: Given[]): Promise<Simulator> {
  const simulator = await start();
  for (const fault of faults) simulator.control.fault(aimed(fault));
  return simulator;
}

describe("a fault that replaces the answer", () => {
  const traced = { "x-trace": "1" };
  const location = "http://127.0.0.1:9/x";
  const reset = (seconds: string | null) => ({ "x-ratelimit-reset": seconds, "retry-after": seconds });

  test.each<[fault: Given, status: number, text: RegExp, headers?: Record<string, string | null>]>([
    [{ kind: "status", status: 503, headers: traced }, 503, /"status":503,"error"/, traced],
    [{ kind: "wrong-envelope", status: 409 }, 200, /"status":409/],
    [{ kind: "redirect", location }, 307, /^$/, { location }],
    [{ kind: "rate-limit", resetSeconds: 7 }, 429, /"status":429/, reset("7")],
    [{ kind: "rate-limit", headers: false }, 429, /"status":429/, reset(null)],
  ])("sends its status, text and headers in place of the effect: %j", async (...row) => {
    const [fault, status, text, headers = {}] = row;
    const simulator = await withFaults(fault);
    const answer = await create(simulator);
    expect(answer.status).toEqual(status);
    expect(answer.text).toMatch(text);
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value);
    expect(await listPipes(simulator)).toEqual([]);
  });

  test("echo repeats the body as it came, and the credential when asked", async () => {
    const simulator = await withFaults({ kind: "echo", withAuthorization: true });
    const { status, envelope } = await create(simulator);
    expect(status).toBe(400);
    for (const text of [JSON.stringify(KAFKA), authorizationOf(simulator.account).authorization])
      expect(envelope.error).toContain(text);
  });
});

describe("a fault of the connection", () => {
  test.each<[what: string, fault: Given, logged: object]>([
    ["hang never answers, is logged at once", { kind: "hang" }, { status: 0, fault: "hang" }],
    ["a slow answer has no effect yet", { kind: "slow", ms: 3_600_000 }, { operationId: "createPipe" }],
  ])("%s, and does not keep the simulator from closing", async (_what, fault, logged) => {
    const simulator = await withFaults(fault);
    const hanging = expect(create(simulator)).rejects.toThrow("fetch failed");
    await until(() => simulator.control.requests().length > 0);
    expect(simulator.control.requests()).toMatchObject([logged]);
    await simulator.close();
    await hanging;
    expect(simulator.control.state().pipes).toEqual([]);
  });
});

describe("a fault", () => {
  test("of any operation applies to the next requests, in the order in which faults were set", async () => {
    const simulator = await withFaults(
      { operationId: "*", kind: "status", status: 500 },
      { operationId: "*", kind: "status", status: 502 },
    );
    expect(await listStatus(simulator)).toBe(500);
    expect((await call(simulator, "GET", "/nowhere")).status).toBe(502);
    expect(await listStatus(simulator)).toBe(200);
    expect(simulator.control.faults()).toEqual([]);
  });

  test("of a service leaves the other services alone", async () => {
    const simulator = await start();
    const of = (serviceId = ""): void => {
      simulator.control.fault({ operationId: "*", serviceId, kind: "status", status: 500 });
    };
    of("0a1b2c3d-0000-4000-8000-00000000ffff");
    expect(await listStatus(simulator)).toBe(200);
    of(simulator.account.serviceIds[0]?.toUpperCase());
    expect(await listStatus(simulator)).toBe(500);
    expect(simulator.control.faults()).toHaveLength(1);
  });

  test.each([
    [{ operationId: "nope", kind: "hang" }, "operationId must be one of"],
    [{ operationId: "*", kind: "nope" }, "kind must be one of"],
    [{ operationId: "*", kind: "status" }, "status must be"],
    [{ operationId: "*", kind: "redirect" }, "location must be"],
    [{ operationId: "*", kind: "hang", serviceId: 1 }, "serviceId must be"],
    [{ operationId: "*", kind: "hang", times: -1 }, "times must be"],
    [{ operationId: "*", kind: "hang", after: "x" }, "after must be"],
  ])("that is invalid is refused: %j", async (fault, text) => {
    const { control } = await start();
    expect(() => control.fault(fault as Fault)).toThrow(text);
  });
});
