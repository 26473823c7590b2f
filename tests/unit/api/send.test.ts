import { systemClock } from "../../../provider/src/api/http/clock";
import { delayOf, send, type Attempt, type SendContext } from "../../../provider/src/api/http/send";
import { codeOf, failureOfStatus } from "../../../provider/src/api/http/failures";
import { callOf, OPERATIONS, type OperationName } from "../../../provider/src/api/operations";
import { ApiError, ConnectionError } from "../../../provider/src/messages/errors";
import type { ApiAnswer, DatapipesError, RequestFailure } from "../../../provider/src/messages/errors";

const SCOPE = { organizationId: "o", serviceId: "s" };

/** A request of each kind of operation. */
const CALLS = {
  read: callOf("listPipes", SCOPE),
  idempotent: callOf("updatePipe", SCOPE, { id: "p", body: { name: "x" }, options: { isFollowUp: true } }),
  create: callOf("createPipe", SCOPE, { body: { name: "x" } }),
};

const errorOf = (answer: ApiAnswer): DatapipesError => {
  const { status, connection } = answer;
  if (connection !== undefined)
    return new ConnectionError("connection", "It failed.", { answer, reason: connection });
  const code = status === undefined || status < 300 ? "invalid-response" : codeOf(status);
  return new ApiError(code, "It failed.", { answer, reason: `status ${status ?? 0}` });
};

/** An answer for each failure of the table. */
const ANSWERS: Readonly<Record<RequestFailure, ApiAnswer>> = {
  "not-received": { connection: "connection-refused", failure: "not-received" },
  "rate-limit": { status: 429, failure: "rate-limit" },
  "gateway-rate-limit": { status: 429, failure: "gateway-rate-limit" },
  lost: { status: 504, failure: "lost" },
  "server-error": { status: 500, failure: "server-error" },
  unreadable: { status: 200, failure: "unreadable" },
  busy: { status: 409, failure: "busy" },
  refused: { status: 403, failure: "refused" },
};

interface Options extends Partial<SendContext> {
  readonly askedMs?: number;
}

/** Sends a request whose attempts fail so, one after the other, before one is served. */
async function sending(
  call: (typeof CALLS)[keyof typeof CALLS],
  answers: readonly ApiAnswer[],
  { askedMs = 0, ...more }: Options = {},
) {
  const lines: string[] = [];
  const slept: number[] = [];
  const context: SendContext = {
    clock: { ...systemClock, now: () => 0, sleep: (ms) => Promise.resolve(void slept.push(ms)) },
    log: (line) => lines.push(line),
    maxRetries: 4,
    rateLimitTimeoutSeconds: 600,
    refusedForMs: () => 0,
    ...more,
  };
  let attempts = 0;
  const attempt = (): Promise<Attempt> => {
    const answer = answers[attempts];
    attempts += 1;
    return Promise.resolve(answer === undefined ? { result: "served" } : { error: errorOf(answer), askedMs });
  };
  const outcome = await send(call, context, attempt).catch((error: unknown) => error);
  return { outcome, attempts, lines, slept };
}

