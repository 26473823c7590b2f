import { statedRateLimit } from "../../../provider/src/cli/doctor/rate-limit";
import { credentialsOf } from "../../../provider/src/cli/doctor/shown-url";

test.each([
  ["https://user:a%20word@host", ["a%20word", "a word"]],
  ["https://token@host", ["token"]],
  ["user:word@host:8080", ["word"]],
  ["postgres://host/x?user=u&password=a+b%21", ["a+b%21", "a+b!", "a b!"]],
  ["azblob://c?sas_token=x%3D%ZZ", ["x%3D%ZZ"]],
  ["s3://bucket?key=a?b#c", ["a", "b", "c"]],
])("the secrets of %s are known, as they are and decoded", (url, secrets) => {
  expect(credentialsOf(url)).toEqual(expect.arrayContaining(secrets));
});

test("a host is no secret", () => {
  expect(credentialsOf("https://host:8080/path").filter((secret) => secret !== "")).toEqual([]);
});

const LEFT = { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "7", "x-ratelimit-reset": "5" };
const said = (rest: string): string => `The server states that ${rest}`;

test.each<[headers: Record<string, string>, sentence: string | undefined]>([
  [LEFT, said("7 of 10 requests are left for the next 5 s.")],
  [{ "ratelimit-remaining": "0" }, said("0 requests are left.")],
  [{ "ratelimit-limit": "100, 100;w=60", "ratelimit-remaining": "99" }, said("99 of 100 requests are left.")],
  [{ ratelimit: "limit=10, remaining=9, reset=4" }, said("9 of 10 requests are left for the next 4 s.")],
  [{ ratelimit: '"default";r=9;t=4' }, said("9 requests are left for the next 4 s.")],
  [{ "x-ratelimit-remaining": "\u001b[2J" }, undefined],
  [{ "x-ratelimit-reset": "3" }, undefined],
  [{}, undefined],
])("what is left of a rate limit is read from %j", (headers, sentence) => {
  expect(statedRateLimit(headers)).toBe(sentence);
});

test("a reset that is a Unix time is shown as seconds", () => {
  const reset = String(Math.ceil(Date.now() / 1000) + 30);
  const sentence = statedRateLimit({ "x-ratelimit-remaining": "1", "x-ratelimit-reset": reset });
  expect(sentence).toMatch(/next (30|31) s\.$/);
});
