import { AxiosError, AxiosHeaders, type AxiosResponse } from "axios";
import { backoff, retryAfter, withRetries, type RetryContext } from "../../../provider/src/api/http/retry";
import { createPipe, listPipes, updatePipe } from "../../../provider/src/api/document/operations";

function answer(status: number, headers: Record<string, string>, data = ""): AxiosError {
  const config = { headers: new AxiosHeaders() };
  const response: AxiosResponse = { status, statusText: "", headers, config, data };
  return new AxiosError("refused", "ERR_BAD_REQUEST", config, undefined, response);
}

/** The last moment that an HTTP date can name. */
const HTTP_DATE = "Fri, 31 Dec 9999 23:59:59 GMT";

/** Neither seconds nor a date. */
const NO_TIMES = "| |-5|+5|.5|soon|2 or so|soon 5|soon 2099|1e12|0x10|Infinity|5, 7|Sunday 2099|5;|٥";

type Pause = [status: number, headers: Record<string, string>, milliseconds: number | undefined];
test.each<Pause>([
  [429, { "retry-after": "2" }, 2000],
  [503, { "retry-after": " 0.5 " }, 500],
  [429, { "x-ratelimit-reset": "3" }, 3000],
  [429, { "retry-after": "1", "x-ratelimit-reset": "3" }, 1000],
  [429, { "retry-after": "0" }, 0],
  [503, { "retry-after": "999999" }, 120_000],
  [429, { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
  [429, { "retry-after": "2.25" }, 2250],
  [429, { "retry-after": "soon", "x-ratelimit-reset": "4" }, 4000],
  [429, { "retry-after": `${HTTP_DATE}, ${HTTP_DATE}` }, undefined],
  [429, { "retry-after": "-5", "x-ratelimit-reset": "3, 5" }, undefined],
  [503, { "retry-after": HTTP_DATE }, 120_000],
  [429, { "retry-after": "Friday, 31-Dec-99 23:59:59 GMT" }, 0],
  [503, { "x-ratelimit-reset": "9999-12-31T23:59:59.999Z" }, 120_000],
  [503, { "retry-after": "1000000000000" }, 120_000],
  [503, { "retry-after": "9".repeat(400) }, 120_000],
  [429, { "retry-after": "999999" }, 999_999_000],
  [429, { "retry-after": "0.0001" }, 0.1],
  [429, {}, undefined],
  [500, { "retry-after": "2" }, undefined],
  [504, { "retry-after": "2" }, undefined],
  ...NO_TIMES.split("|").map((value): Pause => [429, { "retry-after": value }, undefined]),
])("an answer %d with %j sets a pause of %p ms", (status, headers, milliseconds) => {
  expect(retryAfter(answer(status, headers))).toBe(milliseconds);
});

test("an answer sets a pause until the time that it names, and a failure without an answer none", () => {
  const moment = Date.now() + 60_000;
  const [date, unixSeconds] = [new Date(moment).toUTCString(), String(Math.floor(moment / 1000))];
  for (const error of [
    answer(503, { "retry-after": date }),
    answer(429, { "x-ratelimit-reset": unixSeconds }),
  ]) {
    expect(retryAfter(error)).toBeGreaterThan(50_000);
    expect(retryAfter(error)).toBeLessThanOrEqual(60_000);
  }
  expect(retryAfter(answer(429, { "x-ratelimit-reset": "999999999" }))).toBe(999_999_999_000);
  // The first number that is a time, which is long past.
  expect(retryAfter(answer(429, { "x-ratelimit-reset": "1000000000" }))).toBe(0);
  expect(retryAfter(new AxiosError("cut", "ECONNRESET"))).toBeUndefined();
});

afterEach(() => jest.restoreAllMocks());

test.each([
  [0, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
  [0.5, [375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500]],
])("the backoff doubles up to 30 s, and the random number %d takes a share of it", (random, delays) => {
  jest.spyOn(Math, "random").mockReturnValue(random);
  expect(delays.map((_, index) => backoff(index + 1))).toEqual(delays);
});

describe("retries of one request", () => {
  const scope = { organizationId: "o", serviceId: "s" };
  const operation = listPipes(scope);
  const failed = (headers: Record<string, string>): AxiosError => answer(503, headers);
  const refused = (seconds: string): AxiosError => answer(429, { "retry-after": seconds });

  /** Sends a request whose attempts fail so, one after the other; notes how long the retries sleep and what they print. */
  async function failing(errors: readonly AxiosError[], more: Partial<RetryContext> = {}) {
    const [lines, slept]: [string[], number[]] = [[], []];
    let attempts = 0;
    const sleep = (ms: number): Promise<void> => Promise.resolve(void slept.push(ms));
    const context: RetryContext = {
      operation,
      clock: { now: () => 0, sleep },
      pause: (ms, line) => {
        lines.push(line);
        return sleep(ms);
      },
      log: (line) => lines.push(line),
      attemptsMs: () => 0,
      maxRetries: 4,
      rateLimitTimeoutMs: 600_000,
      shared: { refusedInRow: 1, unservedFor: 0 },
      ...more,
    };
    const attempt = (): Promise<unknown> => {
      const error = errors[attempts];
      attempts += 1;
      return error === undefined ? Promise.resolve("served") : Promise.reject(error);
    };
    const outcome = await withRetries(context, attempt).catch((error: unknown) => error);
    return { outcome, attempts, lines, slept };
  }
  const isRetried = async (error: AxiosError, more?: Partial<RetryContext>): Promise<boolean> =>
    (await failing([error], more)).outcome === "served";

  test.each([
    ["0.999", "", 999],
    ["1", " in 1 s", 1000],
    ["1.6", " in 2 s", 1600],
  ])("waits %s s, and says so%s", async (seconds, words, ms) => {
    const { outcome, lines, slept } = await failing([failed({ "retry-after": seconds })]);
    expect(outcome).toBe("served");
    expect(lines).toEqual([`${operation.attempt}: status 503; retrying${words} (1 of 4)`]);
    expect(slept).toEqual([ms]);
  });

  test.each([undefined, "0", "0.0001", "-5", "soon", "Thu, 01 Jan 1970 00:00:00 GMT"])(
    "backs off by the number of the retry after Retry-After: %s, and ends after maxRetries",
    async (value) => {
      jest.spyOn(Math, "random").mockReturnValue(0);
      const error = failed(value === undefined ? {} : { "retry-after": value });
      const { outcome, slept } = await failing(Array<AxiosError>(9).fill(error));
      expect([outcome, slept]).toEqual([error, [500, 1000, 2000, 4000]]);
    },
  );

  test("counts no refusal with 429, and waits for it as long as the service serves no request for ten minutes", async () => {
    const { outcome, attempts, lines } = await failing(Array<AxiosError>(20).fill(refused("60")));
    expect([outcome, attempts]).toEqual(["served", 21]);
    expect(lines.at(-1)).toBe(`${operation.attempt}: status 429; retrying in 60 s`);
    const afterWait = (unservedFor: number, seconds: string) =>
      isRetried(refused(seconds), { shared: { refusedInRow: 3, unservedFor } });
    expect(await afterWait(540_000, "60")).toBe(true);
    expect(await afterWait(540_001, "60")).toBe(false);
    expect(await afterWait(0, "601")).toBe(false);
  });

  test.each([
    [0, 30_000],
    [500_000, 10_000],
    [599_000, 500],
  ])("waits less after a 429 when the service has served none for %d ms", async (unservedFor, delay) => {
    jest.spyOn(Math, "random").mockReturnValue(0);
    const { slept } = await failing([answer(429, {})], { shared: { refusedInRow: 9, unservedFor } });
    expect(slept).toEqual([delay]);
  });

  test("ends before attempts and pauses have taken ten minutes", async () => {
    const error = failed({ "retry-after": "60" });
    expect(await isRetried(error, { attemptsMs: () => 539_999 })).toBe(true);
    expect(await isRetried(error, { attemptsMs: () => 540_000 })).toBe(false);
    const { attempts } = await failing(Array<AxiosError>(5).fill(error), { attemptsMs: () => 400_000 });
    expect(attempts).toBe(4);
  });

  test("names the failure of a connection", async () => {
    jest.spyOn(Math, "random").mockReturnValue(1);
    const { lines } = await failing(
      ["ECONNRESET", "ECONNABORTED", undefined].map((code) => new AxiosError("failed", code)),
    );
    expect(lines).toEqual([
      `${operation.attempt}: ECONNRESET; retrying (1 of 4)`,
      `${operation.attempt}: no response in time; retrying (2 of 4)`,
      `${operation.attempt}: no response; retrying in 1 s (3 of 4)`,
    ]);
  });

  test("retries no create that may have been received, and every update", async () => {
    const create = { operation: createPipe(scope, {}) };
    const update = { operation: updatePipe(scope, "p", { add: [] }) };
    // Without the envelope and a rate-limit header, a gateway may have forwarded it.
    const gateway = [answer(429, {}), answer(429, { "retry-after": "1" }, "<html>")];
    for (const failure of [...gateway, new AxiosError("x", "ECONNRESET")]) {
      expect(await isRetried(failure, create)).toBe(false);
      expect(await isRetried(failure, update)).toBe(true);
    }
    for (const failure of [refused("1"), new AxiosError("x", "ECONNREFUSED")])
      expect(await isRetried(failure, create)).toBe(true);
  });
});