beforeEach(() => jest.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

const failingNineTimes = (kind: keyof typeof CALLS, failure: RequestFailure) =>
  sending(CALLS[kind], Array<ApiAnswer>(9).fill(ANSWERS[failure]));

test.each([
  { failure: "not-received", read: 5, update: 5, create: 5 },
  { failure: "rate-limit", read: 10, update: 10, create: 10 },
  { failure: "gateway-rate-limit", read: 10, update: 10, create: 1 },
  { failure: "lost", read: 5, update: 5, create: 1 },
  { failure: "server-error", read: 1, update: 1, create: 1 },
  { failure: "unreadable", read: 1, update: 1, create: 1 },
  { failure: "busy", read: 1, update: 6, create: 1 },
  { failure: "refused", read: 1, update: 1, create: 1 },
] as const)(
  "after $failure, a read has $read attempts, an update $update, a create $create",
  async ({ failure, read, update, create }) => {
    expect(await failingNineTimes("read", failure)).toHaveProperty("attempts", read);
    expect(await failingNineTimes("idempotent", failure)).toHaveProperty("attempts", update);
    expect(await failingNineTimes("create", failure)).toHaveProperty("attempts", create);
  },
);

test.each([
  { failure: "lost", sleeps: [500, 1000, 2000, 4000] },
  { failure: "busy", sleeps: [2000, 4000, 8000, 16_000, 30_000] },
  { failure: "rate-limit", sleeps: [] },
] as const)("after $failure, the delays between attempts are $sleeps ms", async ({ failure, sleeps }) => {
  expect((await failingNineTimes("idempotent", failure)).slept).toEqual(sleeps);
});

test.each<[failure: RequestFailure, status: number, facts: Parameters<typeof failureOfStatus>[1]]>([
  ["rate-limit", 429, { isRateLimit: true }],
  ["gateway-rate-limit", 429, {}],
  ["gateway-rate-limit", 429, { isRateLimit: true, isUnreadable: true }],
  ["lost", 502, {}],
  ["lost", 504, { isUnreadable: true }],
  ["server-error", 500, {}],
  ["server-error", 501, { isUnreadable: true }],
  ["server-error", 505, {}],
  ["server-error", 408, {}],
  ["server-error", 499, {}],
  ["unreadable", 200, { isUnreadable: true }],
  ["unreadable", 404, { isUnreadable: true }],
  ["busy", 409, { isFollowUp: true }],
  ["refused", 409, {}],
  ["refused", 403, {}],
  ["refused", 302, {}],
])("the failure %s is that of the status %i with %j", (failure, status, facts) => {
  expect(failureOfStatus(status, facts)).toBe(failure);
});

test("the failure table knows each operation's kind", () => {
  const kinds = (Object.keys(OPERATIONS) as OperationName[]).map((name) => OPERATIONS[name].kind);
  expect(new Set(kinds)).toEqual(new Set(Object.keys(CALLS)));
});

test.each([
  [0, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
  [0.5, [375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500]],
])("delays double up to the longest, and the random number %d takes a share off", (random, delays) => {
  jest.spyOn(Math, "random").mockReturnValue(random);
  expect(delays.map((_, index) => delayOf(500, index + 1))).toEqual(delays);
});

test.each([
  [999, ""],
  [1000, " in 1 s"],
  [1600, " in 2 s"],
])("waits the %d ms that an answer asks for, and says so%s", async (askedMs, words) => {
  const { outcome, lines, slept } = await sending(CALLS.read, [ANSWERS.lost], { askedMs });
  expect(outcome).toBe("served");
  expect(slept).toEqual([askedMs]);
  expect(lines).toEqual([`${CALLS.read.attempt}: status 504; retrying${words} (1 of 4)`]);
});

test.each([
  { refusedMs: 0, askedMs: 0, isServed: true },
  { refusedMs: 539_000, askedMs: 60_000, isServed: true },
  { refusedMs: 540_000, askedMs: 60_000, isServed: false },
  { refusedMs: 600_000, askedMs: 0, isServed: false },
  { refusedMs: 0, askedMs: 601_000, isServed: false },
])(
  "after 429s for $refusedMs ms and a delay of $askedMs ms, it is sent again: $isServed",
  async ({ refusedMs, askedMs, isServed }) => {
    const options = { refusedForMs: () => refusedMs, askedMs };
    const { attempts } = await sending(CALLS.create, [ANSWERS["rate-limit"]], options);
    expect(attempts).toBe(isServed ? 2 : 1);
  },
);

test("the deadline of a call ends its writes, and not its reads", async () => {
  const clock = {
    ...systemClock,
    now: () => 0,
    sleep: () => Promise.resolve(),
    deadline: () => ({ seconds: 1, at: 400 }),
  };
  const { attempts, lines } = await sending(CALLS.idempotent, [ANSWERS.lost], { clock });
  expect(attempts).toBe(1);
  expect(lines).toEqual([expect.stringContaining("customTimeouts leaves no time for it")]);
  expect((await sending(CALLS.read, [ANSWERS.lost], { clock })).outcome).toBe("served");
});

test.each([
  { failures: ["lost", "refused"], finding: "may-be-updated" },
  { failures: ["lost", "rate-limit", "refused"], finding: "may-be-updated" },
  { failures: ["gateway-rate-limit", "refused"], finding: "may-be-updated" },
  { failures: ["not-received", "refused"], finding: undefined },
  { failures: ["lost", "server-error"], finding: undefined },
] as const)("the error of an update after the failures $failures has the finding $finding", async (row) => {
  const answers = row.failures.map((failure) => ANSWERS[failure]);
  const { outcome } = await sending(CALLS.idempotent, answers);
  expect((outcome as DatapipesError).finding).toBe(row.finding);
});
