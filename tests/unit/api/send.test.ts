import { systemClock } from "../../../provider/src/api/http/clock";
import { delayOf, send, type Attempt, type SendContext } from "../../../provider/src/api/http/send";
import { codeOf, FAILURES, failureOf, type Failure } from "../../../provider/src/api/http/failures";
import { callOf, OPERATIONS, type OperationName } from "../../../provider/src/api/operations";
import { ApiError, ConnectionError, DatapipesError } from "../../../provider/src/messages/errors";
import type { ApiAnswer } from "../../../provider/src/messages/errors";

const SCOPE = { organizationId: "o", serviceId: "s" };

/** A request of each kind of operation. */
const CALLS = {
  read: callOf("listPipes", SCOPE, []),
  idempotent: callOf("updatePipe", SCOPE, ["p", { name: "x" }, { isFollowUp: true }]),
  create: callOf("createPipe", SCOPE, [{ name: "x" }]),
};

const errorOf = (answer: ApiAnswer): DatapipesError => {
  const { status, connection } = answer;
  if (connection !== undefined)
    return new ConnectionError("connection", "It failed.", { answer, reason: connection });
  const code = status === undefined || status < 300 ? "invalid-response" : codeOf(status);
  return new ApiError(code, "It failed.", { answer, reason: `status ${status ?? 0}` });
};

/** An answer for each failure of the table. */
const ANSWERS: Readonly<Record<Failure, ApiAnswer>> = {
  "not-received": { connection: "connection-refused" },
  "rate-limit": { status: 429, isRateLimit: true },
  "gateway-rate-limit": { status: 429 },
  lost: { status: 504 },
  "server-error": { status: 500 },
  unreadable: { status: 200 },
  busy: { status: 409 },
  refused: { status: 403 },
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

const CELLS = (Object.keys(FAILURES) as Failure[]).flatMap((failure) =>
  (["read", "idempotent", "create"] as const).map((kind) => ({ failure, kind })),
);

test.each(CELLS)(
  "after the failure $failure of a request of kind $kind comes what the table says",
  async (cell) => {
    const { failure, kind } = cell;
    const reaction = FAILURES[failure === "busy" && kind !== "idempotent" ? "refused" : failure][kind];
    const many = Array<ApiAnswer>(9).fill(ANSWERS[failure]);
    const { outcome, attempts, slept } = await sending(CALLS[kind], many);
    const isFollowUp = kind === "idempotent";
    expect(failureOf(errorOf(ANSWERS[failure]), isFollowUp)).toBe(
      failure === "busy" && !isFollowUp ? "refused" : failure,
    );
    if (reaction.action === "wait") {
      expect(outcome).toBe("served");
      expect(attempts).toBe(10);
      expect(slept).toEqual([]);
      return;
    }
    expect(outcome).toBeInstanceOf(DatapipesError);
    if (reaction.action !== "retry") {
      expect(attempts).toBe(1);
      return;
    }
    const limit = reaction.limit === "maxRetries" ? 4 : reaction.limit;
    const delays = Array.from({ length: limit }, (_, index) => delayOf(reaction.delays, index + 1));
    expect(attempts).toEqual(limit + 1);
    expect(slept).toEqual(delays);
  },
);

test("the failure table knows each operation's kind", () => {
  const kinds = (Object.keys(OPERATIONS) as OperationName[]).map((name) => OPERATIONS[name].kind);
  expect(new Set(kinds)).toEqual(new Set(Object.keys(CALLS)));
});

test.each([
  [0, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
  [0.5, [375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500]],
])("delays double up to the longest, and the random number %d takes a share off", (random, delays) => {
  jest.spyOn(Math, "random").mockReturnValue(random);
  const backoff = { firstMs: 500, longestMs: 30_000 };
  expect(delays.map((_, index) => delayOf(backoff, index + 1))).toEqual(delays);
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

test.each<[isServed: boolean, refusedMs: number, askedMs: number]>([
  [true, 0, 0],
  [true, 539_000, 60_000],
  [false, 540_000, 60_000],
  [false, 600_000, 0],
  [false, 0, 601_000],
])("continues after a 429: %p, when all were refused for %d ms and it asks for %d ms", async (...row) => {
  const [isServed, refusedMs, askedMs] = row;
  const { outcome } = await sending(CALLS.create, [ANSWERS["rate-limit"]], {
    refusedForMs: () => refusedMs,
    askedMs,
  });
  expect(outcome === "served").toBe(isServed);
});

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

test.each<[words: string, answers: ApiAnswer[], isSaid: boolean]>([
  ["a lost answer and a refusal", [ANSWERS.lost, { status: 400 }], true],
  ["a gateway's 429 and a refusal", [ANSWERS["gateway-rate-limit"], { status: 400 }], true],
  ["a refused connection and a refusal", [ANSWERS["not-received"], { status: 400 }], false],
  ["a lost answer and a server error", [ANSWERS.lost, { status: 500 }], false],
])(
  "an update says that the first request may have been carried out after %s: %#",
  async (...[, answers, isSaid]) => {
    const { outcome } = await sending(CALLS.idempotent, answers);
    expect((outcome as DatapipesError).finding).toBe(isSaid ? "may-be-updated" : undefined);
  },
);
