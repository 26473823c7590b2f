import { createPipe, type PipeBody } from "../../../provider/src/resources/recovery/create-pipe";
import { DuplicatePipeError } from "../../../provider/src/resources/recovery/create-errors";
import { endpointsOf } from "../../../testkit/endpoints";
import { rendered } from "../../../testkit/rendered";
import { InstantClock } from "../../../testkit/instant-clock";
import { answer, connect, type Connected } from "../../../testkit/connected";
import { newSimulator } from "../../../testkit/simulator";
import type { FaultKind, Profile, Simulator } from "../../../simulator/src/index";

const body = (topics = "orders") => ({
  name: "orders",
  source: { kafka: { brokers: "b:9092", topics } },
  destination: { database: "default", table: "orders" },
});

let simulator: Simulator;
let lines: string[];
let onLog: (line: string) => void;

beforeAll(async () => {
  simulator = await newSimulator();
});
beforeEach(() => {
  simulator.control.reset();
  lines = [];
  onLog = () => undefined;
});

/** A client whose pauses take no time. */
function newClient(requestTimeoutSeconds = 10): Connected {
  const record = (line: string): void => {
    lines.push(line);
    onLog(line);
  };
  return connect(simulator, {
    requestTimeoutSeconds,
    maxRetries: 2,
    log: record,
    warn: (line) => {
      record(`warning: ${line}`);
    },
    clock: new InstantClock(),
  });
}

/** Creates a pipe; the error is what a user reads. */
const create = (pipe: PipeBody = body(), { client, scope } = newClient()) =>
  rendered(createPipe(client, scope, pipe));

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
  ["a page with 429 although it was processed", { kind: "html", status: 429, processed: true }],
  ["408 after it was processed", { kind: "status", status: 408, processed: true }],
  ["a redirect after it was processed", { kind: "status", status: 302, processed: true }],
  ["a page that says 200 after it was processed", { kind: "html", status: 200, processed: true }],
];

const unprocessed: [what: string, fault: FaultKind][] = [
  ["cut before it was processed", { kind: "reset-before" }],
  ["a 504 page instead of being processed", { kind: "html" }],
  ["a 500 instead of being processed", { kind: "status", status: 500 }],
  ["no response in time and not processed", { kind: "hang" }],
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

      await expect(create()).rejects.toThrow(
        /sent the request once, and the list of the service has no new pipe.* check in the service's console/,
      );
      expect([sent("POST"), ids()]).toEqual([1, []]);
    },
  );

  test.each(lost)("%s, does not send it again, and finds its pipe", async (_, fault) => {
    const [unmanaged] = simulator.control.seedPipes([body()]);
    simulator.control.fault({ operationId: "createPipe", ...fault });

    const { id } = await create();

    expect(sent("POST")).toBe(1);
    expect(ids()).toEqual([unmanaged?.id, id]);
  });

  test.each(unprocessed)(
    "%s, sends it again once the list shows that it created nothing",
    async (_, fault) => {
      const [old] = simulator.control.seedPipes([body()]);
      simulator.control.fault({ operationId: "createPipe", ...fault });

      const { id } = await create(body(), newClient(fault.kind === "hang" ? 1 : 10));

      expect(sent("POST")).toBe(2);
      expect(ids()).toEqual([old?.id, id]);
    },
  );
});

test("two creates of one name at once do not take each other's pipe", async () => {
  simulator.control.fault({ operationId: "createPipe", kind: "reset-after", times: 1 });
  const client = newClient();

  const created = await Promise.all([
    create(body("a"), client),
    create(body("b"), client),
    create(body("c"), client),
  ]);

  expect(new Set(created.map((pipe) => pipe.id)).size).toBe(3);
  expect(ids().sort()).toEqual(created.map((pipe) => pipe.id).sort());
});

test("several new pipes of the name cause an error that names them, and none is adopted", async () => {
  const client = newClient();
  await create({ ...body(), name: "first" }, client);
  const unmanaged = simulator.control.seedPipes([body(), body()]);
  simulator.control.fault({ operationId: "createPipe", kind: "reset-before" });

  const attempt = create(body(), client);

  await expect(attempt).rejects.toMatchObject({ code: "conflict" });
  for (const pipe of unmanaged) await expect(attempt).rejects.toThrow(pipe.id);
  expect(sent("POST")).toBe(2);
});

test("when the list cannot be read either, the error says what may exist and how to go on", async () => {
  simulator.control.fault({ operationId: "createPipe", kind: "reset-after" });
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, after: 1, times: 99 });

  await expect(create()).rejects.toThrow(
    /^create pipe "orders" failed: .* may have created.*set adopt to its id/s,
  );
  expect(sent("POST")).toBe(1);
});

test("createPipe sends a refused POST once and reads the list once", async () => {
  simulator.control.fault({ operationId: "createPipe", kind: "status", status: 400 });

  await expect(create()).rejects.toMatchObject({ code: "bad-request" });
  expect([sent("POST"), sent("GET")]).toEqual([1, 2]);
});

