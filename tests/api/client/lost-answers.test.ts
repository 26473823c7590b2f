import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import type { Client } from "../../../provider/src/api/client";
import { DuplicatePipeError } from "../../../provider/src/resources/recovery/create-errors";
import { endpointsOf } from "../../../testkit/endpoints";
import { rendered } from "../../../testkit/rendered";
import { InstantClock } from "../../../testkit/instant-clock";
import { answer, connect } from "../../../testkit/connected";
import { newSimulator } from "../../../testkit/simulator";
import { DEFAULT_ACCOUNT, type FaultKind, type Simulator } from "../../../simulator/src/index";

const scope = {
  organizationId: DEFAULT_ACCOUNT.organizationId,
  serviceId: DEFAULT_ACCOUNT.serviceIds[0] ?? "",
};

const body = (topics = "orders") => ({
  name: "orders",
  source: { kafka: { brokers: "b:9092", topics } },
  destination: { database: "default", table: "orders" },
});

let simulator: Simulator;
let lines: string[];

beforeEach(async () => {
  simulator = await newSimulator();
  lines = [];
});

/** A client whose pauses take no time. */
const newClient = (requestTimeoutSeconds = 10, onLog: (line: string) => void = () => undefined): Client =>
  connect(simulator, {
    requestTimeoutSeconds,
    maxRetries: 2,
    log: (line) => {
      lines.push(line);
      onLog(line);
    },
    warn: (line) => {
      lines.push(`warning: ${line}`);
    },
    clock: new InstantClock(),
  }).client;

const sent = (method: string): number =>
  simulator.control.requests().filter((request) => request.method === method).length;
const ids = (): string[] => simulator.control.state().pipes.map((pipe) => pipe.id);

const lost: [what: string, fault: FaultKind][] = [
  ["cut after it was processed", { kind: "reset-after" }],
  ["a 504 page after it was processed", { kind: "html", processed: true }],
  ["broken JSON after it was processed", { kind: "bad-json", processed: true }],
  ["a 500 after it was processed", { kind: "status", status: 500, processed: true }],
  ["a 503 after it was processed", { kind: "status", status: 503, processed: true }],
  ["an envelope that says 500 after it was processed", { kind: "wrong-envelope", processed: true }],
];

lost.push(
  ["429 although it was processed", { kind: "status", status: 429, processed: true }],
  ["408 after it was processed", { kind: "status", status: 408, processed: true }],
  ["a redirect after it was processed", { kind: "status", status: 302, processed: true }],
  ["a page that says 200 after it was processed", { kind: "html", status: 200, processed: true }],
);

const unprocessed: [what: string, fault: FaultKind][] = [
  ["cut before it was processed", { kind: "reset-before" }],
  ["a 504 page instead of being processed", { kind: "html" }],
  ["a 500 instead of being processed", { kind: "status", status: 500 }],
  ["no response in time and not processed", { kind: "hang" }],
  ["429", { kind: "rate-limit", resetSeconds: 0 }],
  ["408 instead of being processed", { kind: "status", status: 408 }],
];

const unreadable: [what: string, fault: FaultKind][] = [
  ["broken JSON", { kind: "bad-json" }],
  ["a page that says 200", { kind: "html", status: 200 }],
  ["a redirect", { kind: "redirect", location: "https://elsewhere.example/" }],
];

