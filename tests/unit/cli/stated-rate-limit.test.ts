import { statedRateLimit } from "../../../provider/src/cli/doctor/rate-limit";

test.each<[headers: Record<string, string>, sentence: string | undefined]>([
  [
    { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "7", "x-ratelimit-reset": "5" },
    "The server states that 7 of 10 requests are left for the next 5 s.",
  ],
  [{ "ratelimit-remaining": "0" }, "The server states that 0 requests are left."],
  [
    { "ratelimit-limit": "100, 100;w=60", "ratelimit-remaining": "99" },
    "The server states that 99 of 100 requests are left.",
  ],
  [
    { ratelimit: "limit=10, remaining=9, reset=4" },
    "The server states that 9 of 10 requests are left for the next 4 s.",
  ],
  [{ ratelimit: '"default";r=9;t=4' }, "The server states that 9 requests are left for the next 4 s."],
  [{ "x-ratelimit-remaining": "\u001b[2J" }, undefined],
  [{ "x-ratelimit-reset": "3" }, undefined],
  [{}, undefined],
])("what is left of a rate limit is read from %j", (headers, sentence) => {
  expect(statedRateLimit(headers)).toBe(sentence);
});

test("a reset that is a Unix time is shown as seconds", () => {
  const reset = String(Math.ceil(Date.now() / 1000) + 30);
  expect(statedRateLimit({ "x-ratelimit-remaining": "1", "x-ratelimit-reset": reset })).toMatch(
    /next (30|31) s\.$/,
  );
});