test("fifty creates read the list once", async () => {
  const client = newClient();
  await Promise.all(Array.from({ length: 50 }, (_, n) => create({ ...body(), name: `pipe-${n}` }, client)));
  expect([sent("POST"), sent("GET")]).toEqual([50, 1]);
});

test("createPipe names an existing pipe of the same name, and does not adopt it", async () => {
  const [unmanaged] = simulator.control.seedPipes([body()]);

  const { id } = await create();

  expect(id).not.toBe(unmanaged?.id);
  expect(lines.join("\n")).toContain(unmanaged?.id);
});

test("createReversePrivateEndpoint sends a POST without an answer once, and the error says so", async () => {
  simulator.control.fault({ operationId: "createReversePrivateEndpoint", kind: "reset-after" });

  const create = endpointsOf(newClient()).create("to the cluster");
  await expect(rendered(create)).rejects.toThrow(/"to the cluster".* may have created/s);
  expect(sent("POST")).toBe(1);
});

describe("createPipe, when a POST arrives twice,", () => {
  const conflict = { operationId: "createPipe", kind: "status", status: 409 } as const;

  test.each([400, 401, 403, 404, 409, 424])("fails with %d and names the duplicate", async (status) => {
    const client = newClient();
    await create({ ...body(), name: "first" }, client);
    simulator.control.fault({ ...conflict, status, processed: true });
    const error: unknown = await create(body(), client).catch((reason: unknown) => reason);
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
    await expect(create()).rejects.toThrow(
      /returned 409\b.* Wait until other changes of the service have ended\.$/,
    );
  });

  test("takes that pipe when its own first answer is lost", async () => {
    const client = newClient();
    simulator.control.fault({ operationId: "createPipe", kind: "reset-before" });
    simulator.control.fault({ ...conflict, processed: true });
    const { id } = await create(body(), client);
    expect(ids()).toEqual([id]);
  });

  test("reports a conflict with another client's pipe, and adopts nothing", async () => {
    simulator.control.seedPipes([body()]);
    simulator.control.fault(conflict);
    await expect(create()).rejects.toMatchObject({ code: "conflict" });
    expect(ids()).toHaveLength(1);
  });
});

test("createPipe names a pipe that the list shows only after a repeated POST, and returns its own", async () => {
  let late = "";
  onLog = (line) => {
    if (line.includes("sending the request again")) late = simulator.control.seedPipes([body()])[0]?.id ?? "";
  };
  simulator.control.fault({ operationId: "createPipe", kind: "reset-before" });

  const error: unknown = await create().catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(DuplicatePipeError);
  const { pipe, message } = error as DuplicatePipeError;
  expect(message).toContain(`The service now also has ${late}, with the same name.`);
  expect(ids().sort()).toEqual([pipe.id, late].sort());
});

test("createPipe warns when the list cannot be read after a repeated POST, and returns the pipe", async () => {
  onLog = (line) => {
    if (line.includes("sending the request again"))
      simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, times: 99 });
  };
  simulator.control.fault({ operationId: "createPipe", kind: "reset-before" });
  const { id } = await create();
  expect(ids()).toEqual([id]);
  expect(lines.at(-1)).toMatch(
    /^warning: the provider created pipe "orders" \([\w-]+\) with a repeated request, and cannot read the list/,
  );
});

test("createPipe refuses a response with an older pipe, and does not send the POST again", async () => {
  const [unmanaged] = simulator.control.seedPipes([body()]);
  simulator.control.fault({ operationId: "createPipe", ...answer(unmanaged) });
  await expect(create()).rejects.toThrow(`returned pipe ${unmanaged?.id ?? ""}, which existed before`);
  expect([sent("POST"), ids()]).toEqual([1, [unmanaged?.id]]);
});

test.each([true, false])(
  "createPipe reads a list again that fails once after a lost answer; the pipe was created: %s",
  async (made) => {
    simulator.control.fault({ operationId: "createPipe", kind: made ? "reset-after" : "reset-before" });
    simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, after: 1, times: 1 });

    const { id } = await create();

    expect([sent("POST"), ids()]).toEqual([made ? 1 : 2, [id]]);
  },
);

test("createPipe does not send a request without end that is lost again and again", async () => {
  simulator.control.fault({ operationId: "createPipe", kind: "reset-before", times: 99 });
  await expect(create()).rejects.toMatchObject({ code: "connection" });
  expect([sent("POST"), ids()]).toEqual([3, []]);
});

test.each<Profile>(["lower-case", "masked"])(
  "createPipe finds its own pipe after a lost answer of a service with the profile %s",
  async (profile) => {
    simulator.control.setBehaviour({ profiles: [profile] });
    simulator.control.fault({ kind: "reset-after", operationId: "createPipe" });
    const objectStorage = { url: "https://account.example", path: "/in//2026/*.json", isContinuous: true };
    const pipe = { ...body(), source: { objectStorage }, destination: { table: "Orders" } };
    // The times of a service mean nothing to a clock that does not run.
    const { id } = await create(pipe, connect(simulator));
    expect([sent("POST"), ids()]).toEqual([1, [id]]);
  },
);
