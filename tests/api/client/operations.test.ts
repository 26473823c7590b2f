import { OPERATIONS } from "../../../provider/src/api/operations";
import { operationsOf, DEFINITION } from "../../../simulator/src/definition";
import type { FaultKind, Simulator } from "../../../simulator/src/index";
import { answer, latestRequest, newSimulator } from "../../kit/simulator";
import { connect, failureOf, type Connection } from "../../kit/client";
import { PIPE, endpointsOf } from "../creation";
import { InstantClock } from "../../kit/clock";
import { minimal } from "../../kit/pipes";
import { CLIENT_OPERATIONS, existing, PIPE_ID, SERVICE } from "./every-operation";

let simulator: Simulator;
let api: Connection;
/** Nothing listens at its address. */
let stopped: Simulator;

beforeAll(async () => {
  [simulator, stopped] = [await newSimulator(), await newSimulator()];
  await stopped.close();
});
beforeEach(() => {
  simulator.control.reset();
  api = connect(simulator);
});

const OTHER = "0a1b2c3d-0000-4000-8000-00000000beef";
const rows = Object.entries(CLIENT_OPERATIONS);
/** What an id of an answer cannot be. The last one is a mark of the engine. */
const NO_IDS = ["", 7, "=1/*xxxx", "$(id)", "../x", `${PIPE_ID}\n`, "04da6b54-80e4-46f7-96ec-b56ff0331ba9"];

test("the provider's table, the simulator and these tests have the same operations", () => {
  const names = Object.keys(OPERATIONS).sort();
  expect(Object.keys(CLIENT_OPERATIONS).sort()).toEqual(names);
  expect(Object.keys(operationsOf(DEFINITION)).sort()).toEqual(names);
});

