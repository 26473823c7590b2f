import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { readProject } from "../../../provider/src/cli/doctor/project";
import { checkStart } from "../../../provider/src/cli/doctor/start";
import { statedRateLimit } from "../../../provider/src/cli/doctor/rate-limit";
import { credentialsOf } from "../../../provider/src/cli/doctor/shown-url";
import { temporaryFolder } from "../../../testkit/started";

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

const TS = { "package.json": '{ "main": "index.ts" }' };
const NO_CHECK = { ...TS, "tsconfig.json": '{ "noCheck": true } // as it is built' };

test.each<[project: string, files: Record<string, string>, message: RegExp]>([
  ["runtime: nodejs", TS, /type-checks .*PULUMI_NODEJS_TRANSPILE_ONLY.* From Node 22/],
  ["runtime: { name: nodejs }", {}, /type-checks/],
  ["runtime: nodejs\nmain: bin/a.ts", { "bin/a.ts": "", "bin/index.js": "" }, /type-checks/],
  ["runtime: nodejs", { "package.json": '{"main": "index.js"}', "index.ts": "" }, /type-checks/],
  ["runtime: nodejs", NO_CHECK, /does not type-check/],
  ["runtime: nodejs\nmain: bin", { "bin/index.js": "" }, /does not type-check/],
  ["runtime: { name: nodejs, options: { typescript: false } }", TS, /does not type-check/],
  ["runtime: yaml", {}, /^undefined$/],
  ["name: pipes", {}, /^undefined$/],
])("the advice on the start of %j with %j fits", async (project, files, message) => {
  const folder = await temporaryFolder("start");
  await mkdir(path.join(folder, "bin"));
  for (const [name, text] of Object.entries({ "Pulumi.yaml": project, ...files }))
    await writeFile(path.join(folder, name), text);
  const [found] = checkStart(readProject(folder), "20.19.0");
  expect(String(found?.message)).toMatch(message);
  if (found) expect(checkStart(readProject(folder), "22.1.0")[0]?.message).toContain("NODE_COMPILE_CACHE=<");
});
