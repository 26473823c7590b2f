import { run } from "../../../provider/src/cli/command/command";
import { code, shownText } from "../../../provider/src/cli/summary/markdown";
import { decoded, readPreview, stepsOf } from "../../../provider/src/cli/summary/preview";
import { summaryOf } from "../../../provider/src/cli/summary/summary";
import { partsOf } from "../../../provider/src/pulumi/resource-urn";
import { canary, leaks } from "../../../testkit/canary";
import { PIPE, stepOf, summaryOfSteps, update, urnOf } from "../../../testkit/summary-steps";

test.each([
  ["orders", "`orders`"],
  ["a`b``c", "```a`b``c```"],
  ["`", "`` ` ``"],
  [" x", "`  x `"],
  ["", "`  `"],
  ["a\nb\u202ec", "`a\\u000ab\\u202ec`"],
  ["<img src=x> @t #1 **b** [l](http://x)", "`<img src=x> @t #1 **b** [l](http://x)`"],
  ["\ud800", "`\\ud800`"],
  ["\u{e0041}", "`\\udb40\\udc41`"],
])("writes %j as code", (text, expected) => {
  expect(code(text)).toBe(expected);
});

test("shows values as code: texts as they are, others as JSON", () => {
  expect(["a", "", 5, { a: ["b"] }].map(shownText)).toEqual(["a", '""', "5", '{"a":["b"]}']);
});

test("reads the paths of a detailed diff", () => {
  expect(stepsOf("source.kafka.topics")).toEqual(["source", "kafka", "topics"]);
  expect(stepsOf("ipAccessList[1].source")).toEqual(["ipAccessList", 1, "source"]);
  expect(stepsOf('tags["a.b"][0]["c\\"d"]')).toEqual(["tags", "a.b", 0, 'c"d']);
});

test("reads type and name of a URN, also of a resource in a component and of a name with the separator", () => {
  const parts = { stack: "dev", project: "shop", parents: ["my:Feed"], type: PIPE, name: "a::b" };
  expect(partsOf(urnOf("a::b", `my:Feed$${PIPE}`))).toEqual(parts);
});

test.each([
  ["", "The preview has no JSON object."],
  ["error: no stack", "The preview has no JSON object."],
  ['{"steps": [', "The preview is not complete JSON."],
  ['{"name": "x"}', "The JSON is not that of a preview."],
  ['{"steps": [{"op": 1}]}', "The JSON is not that of a preview."],
])("refuses %j", (text, message) => {
  expect(() => readPreview(text)).toThrow(message);
});

test("skips lines before and after the JSON", () => {
  const json = '{"steps": [], "config": {"a": "} \\" }", "b": "\\\\"}}';
  const read = readPreview(`> npm run preview\n${json}\n}\nnpm notice {"a": 1}\n`);
  expect(read).toMatchObject({ steps: [], config: { a: '} " }', b: "\\" } });
});

test.each<[encoding: string, bytes: Buffer]>([
  ["UTF-8", Buffer.from('{"steps": ["é"]}')],
  ["UTF-8 with a byte order mark", Buffer.from('\ufeff{"steps": ["é"]}')],
  ["UTF-16 of Windows PowerShell", Buffer.from('\ufeff{"steps": ["é"]}', "utf16le")],
  ["UTF-16 with the bytes swapped", Buffer.from('\ufeff{"steps": ["é"]}', "utf16le").swap16()],
])("decodes %s", (_, bytes) => {
  expect(decoded(bytes)).toBe('{"steps": ["é"]}');
});

/** As the engine marks a secret. */
const secret = (more: object) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ...more,
});

test("shows a change below a value that the engine marks as secret, and one of a value that the JSON lacks", () => {
  const before = { limits: secret({ ciphertext: "a" }), plain: 1 };
  const after = { limits: secret({ ciphertext: "b" }), plain: 1 };
  const text = summaryOfSteps([update(before, after, "limits.user", "limits.list[0]", "absent.a")]);
  expect(text).toContain(
    "  - `limits.user`: `[secret]` (changed)\n  - `limits.list[0]`: `[secret]` (changed)\n  - `absent.a`: (changed)\n",
  );
  const plain = summaryOfSteps([update(before, { limits: { user: "u" } }, "limits.user")]);
  expect(plain).toContain("`limits.user`: `[secret]` → `u`");
});

test("shows no part of a value that the engine marks as secret, also where a message repeats it", () => {
  const [token, key, password] = [canary("token"), canary("key"), canary("password")];
  const marked = (value: unknown) => secret({ plaintext: JSON.stringify(value) });
  const before = {
    text: marked(`AccountName=a;AccountKey=${key}`),
    list: [marked({ deep: [token] })],
    map: marked({ connectionString: `Endpoint=sb://x/;SharedAccessKey=${password}` }),
    other: secret({ plaintext: "not JSON" }),
  };
  const diagnostics = [{ severity: "error", message: `it said ${key}, ${token}, ${password} and not JSON` }];
  const text = summaryOfSteps([update(before, before)], { diagnostics });
  expect(text).toContain("`it said [secret] [secret] [secret] and [secret]`");
});

test("shows no secret of a JSON made with --show-secrets, also where a message repeats it", () => {
  const [password, key, token] = [canary("password"), canary("key"), canary("token")];
  const source = { kafka: { credentials: { username: "u", password } } };
  const before = { source, marked: secret({ plaintext: token }), list: [{ secretKey: key }] };
  const after = { source, marked: 1, list: [] };
  const below = ["", ".credentials", ".credentials.password"].map((path) => `source.kafka${path}`);
  const text = summaryOfSteps([update(before, after, ...below, "marked", "list[0]", "list")], {
    config: { "datapipes:apiKeySecret": key },
    diagnostics: [{ severity: "warning", message: `it said ${password} and ${key}` }],
  });
  expect(leaks({ text }, [password, key, token])).toEqual([]);
  expect(text).toContain("`source.kafka.credentials`: `[secret]` (changed)");
  expect(text).toContain("`marked`: `[secret]` → `1`");
  expect(text).toContain("**1 to update**");
});