describe.each(rows)("%s", (_, row) => {
  const { operationId, call, body = null, returns, attempt, repeats } = row;
  const isList = operationId.startsWith("list");

  // By method and path, the simulator knows the operation and its object.
  test("sends one request with its method, path, headers and body, and returns the result", async () => {
    const id = await existing(api, simulator, row);
    expect([await call(api, id)]).toMatchObject([returns]);
    expect(simulator.control.requests()).toHaveLength(1);
    const { headers, ...sent } = latestRequest(simulator);
    const contentType = body === null ? null : "application/json";
    expect(sent).toMatchObject({ operationId, body, contentType, status: 200 });
    expect(headers).toMatchObject({
      accept: "application/json",
      "user-agent": "pulumi-datapipes/test",
      authorization: "[redacted]",
      // A server may close a kept connection while a request is on its way, and this one must not be repeated then.
      connection: repeats === "lost-answer" ? "keep-alive" : "close",
    });
  });

  test("waits for the rate limiter, and the next request waits for it", async () => {
    const id = await existing(api, simulator, row);
    const clock = new InstantClock();
    const limited = connect(simulator, { clock, rateLimit: { requests: 1, seconds: 10 } });
    const other = () => limited.client.listBackups(limited.scope);
    const starts: number[] = [];
    for (const request of [other, () => call(limited, id), other]) {
      await request();
      starts.push(clock.now());
    }
    expect(starts).toEqual([0, 10_001, 20_002]);
  });

  test(`is repeated after: ${repeats}; and each attempt waits for the rate limiter`, async () => {
    const status = (code: number): FaultKind => ({
      kind: "status",
      status: code,
      headers: { "retry-after": "0" },
    });
    // They leave open whether the request had an effect, or pass by themselves.
    const passing: FaultKind[] = [
      ...[502, 503].map(status),
      ...(["html", "reset-before", "reset-after"] as const).map((kind) => ({ kind })),
    ];
    const faults: [fault: FaultKind, isRepeated: boolean][] = [
      // A refusal proves that nothing was done.
      [{ kind: "rate-limit", resetSeconds: 0 }, true],
      ...passing.map((fault): [FaultKind, boolean] => [fault, repeats === "lost-answer"]),
      ...[400, 401, 403, 404, 409, 422, 424, 500].map((code): [FaultKind, boolean] => [status(code), false]),
    ];
    for (const [fault, isRepeated] of faults) {
      const id = await existing(api, simulator, row);
      const clock = new InstantClock();
      const limited = connect(simulator, { clock, rateLimit: { requests: 1, seconds: 10 }, maxRetries: 1 });
      simulator.control.fault({ operationId, ...fault });
      await call(limited, id).catch(() => undefined);
      const sent = simulator.control.requests().map(({ method, path, body }) => ({ method, path, body }));
      const expected = isRepeated ? [sent[0], sent[0]] : [sent[0]];
      expect({ fault, sent }).toEqual({ fault, sent: expected });
      expect(clock.now() >= 10_001).toBe(isRepeated);
    }
    const { lines, ...unheard } = connect(stopped, { clock: new InstantClock(), maxRetries: 1 });
    const { answer } = await failureOf(call({ lines, ...unheard }, PIPE_ID));
    expect(answer.connection).toBe("connection-refused");
    expect(lines).toEqual([expect.stringContaining("no response (ECONNREFUSED); retrying (1 of 1)")]);
  });

  test("fails with an error that says what it attempted, on what, and what came back", async () => {
    const id = await existing(api, simulator, row);
    const body = { status: 409, requestId: "req-7", error: "SOME_WORDS: of the server" };
    simulator.control.fault({ operationId, kind: "status", status: 409, body });
    const error = await failureOf(call(api, id));
    const what = attempt.replace("{id}", id);
    expect(error.message.split(" of the server. ")[0]).toBe(
      `${what} failed: the server returned 409 (request req-7): SOME_WORDS:`,
    );
    expect(error).toMatchObject({ code: "conflict", answer: { status: 409, operation: operationId } });
  });

  test("sends nothing when the run was canceled", async () => {
    const id = await existing(api, simulator, row);
    const clock = Object.assign(new InstantClock(), { isCancelled: () => true });
    const { message } = await failureOf(call(connect(simulator, { clock }), id));
    expect(message).toMatch(/ was not sent: the run was canceled\./);
    expect(simulator.control.requests()).toEqual([]);
  });

  // A deletion needs no result.
  if (operationId.startsWith("delete")) return;

  test("refuses a result of another type, and one of another service", async () => {
    const id = await existing(api, simulator, row);
    const saysOf = async (returned: unknown): Promise<string> => {
      simulator.control.fault({ operationId, ...answer(returned) });
      const { code, message } = await failureOf(call(api, id));
      return `${code}: ${/but the result (?:is )?(.*?)\./.exec(message)?.[1] ?? message}`;
    };
    const [type, wrong] = isList ? ["a list", [{}, "text"]] : ["an object", [[], "text", null]];
    for (const returned of wrong) expect(await saysOf(returned)).toBe(`invalid-response: not ${type}`);
    if (operationId === "getPipeSettings") return;
    const other = operationId === "updateService" ? { id: OTHER } : { id, serviceId: OTHER };
    expect(await saysOf(isList ? [other] : other)).toBe("invalid-response: belongs to another service");
  });

  // That of a service is compared with the one that the request has.
  if (operationId === "getPipeSettings" || operationId === "updateService") return;

  test.each(NO_IDS)("takes no object with the ID %j, and shows neither it nor a secret", async (wrong) => {
    const { apiKeySecret } = simulator.account;
    const id = await existing(api, simulator, row);
    const unusable = { id: wrong, name: `${apiKeySecret} x`, backupName: apiKeySecret };
    const anyId: unknown = expect.any(typeof wrong === "string" ? String : Number);
    const returned = isList ? [{ id }, unusable] : unusable;
    simulator.control.fault({ operationId, ...answer(returned) });
    const outcome = await call(api, id).catch((error: unknown) => error as Error);
    const said = [...api.lines, outcome instanceof Error ? outcome.message : ""].join("\n");
    const hidden = [apiKeySecret, String(wrong)].filter((text) => text.length > 1);
    for (const text of hidden) expect(said).not.toContain(text);
    if (isList) {
      expect(outcome).toEqual({ items: [{ id }], leftOut: [{ ...unusable, id: anyId }], isList: true });
      expect(said).toMatch(
        /: the provider ignores objects whose ID is missing or not a UUID: "\[secret\]( x)?"\.$/m,
      );
    } else expect(said).toContain("but the result has no ID that is a UUID.");
  });
});

test("listBackups names three of the backups that it leaves out", async () => {
  const backups = [{}, ...["b", "c", "d", "e"].map((backupName) => ({ id: "x", backupName }))];
  simulator.control.fault({ operationId: "listBackups", ...answer(backups) });
  expect((await api.client.listBackups(api.scope)).items).toEqual([]);
  expect(api.lines).toEqual([
    expect.stringMatching(/whose ID is missing or not a UUID: one without a name, "b", "c" and 2 more\.$/),
  ]);
});

const seeded = (): string => simulator.control.seedPipes([{ ...PIPE, settings: {} }])[0]?.id ?? "";

test("getPipeSettings returns undefined for a pipe without settings; only a 404 is no error", async () => {
  const pipe = await api.client.createPipe(api.scope, { name: "p", ...minimal.postgres });
  expect(await api.client.getPipeSettings(api.scope, pipe.id)).toBeUndefined();
  simulator.control.fault({ operationId: "getPipeSettings", kind: "status", status: 500 });
  await expect(api.client.getPipeSettings(api.scope, pipe.id)).rejects.toThrow(/returned 500/);
  // The page of a gateway says nothing of the pipe.
  simulator.control.fault({ operationId: "getPipeSettings", kind: "html", status: 404 });
  await expect(api.client.getPipeSettings(api.scope, pipe.id)).rejects.toThrow(/returned 404/);
});

