import { AxiosError, AxiosHeaders, type AxiosResponse } from "axios";
import { backoff, retryAfter, retryConfig, type RetryContext } from "../../../provider/src/api/retry";
import { listPipes, updatePipe } from "../../../provider/src/api/operations";

function answer(status: number, headers: Record<string, string>, data = ""): AxiosError {
  const config = { headers: new AxiosHeaders() };
  const response: AxiosResponse = { status, statusText: "", headers, config, data };
  return new AxiosError("refused", "ERR_BAD_REQUEST", config, undefined, response);
}

/** The last moment that an HTTP date can name. */
const HTTP_DATE = "Fri, 31 Dec 9999 23:59:59 GMT";

test.each<[status: number, headers: Record<string, string>, milliseconds: number | undefined]>([
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
])("an answer %d with %j sets a pause of %p ms", (status, headers, milliseconds) => {
  expect(retryAfter(answer(status, headers))).toBe(milliseconds);
});

test("what is neither seconds nor a date sets no pause", () => {
  const values = "| |-5|+5|.5|soon|2 or so|soon 5|soon 2099|1e12|0x10|Infinity|5, 7|Sunday 2099|5;|٥".split(
    "|",
  );
  expect(values.filter((value) => retryAfter(answer(429, { "retry-after": value })) !== undefined)).toEqual(
    [],
  );
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

  /** Retries that only note how long they sleep. */
  function retried(more: Partial<RetryContext> = {}) {
    const [lines, slept]: [string[], number[]] = [[], []];
    const config = retryConfig({
      operation,
      clock: { now: () => 0, sleep: (ms) => Promise.resolve(void slept.push(ms)) },
      log: (line) => lines.push(line),
      attemptsMs: () => 0,
      maxRetries: 4,
      rateLimitTimeoutMs: 600_000,
      shared: { refusedInRow: 1, unservedFor: 0 },
      ...more,
    });
    const retry = async (error: AxiosError): Promise<unknown> => {
      const answered = await config.retryCondition?.(error);
      await config.onRetry?.(1, error, {} as never);
      return answered;
    };
    return { config, lines, slept, retry };
  }

  test.each([
    ["0.999", "", 999],
    ["1", " in 1 s", 1000],
    ["1.6", " in 2 s", 1600],
  ])("waits %s s, and says so%s", async (seconds, words, ms) => {
    const { config, lines, slept, retry } = retried();
    expect(await retry(failed({ "retry-after": seconds }))).toBe(true);
    expect(config.retryDelay?.(1, failed({}))).toBe(0);
    expect(lines).toEqual([`${operation.attempt}: status 503; retrying${words} (1 of 4)`]);
    expect(slept).toEqual([ms]);
  });

  test.each([undefined, "0", "0.0001", "-5", "soon", "Thu, 01 Jan 1970 00:00:00 GMT"])(
    "backs off by the number of the retry after Retry-After: %s, and ends after maxRetries",
    async (value) => {
      jest.spyOn(Math, "random").mockReturnValue(0);
      const { slept, retry } = retried();
      const error = failed(value === undefined ? {} : { "retry-after": value });
      for (const again of [true, true, true, true, false]) expect(await retry(error)).toBe(again);
      expect(slept.slice(0, 4)).toEqual([500, 1000, 2000, 4000]);
    },
  );

  test("counts no refusal with 429, and waits for it as long as the service serves no request for ten minutes", async () => {
    const { lines, retry } = retried();
    for (let count = 0; count < 20; count += 1) expect(await retry(refused("60"))).toBe(true);
    expect(lines.at(-1)).toBe(`${operation.attempt}: status 429; retrying in 60 s`);
    const afterWait = (unservedFor: number, seconds: string) =>
      retried({ shared: { refusedInRow: 3, unservedFor } }).retry(refused(seconds));
    expect(await afterWait(540_000, "60")).toBe(true);
    expect(await afterWait(540_001, "60")).toBe(false);
    expect(await afterWait(0, "601")).toBe(false);
  });

  test("ends before attempts and pauses have taken ten minutes", async () => {
    const error = failed({ "retry-after": "60" });
    expect(await retried({ attemptsMs: () => 539_999 }).retry(error)).toBe(true);
    expect(await retried({ attemptsMs: () => 540_000 }).retry(error)).toBe(false);
    const { retry } = retried({ attemptsMs: () => 400_000 });
    for (const again of [true, true, true, false]) expect(await retry(error)).toBe(again);
  });

  test("names the failure of a connection", async () => {
    const { lines, retry } = retried();
    jest.spyOn(Math, "random").mockReturnValue(1);
    for (const code of ["ECONNRESET", "ECONNABORTED", undefined])
      await retry(new AxiosError("failed", code, { headers: new AxiosHeaders() }));
    expect(lines).toEqual([
      `${operation.attempt}: ECONNRESET; retrying (1 of 4)`,
      `${operation.attempt}: no response in time; retrying (2 of 4)`,
      `${operation.attempt}: no response; retrying in 1 s (3 of 4)`,
    ]);
  });

  test("retries no update that may have been received", async () => {
    const update = { ...updatePipe(scope, "p", {}), retryOn: "not-received" as const };
    const { config } = retried({ operation: update });
    // Without the envelope and a rate-limit header, a gateway may have forwarded it.
    expect(await config.retryCondition?.(answer(429, {}))).toBe(false);
    expect(await config.retryCondition?.(answer(429, { "retry-after": "1" }, "<html>"))).toBe(false);
    expect(await config.retryCondition?.(refused("1"))).toBe(true);
    expect(await config.retryCondition?.(new AxiosError("x", "ECONNRESET"))).toBe(false);
    expect(await config.retryCondition?.(new AxiosError("x", "ECONNREFUSED"))).toBe(true);
  });
});