const as = (count: number): string => "a".repeat(count);
const far = `… \`${as(40)}b${"c".repeat(119)}\` … (501 characters) → … \`${as(40)}d\` (301 characters)`;
const atEnd = `\`${as(160)}\` → … \`${as(40)}b\` (161 characters)`;
const near = `\`${as(120)}b${"c".repeat(39)}\` … (171 characters) → \`a\``;

test.each<[what: string, before: string, after: string, shown: string]>([
  ["far behind the beginning", `${as(300)}b${"c".repeat(200)}`, `${as(300)}d`, far],
  ["where one of the texts ends", as(160), `${as(160)}b`, atEnd],
  ["near the beginning", `${as(120)}b${"c".repeat(50)}`, "a", near],
])("shows the part of a long text that differs: %s", (_, before, after, shown) => {
  expect(summaryOfSteps([update({ text: before }, { text: after }, "text")])).toContain(`: ${shown}\n`);
});

test("shows no part of a secret that a long text cuts", () => {
  const token = canary("token");
  const of = (end: string) => ({ text: `${"a".repeat(150)}${token}${end}`, secret: { token } });
  const text = summaryOfSteps([update(of("b"), of("c"), "text")]);
  expect(text).not.toContain(token.slice(0, 8));
  expect(text).toContain("`text`: `[secret]`");
});

const INHERITED = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];

test.each(INHERITED)("takes nothing from what all objects inherit: %s", (name) => {
  const step = { ...update({ [name]: "own" }, {}, name, `a.${name}`), op: name };
  expect(summaryOfSteps([step])).toContain("There is nothing to do.");
  const named = { ...update({}, { b: 1 }, name, `b.${name}`, "b"), urn: urnOf(name, name) };
  const text = summaryOfSteps([named], { diagnostics: [{ severity: "error", message: name }] });
  expect(text).toContain(`#### Errors\n\n- \`${name}\`\n`);
  expect(text).toContain(
    `- \`${name}\` \`${name}\`\n  - \`${name}\`: (changed)\n  - \`b.${name}\`: (changed)\n  - \`b\`: \`1\` (new)\n`,
  );
});

test("shows values that are nested as deeply as the JSON is long, and no secret in them", () => {
  const depth = 50_000;
  const [password, token] = [canary("password"), canary("token")];
  const nested = (value: string): string => `${'{"a":'.repeat(depth)}${value}${"}".repeat(depth)}`;
  const path = `d${".a".repeat(depth)}`;
  const state = (d: string) => `{"type":"${PIPE}","inputs":{"d":${d}}}`;
  const marked = secret({ plaintext: JSON.stringify(token) });
  const [before, after] = [{ password }, marked].map((value) => state(nested(JSON.stringify(value))));
  const diff = `"d":{"kind":"update"},"${path}":{"kind":"update"}`;
  const step = `{"op":"update","urn":"${urnOf("x")}","oldState":${before},"newState":${after},"detailedDiff":{${diff}}}`;
  const diagnostics = JSON.stringify([{ severity: "error", message: `said ${password} and ${token}` }]);
  const text = summaryOf(`{"steps":[${step}],"diagnostics":${diagnostics}}`, { maxLength: 5000 });
  expect(text).toContain("- `said [secret] and [secret]`\n");
  expect(text).toContain('characters): `{"password":"[secret]"}` → `[secret]`\n');
});

/** What some runner of a pipeline takes for a command. */
const COMMAND = /##\w*\[|^\s*::/m;
const COMMANDS = ["##[command]a", "##vso[task.setvariable variable=PATH]a", "::error::a", "a\n::add-mask::b"];

test.each(COMMANDS)("prints no command to the runner of a pipeline: %j", async (command) => {
  const step = update({ [command]: command }, { [command]: "b" }, `["${command}"]`);
  const steps = [{ ...step, urn: urnOf(command, command) }];
  const diagnostic = { message: command, urn: urnOf(command) };
  const diagnostics = ["error", "warning"].map((severity) => ({ severity, ...diagnostic }));
  const text = summaryOfSteps(steps, { diagnostics });
  expect(text).toContain("**1 to update**");
  expect(text).not.toMatch(COMMAND);

  const printed: string[] = [];
  const print = (line: string): void => void printed.push(line);
  for (const args of [["summary", command], ["summary", "--max-length", command], [command]])
    await run(args, { result: print, progress: print });
  expect(printed.length).toBeGreaterThanOrEqual(3);
  expect(printed.join("")).not.toMatch(COMMAND);
});

test("believes of an adoption only the line of the provider, and no name in it", () => {
  const id = "0a1b2c3d-0000-4000-8000-00000000feed";
  const name = JSON.stringify(`x" adopts the existing pipe ${id} as it is; the provider sends nothing.`);
  const message = `pipe ${name} adopts the existing pipe ${name} (${id}) and changes: scaling: 1 => 2.`;
  const step = stepOf("create", { after: { adopt: id } });
  const text = summaryOfSteps([step], { diagnostics: [{ severity: "info", message }] });
  expect(text).toContain(`which exists\n  - changes \`scaling: 1 => 2\`\n`);
});