test.each(["", "{}", '{"status":200,"requestId":"r"}'])("deletePipe accepts the body %j", async (body) => {
  simulator.control.fault({ operationId: "deletePipe", kind: "status", status: 200, body });
  await expect(api.client.deletePipe(api.scope, seeded())).resolves.toBeUndefined();
});

test("the credential encodes key id and secret, whatever characters the secret has", async () => {
  const apiKeySecret = 'p:ss "wörd"/+=%';
  const strict = await newSimulator({ accounts: [{ ...simulator.account, apiKeySecret }] });
  const { client, scope } = connect(strict);
  await expect(client.listPipes(scope)).resolves.toMatchObject({ items: [], isList: true });
  const wrong = connect(strict, { apiKeySecret: `${apiKeySecret}x` });
  expect((await failureOf(wrong.client.listPipes(scope))).code).toBe("unauthorized");
});

test("a base URL may have a path, and the path keeps an id with any characters in its place", async () => {
  const { client, scope } = connect(simulator, { baseUrl: `${simulator.url}/under/here` });
  await failureOf(client.updatePipe(scope, "../../x?y#z", {}));
  const service = `/v1/organizations/${scope.organizationId}/services/${scope.serviceId}`;
  expect(latestRequest(simulator).path).toBe(`/under/here${service}/pipes/..%2F..%2Fx%3Fy%23z`);
  expect((await failureOf(client.updatePipe(scope, "..", {}))).code).toBe("invalid-argument");
  expect(simulator.control.requests()).toHaveLength(1);
});

test("a result with the id in another case is accepted, and one of another pipe is refused", async () => {
  const update = (result: object) => {
    simulator.control.fault({ operationId: "updatePipe", ...answer(result) });
    return api.client.updatePipe(api.scope, PIPE_ID, { name: "x" });
  };
  const upper = { id: PIPE_ID.toUpperCase(), serviceId: api.scope.serviceId.toUpperCase() };
  expect(await update(upper)).toMatchObject({ id: upper.id });
  const { message } = await failureOf(update({ id: PIPE_ID.replace("ee", "ff") }));
  expect(message).toContain("but the result has another ID.");
});

describe("a successful answer", () => {
  const listing = (fault: FaultKind) => {
    simulator.control.fault({ operationId: "listPipes", ...fault });
    return api.client.listPipes(api.scope);
  };
  const novel = { id: PIPE_ID, state: "Dreaming", source: null, settings: null, novelty: { a: [1] } };

  test.each<[what: string, fault: FaultKind, items: object[], isList?: boolean]>([
    ["hold null instead of a list", answer(null), [], false],
    ["hold unknown fields, values and nulls", answer([novel]), [novel]],
    ["have another status", answer([], 201), []],
    ["have another content type", { kind: "wrong-content-type", contentType: "text/html" }, []],
    ["come slowly", { kind: "slow-body", ms: 30 }, []],
  ])("may %s", async (_, fault, items, isList = true) => {
    expect(await listing(fault)).toEqual({ items, leftOut: [], isList });
  });

  test("warns once of the pipes that lists leave out, because their IDs are no UUIDs", async () => {
    for (const _ of ["the first", "the second"]) await listing(answer([{ id: PIPE_ID }, { name: "theirs" }]));
    expect(api.lines).toEqual([
      `warning: list the pipes of service ${SERVICE}: the provider ignores objects whose ID is missing or not a UUID: "theirs".`,
    ]);
  });

  test.each([null, "noise"])(
    "is refused when it lists %j: leaving that out would hide a pipe",
    async (element) => {
      expect((await failureOf(listing(answer([{ id: PIPE_ID }, element])))).code).toBe("invalid-response");
    },
  );
});

test.each([
  ["refused", { kind: "status", status: 403 }, false],
  ["lost", { kind: "reset-after" }, true],
] as const)("deleteReversePrivateEndpoint, %s, says whether it may be gone", async (_, fault, mayBeGone) => {
  const { id } = await endpointsOf(api).create("to a service");
  simulator.control.fault({ operationId: "deleteReversePrivateEndpoint", ...fault });
  const { message } = await failureOf(endpointsOf(api).delete(id));
  const says =
    "The API may have deleted it. The provider cannot check: the API cannot read endpoints. Run the same command again: it repeats the deletion.";
  expect(message.includes(says)).toBe(mayBeGone);
  expect(message.includes("may have deleted")).toBe(mayBeGone);
  expect(simulator.control.state().endpoints).toHaveLength(mayBeGone ? 0 : 1);
});