describe("createPipe, when the POST is answered with", () => {
  test.each(unreadable)(
    "%s, does not send it again, and says that the list shows no pipe",
    async (_, fault) => {
      simulator.control.fault({ operationId: "createPipe", ...fault });

      await expect(rendered(createPipe(newClient(), scope, body()))).rejects.toThrow(
        /sent the request once, and the list of the service has no new pipe.* check in the service's console/,
      );
      expect([sent("POST"), ids()]).toEqual([1, []]);
    },
  );

  test.each(lost)("%s, does not send it again, and finds its pipe", async (_, fault) => {
    const [unmanaged] = simulator.control.seedPipes([body()]);
    simulator.control.fault({ operationId: "createPipe", ...fault });

    const { id } = await createPipe(newClient(), scope, body());

    expect(sent("POST")).toBe(1);
    expect(ids()).toHaveLength(2);
    expect(ids()).toContain(id);
    expect(id).not.toBe(unmanaged?.id);
  });

  test.each(unprocessed)(
    "%s, sends it again once the list shows that it created nothing",
    async (_, fault) => {
      simulator.control.seedPipes([body()]);
      simulator.control.fault({ operationId: "createPipe", ...fault });

      const { id } = await createPipe(newClient(fault.kind === "hang" ? 1 : 10), scope, body());

      expect(sent("POST")).toBe(2);
      expect(ids()).toHaveLength(2);
      expect(ids()).toContain(id);
    },
  );
});

test("two creates of one name at once do not take each other's pipe", async () => {
  simulator.control.fault({ operationId: "createPipe", kind: "reset-after", times: 1 });
  const client = newClient();

  const created = await Promise.all([
    createPipe(client, scope, body("a")),
    createPipe(client, scope, body("b")),
    createPipe(client, scope, body("c")),
  ]);

  expect(new Set(created.map((pipe) => pipe.id)).size).toBe(3);
  expect(ids().sort()).toEqual(created.map((pipe) => pipe.id).sort());
});

test("several new pipes of the name cause an error that names them, and none is adopted", async () => {
  const client = newClient();
  await createPipe(client, scope, { ...body(), name: "first" });
  const unmanaged = simulator.control.seedPipes([body(), body()]);
  simulator.control.fault({ operationId: "createPipe", kind: "reset-before" });

  const attempt = rendered(createPipe(client, scope, body()));

  await expect(attempt).rejects.toMatchObject({ code: "conflict" });
  for (const pipe of unmanaged) await expect(attempt).rejects.toThrow(pipe.id);
  expect(sent("POST")).toBe(2);
});

test("when the list cannot be read either, the error says what may exist and how to go on", async () => {
  simulator.control.fault({ operationId: "createPipe", kind: "reset-after" });
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, after: 1, times: 99 });

  await expect(rendered(createPipe(newClient(), scope, body()))).rejects.toThrow(
    /^create pipe "orders" failed: .* may have created.*set adopt to its id/s,
  );
  expect(sent("POST")).toBe(1);
});

test("createPipe sends a refused POST once and reads the list once", async () => {
  simulator.control.fault({ operationId: "createPipe", kind: "status", status: 400 });

  await expect(createPipe(newClient(), scope, body())).rejects.toMatchObject({ code: "bad-request" });
  expect([sent("POST"), sent("GET")]).toEqual([1, 2]);
});

test("fifty creates read the list once", async () => {
  const client = newClient();
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => createPipe(client, scope, { ...body(), name: `pipe-${n}` })),
  );
  expect([sent("POST"), sent("GET")]).toEqual([50, 1]);
});

test("createPipe names an existing pipe of the same name, and does not adopt it", async () => {
  const [unmanaged] = simulator.control.seedPipes([body()]);

  const { id } = await createPipe(newClient(), scope, body());

  expect(id).not.toBe(unmanaged?.id);
  expect(lines.join("\n")).toContain(unmanaged?.id);
});

test("createReversePrivateEndpoint sends a POST without an answer once, and the error says so", async () => {
  simulator.control.fault({ operationId: "createReversePrivateEndpoint", kind: "reset-after" });

  const create = endpointsOf({ client: newClient(), scope }).create("to the cluster");
  await expect(rendered(create)).rejects.toThrow(/"to the cluster".* may have created/s);
  expect(sent("POST")).toBe(1);
});

