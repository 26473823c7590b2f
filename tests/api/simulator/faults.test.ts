import type { Fault, FaultKind, Simulator } from "../../../simulator/src/index";
import type { Answer } from "./client";
import { KAFKA, basic, call, start, listPipes } from "./client";

async function create(simulator: Simulator): Promise<Answer> {
  return call(simulator, "POST", "/pipes", KAFKA);
}

async function pipeCount(simulator: Simulator): Promise<number> {
  return (await listPipes(simulator)).length;
}

/** Waits until a request has come, by looking without a request of its own. */
async function arrival(simulator: Simulator): Promise<void> {
  while (simulator.control.requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

type Given = FaultKind & Partial<Omit<Fault, keyof FaultKind>>;

/** A fault of createPipe, unless it names another operation. */
const aimed = (fault: Given): Fault => ({ operationId: "createPipe", ...fault });

async function withFault(fault: Given): Promise<Simulator> {
  const simulator = await start();
  simulator.control.fault(aimed(fault));
  return simulator;
}

describe("a fault that replaces the answer", () => {
  test.each<[string, Given, Partial<{ status: number; type: string | null; text: RegExp }>]>([
    ["status", { kind: "status", status: 503 }, { status: 503, text: /"status":503,"error"/ }],
    [
      "status with a body",
      { kind: "status", status: 424, body: { error: "idle" } },
      { status: 424, text: /^{"error":"idle"}$/ },
    ],
    ["html", { kind: "html" }, { status: 504, type: "text/html", text: /^<html>/ }],
    ["bad-json", { kind: "bad-json" }, { status: 200, text: /^{"status":200[^}]*$/ }],
    ["wrong-envelope", { kind: "wrong-envelope", status: 409 }, { status: 200, text: /"status":409/ }],
    ["redirect", { kind: "redirect", location: "http://127.0.0.1:9/" }, { status: 307, text: /^$/ }],
  ])("%s is sent without effect, or after it with processed", async (_kind, fault, expected) => {
    const simulator = await withFault(fault);
    const { status, headers, text } = await create(simulator);
    expect(status).toBe(expected.status);
    expect(text).toMatch(expected.text ?? /^/);
    if (expected.type !== undefined) expect(headers.get("content-type")).toContain(expected.type);
    expect(await pipeCount(simulator)).toBe(0);
    simulator.control.fault(aimed({ ...fault, processed: true } as Given));
    expect((await create(simulator)).status).toBe(expected.status);
    expect(await pipeCount(simulator)).toBe(1);
  });

  test("redirect names its location, and status carries its headers", async () => {
    const simulator = await withFault({ kind: "redirect", location: "http://127.0.0.1:9/x" });
    expect((await create(simulator)).headers.get("location")).toBe("http://127.0.0.1:9/x");
    simulator.control.fault({ operationId: "*", kind: "status", status: 500, headers: { "x-trace": "1" } });
    expect((await create(simulator)).headers.get("x-trace")).toBe("1");
  });

  test("rate-limit carries the seconds, or no headers at all", async () => {
    const simulator = await withFault({ kind: "rate-limit", resetSeconds: 7 });
    const limited = await create(simulator);
    expect([
      limited.status,
      limited.headers.get("x-ratelimit-reset"),
      limited.headers.get("retry-after"),
    ]).toEqual([429, "7", "7"]);
    simulator.control.fault({ operationId: "createPipe", kind: "rate-limit", headers: false });
    const silent = await create(simulator);
    expect([
      silent.status,
      silent.headers.get("x-ratelimit-reset"),
      silent.headers.get("retry-after"),
    ]).toEqual([429, null, null]);
    expect(await pipeCount(simulator)).toBe(0);
  });

  test("echo repeats the body as it came, and the credential when asked", async () => {
    const simulator = await withFault({ kind: "echo", withAuthorization: true });
    const { status, envelope } = await create(simulator);
    expect(status).toBe(400);
    expect(envelope.error).toContain(JSON.stringify(KAFKA));
    expect(envelope.error).toContain(basic("demo-key-id", "demo-key-secret"));
  });

  test("wrong-content-type sends the ordinary answer under another type", async () => {
    const simulator = await withFault({ kind: "wrong-content-type" });
    const { status, headers, envelope } = await create(simulator);
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain"]);
    expect(envelope.result).toMatchObject({ name: "orders" });
  });
});

describe("a fault of the connection", () => {
  test("reset-before cuts it without effect", async () => {
    const simulator = await withFault({ kind: "reset-before" });
    await expect(create(simulator)).rejects.toThrow("fetch failed");
    expect(await pipeCount(simulator)).toBe(0);
    expect(simulator.control.requests()[0]).toMatchObject({
      status: 0,
      requestId: null,
      fault: "reset-before",
    });
  });

  test("reset-after cuts it after the effect", async () => {
    const simulator = await withFault({ kind: "reset-after" });
    await expect(create(simulator)).rejects.toThrow("fetch failed");
    expect(await pipeCount(simulator)).toBe(1);
    expect(simulator.control.requests()[0]).toMatchObject({ status: 0, fault: "reset-after" });
  });

  test("hang never answers, is logged at once, and ends when the simulator does", async () => {
    const simulator = await withFault({ kind: "hang" });
    const hanging = expect(create(simulator)).rejects.toThrow("fetch failed");
    await arrival(simulator);
    expect(simulator.control.requests()).toMatchObject([{ status: 0, fault: "hang" }]);
    await simulator.close();
    await hanging;
  });

  test("slow and slow-body answer in full after a while", async () => {
    const simulator = await withFault({ kind: "slow", ms: 20 });
    simulator.control.fault({ operationId: "createPipe", kind: "slow-body", ms: 20 });
    for (const _ of [1, 2]) {
      const { status, envelope } = await create(simulator);
      expect(status).toBe(200);
      expect(envelope.result).toMatchObject({ name: "orders" });
    }
    expect(simulator.control.requests().map(({ fault }) => fault)).toEqual(["slow", "slow-body"]);
  });

  test("a slow answer does not keep the simulator from closing", async () => {
    const simulator = await withFault({ operationId: "*", kind: "slow", ms: 3_600_000 });
    const slow = expect(create(simulator)).rejects.toThrow("fetch failed");
    await arrival(simulator);
    await simulator.close();
    await slow;
    expect(simulator.control.state().pipes).toEqual([]);
  });
});

describe("a fault", () => {
  test("takes as many requests of its operation as it should, after those that it lets pass", async () => {
    const simulator = await withFault({ kind: "status", status: 500, times: 2, after: 1 });
    const statuses: number[] = [];
    for (const _ of [1, 2, 3, 4]) {
      statuses.push((await create(simulator)).status);
      expect((await call(simulator, "GET", "/pipes")).status).toBe(200);
    }
    expect(statuses).toEqual([200, 500, 500, 200]);
    expect(simulator.control.faults()).toEqual([]);
  });

  test("of any operation applies to the next requests, in the order in which faults were set", async () => {
    const simulator = await withFault({ operationId: "*", kind: "status", status: 500 });
    simulator.control.fault({ operationId: "*", kind: "status", status: 502 });
    expect((await call(simulator, "GET", "/pipes")).status).toBe(500);
    expect((await call(simulator, "GET", "/nowhere")).status).toBe(502);
    expect((await call(simulator, "GET", "/pipes")).status).toBe(200);
  });

  test("of a service leaves the other services alone", async () => {
    const simulator = await withFault({
      operationId: "*",
      serviceId: "0a1b2c3d-0000-4000-8000-00000000ffff",
      kind: "status",
      status: 500,
    });
    expect((await call(simulator, "GET", "/pipes")).status).toBe(200);
    const [serviceId = ""] = simulator.account.serviceIds;
    const fault: Fault = {
      operationId: "*",
      serviceId: serviceId.toUpperCase(),
      kind: "status",
      status: 500,
    };
    simulator.control.fault(fault);
    expect((await call(simulator, "GET", "/pipes")).status).toBe(500);
    expect(simulator.control.faults()).toHaveLength(1);
  });

  test("that affects requests always goes on until it is removed", async () => {
    const simulator = await withFault({ kind: "status", status: 500, times: "always", after: 1 });
    const statuses = [];
    for (const _ of [1, 2, 3, 4]) statuses.push((await create(simulator)).status);
    expect(statuses).toEqual([200, 500, 500, 500]);
    simulator.control.removeFault(simulator.control.faults()[0]?.id ?? "");
    expect((await create(simulator)).status).toBe(200);
  });

  test("has the id that requesting it returned", async () => {
    const simulator = await start();
    const first = simulator.control.fault({ operationId: "*", kind: "hang" });
    const second = simulator.control.fault({ operationId: "*", kind: "slow" });
    simulator.control.removeFault(first);
    expect(simulator.control.faults()).toEqual([{ operationId: "*", kind: "slow", id: second }]);
    expect(() => {
      simulator.control.removeFault(first);
    }).toThrow("there is no pending fault of this id");
  });

  test("can be taken back", async () => {
    const simulator = await withFault({ operationId: "*", kind: "status", status: 500 });
    expect(simulator.control.faults()).toHaveLength(1);
    simulator.control.clearFaults();
    expect((await call(simulator, "GET", "/pipes")).status).toBe(200);
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
    const simulator = await start();
    expect(() => {
      simulator.control.fault(fault as Fault);
    }).toThrow(text);
  });
});
