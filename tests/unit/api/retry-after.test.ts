import { retryAfterMs } from "../../../provider/src/api/http/retry-after";

/** The last moment that an HTTP date can name. */
const HTTP_DATE = "Fri, 31 Dec 9999 23:59:59 GMT";

test.each<[status: number, headers: Record<string, string>, milliseconds: number]>([
  [429, { "retry-after": "2" }, 2000],
  [503, { "retry-after": " 0.5 " }, 500],
  [429, { "x-ratelimit-reset": "3" }, 3000],
  [429, { "retry-after": "1", "x-ratelimit-reset": "3" }, 1000],
  [429, { "retry-after": "0" }, 0],
  [503, { "retry-after": "999999" }, 120_000],
  [429, { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
  [429, { "retry-after": "2.25" }, 2250],
  [429, { "retry-after": "soon", "x-ratelimit-reset": "4" }, 4000],
  [429, { "retry-after": `${HTTP_DATE}, ${HTTP_DATE}` }, 0],
  [503, { "retry-after": HTTP_DATE }, 120_000],
  [503, { "x-ratelimit-reset": "9999-12-31T23:59:59.999Z" }, 120_000],
  [503, { "retry-after": "9".repeat(400) }, 120_000],
  [429, { "retry-after": "999999" }, 999_999_000],
  // The first number that is a time, which is long past.
  [429, { "x-ratelimit-reset": "1000000000" }, 0],
  [429, {}, 0],
  [500, { "retry-after": "2" }, 0],
])("an answer %d with %j asks for a delay of %d ms", (status, headers, milliseconds) => {
  expect(retryAfterMs(status, headers)).toBe(milliseconds);
});

const NUMBERS = ["-5", "+5", ".5", "1e12", "0x10", "Infinity", "5, 7", "5;", "٥"];
const TEXTS = ["", " ", "soon", "2 or so", "soon 5", "soon 2099", "Sunday 2099"];

test.each([...NUMBERS, ...TEXTS])("%j is neither seconds nor a date, so it asks for no delay", (value) => {
  expect(retryAfterMs(429, { "retry-after": value })).toBe(0);
});

test("an answer asks for a delay until the time that it names", () => {
  jest.spyOn(Date, "now").mockReturnValue(Date.parse("2026-01-31T00:00:00Z"));
  const inOneMinute = Date.parse("2026-01-31T00:01:00Z") / 1000;
  expect(retryAfterMs(429, { "retry-after": "Sat, 31 Jan 2026 00:01:00 GMT" })).toBe(60_000);
  expect(retryAfterMs(429, { "x-ratelimit-reset": String(inOneMinute) })).toBe(60_000);
});
