import { AxiosError, AxiosHeaders, type AxiosResponse } from "axios";
import { retryAfter } from "../../../provider/src/api/retry";

function answer(status: number, headers: Record<string, string>): AxiosError {
  const config = { headers: new AxiosHeaders() };
  const response: AxiosResponse = { status, statusText: "", headers, config, data: "" };
  return new AxiosError("refused", "ERR_BAD_REQUEST", config, undefined, response);
}

test.each<[status: number, headers: Record<string, string>, milliseconds: number | undefined]>([
  [429, { "retry-after": "2" }, 2000],
  [503, { "retry-after": " 0.5 " }, 500],
  [429, { "x-ratelimit-reset": "3" }, 3000],
  [429, { "retry-after": "1", "x-ratelimit-reset": "3" }, 1000],
  [429, { "retry-after": "0" }, 0],
  [429, { "retry-after": "999999" }, 120_000],
  [429, { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
  [429, { "retry-after": "soon" }, undefined],
  [429, {}, undefined],
  [500, { "retry-after": "2" }, undefined],
  [504, { "retry-after": "2" }, undefined],
])("an answer %d with %j sets a pause of %p ms", (status, headers, milliseconds) => {
  expect(retryAfter(answer(status, headers))).toBe(milliseconds);
});

test("waits until a time in the future", () => {
  const moment = new Date(Date.now() + 60_000).toUTCString();
  const asked = retryAfter(answer(503, { "retry-after": moment })) ?? 0;
  expect(asked).toBeGreaterThan(50_000);
  expect(asked).toBeLessThanOrEqual(60_000);
});

test("a failure without an answer sets no pause", () => {
  expect(retryAfter(new AxiosError("cut", "ECONNRESET"))).toBeUndefined();
});