describe("createPipe, when a POST arrives twice,", () => {
  const conflict = { operationId: "createPipe", kind: "status", status: 409 } as const;

  test.each([400, 401, 403, 404, 409, 424])("fails with %d and names the duplicate", async (status) => {
    const client = newClient();
    await createPipe(client, scope, { ...body(), name: "first" });
    simulator.control.fault({ ...conflict, status, processed: true });
    const error: unknown = await rendered(createPipe(client, scope, body())).catch(
      (reason: unknown) => reason,
    );
    const copy = simulator.control.state().pipes.find(({ name }) => name === "orders");
    expect((error as Error).message).toMatch(
      new RegExp(
        `returned ${status}.* a pipe "orders" has appeared: ${copy?.id}\\. .* set adopt to its id\\.`,
      ),
    );
    expect([sent("POST"), ids()]).toEqual([2, [ids()[0], copy?.id]]);
  });

  test("reports the refusal when the list cannot be read", async () => {
    simulator.control.fault(conflict);
    simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, after: 1 });
    await expect(rendered(createPipe(newClient(), scope, body()))).rejects.toThrow(
      /returned 409\b.* Wait until other changes of the service have ended\.$/,
    );
  });

  test("takes that pipe when its own first answer is lost", async () => {
    const client = newClient();
    simulator.control.fault({ operationId: "createPipe", kind: "reset-before" });
    simulator.control.fault({ ...conflict, processed: true });
    const { id } = await createPipe(client, scope, body());
    expect(ids()).toEqual([id]);
  });

  test("reports a conflict with another client's pipe, and adopts nothing", async () => {
    simulator.control.seedPipes([body()]);
    simulator.control.fault(conflict);
    await expect(createPipe(newClient(), scope, body())).rejects.toMatchObject({ code: "conflict" });
    expect(ids()).toHaveLength(1);
  });
});

test("createPipe names a pipe that the list shows only after a repeated POST, and returns its own", async () => {
  let late = "";
  const client = newClient(10, (line) => {
    if (line.includes("sending the request again")) late = simulator.control.seedPipes([body()])[0]?.id ?? "";
  });
  simulator.control.fault({ operationId: "createPipe", kind: "reset-before" });

  const error: unknown = await rendered(createPipe(client, scope, body())).catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(DuplicatePipeError);
  const { pipe, message } = error as DuplicatePipeError;
  expect(message).toContain(`The service now also has ${late}, with the same name.`);
  expect(ids().sort()).toEqual([pipe.id, late].sort());
});

test("createPipe warns when the list cannot be read after a repeated POST, and returns the pipe", async () => {
  const client = newClient(10, (line) => {
    if (line.includes("sending the request again"))
      simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500 });
  });
  simulator.control.fault({ operationId: "createPipe", kind: "reset-before" });
  const { id } = await createPipe(client, scope, body());
  expect(ids()).toEqual([id]);
  expect(lines.at(-1)).toMatch(
    /^warning: the provider created pipe "orders" with a repeated request, and cannot read the list/,
  );
});

test("createPipe refuses a response with an older pipe, and does not send the POST again", async () => {
  const [unmanaged] = simulator.control.seedPipes([body()]);
  simulator.control.fault({ operationId: "createPipe", ...answer(unmanaged) });
  await expect(rendered(createPipe(newClient(), scope, body()))).rejects.toThrow(
    `returned pipe ${unmanaged?.id ?? ""}, which existed before`,
  );
  expect([sent("POST"), ids()]).toEqual([1, [unmanaged?.id]]);
});

test.each([true, false])(
  "createPipe reads a list again that fails once after a lost answer; the pipe was created: %s",
  async (made) => {
    simulator.control.fault({ operationId: "createPipe", kind: made ? "reset-after" : "reset-before" });
    simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, after: 1, times: 1 });

    const { id } = await createPipe(newClient(), scope, body());

    expect([sent("POST"), ids()]).toEqual([made ? 1 : 2, [id]]);
  },
);
