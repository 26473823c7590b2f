import { run } from "../../../provider/src/cli/command/command";
import { code } from "../../../provider/src/cli/summary/markdown";
import { readPreview } from "../../../provider/src/cli/summary/preview";
import { summaryOf } from "../../../provider/src/cli/summary/summary";
import { canary, leaks } from "../../kit/canary";
import { tokenOf } from "../../kit/program";
import { PIPE, stackStep, stepOf, summaryOfSteps, update, urnOf } from "./summary-steps";

const summaryOfJson = (json: object, more: object = {}): string =>
  summaryOf(JSON.stringify(json), { maxLength: 9000, ...more });

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const ID = "0a1b2c3d-0000-4000-8000-00000000feed";

test("shows each path that changes with both values", () => {
  const before = { settings: { a: 1, c: 3 }, name: "x", list: [{ n: "a" }], tags: { "a.b": "" } };
  const after = { settings: { a: 2, b: 7 }, name: "x", list: [{ n: "b" }], tags: { "a.b": UNKNOWN } };
  const paths = ["settings.a", "settings.b", "settings.c", "name", "list[0].n", 'tags["a.b"]', "__key"];
  expect(summaryOfSteps([update(before, after, ...paths)])).toBe(`### \`pulumi preview\` of stack \`dev\`

**1 to update**.

#### Update

- Pipe \`orders\`
  - \`settings.a\`: \`1\` → \`2\`
  - \`settings.b\`: \`7\` (new)
  - \`settings.c\`: \`3\` (removed)
  - \`name\`: \`x\` (changed)
  - \`list[0].n\`: \`a\` → \`b\`
  - \`tags["a.b"]\`: \`""\` → \`[unknown]\`
`);
});

test("shows the top-level names where Pulumi gives no detailed diff", () => {
  const step = stepOf("update", { before: { a: 1 }, after: { a: 2 }, more: { diffReasons: ["a"] } });
  expect(summaryOfSteps([step])).toContain("  - `a`: `1` → `2`");
});

test("names the component of resources with one name", () => {
  const inComponent = {
    ...stepOf("create", { after: {} }),
    urn: urnOf("orders", `shop:index:Group$${PIPE}`),
  };
  const text = summaryOfSteps([stepOf("create", { after: {} }), inComponent]);
  expect(text).toContain("- Pipe `orders`\n- Pipe `orders` in `shop:index:Group`\n");
});

test("counts a replacement with all of its steps once, and leaves out what stays the same", () => {
  const operations = ["create-replacement", "replace", "delete-replaced", "same", "read", "refresh"];
  const text = summaryOfSteps(operations.map((op) => stepOf(op, { before: {}, after: {} })));
  expect(text).toContain("\n\n**1 to replace**.\n\n");
  expect(text.match(/Pipe `orders`/g)).toHaveLength(1);
});

const BUCKET = "aws:s3:Bucket";
const NATIVE = tokenOf("Pipe", "native");
const removal = (type: string, state: object) =>
  stepOf("delete", { type, more: { oldState: { type, ...state } } });
const replacement = (state: object, policy: object = {}) =>
  stepOf("replace", {
    before: { a: 1, b: 1 },
    after: { a: 2, b: 2, ...policy },
    more: {
      oldState: { type: PIPE, inputs: { a: 1, b: 1 }, ...state },
      replaceReasons: ["a"],
      detailedDiff: { a: { kind: "update" }, b: { kind: "update" } },
    },
  });
const REPLACED = "- Pipe `orders`\n  - `a`: `1` → `2` (requires the replacement)\n  - `b`: `1` → `2`\n";

test.each<[what: string, step: object, lines: string]>([
  ["a retained pipe", removal(PIPE, { retainOnDelete: true }), "#### Leave unmanaged\n\n- Pipe `orders`\n"],
  [
    "a deleted pipe",
    removal(PIPE, { inputs: { deletionPolicy: "delete" } }),
    "#### Delete\n\n- **Pipe `orders`**\n  - `deletionPolicy`: `delete`\n",
  ],
  [
    "a pipe of the plugin, which retains it without the option of Pulumi",
    removal(NATIVE, {}),
    "#### Leave unmanaged\n\n- Pipe `orders`\n",
  ],
  [
    "a deleted resource of another provider",
    removal(BUCKET, {}),
    `#### Delete\n\n- **\`${BUCKET}\` \`orders\`**\n`,
  ],
  [
    "a replacement that retains",
    replacement({ retainOnDelete: true }),
    `${REPLACED}  - The old resource remains, unmanaged.\n`,
  ],
  [
    "a replacement whose program now retains",
    replacement({ inputs: { a: 1, b: 1, deletionPolicy: "delete" } }),
    `${REPLACED}  - The old resource remains, unmanaged.\n`,
  ],
  [
    "a replacement whose program deletes",
    replacement({}, { deletionPolicy: "delete" }),
    `${REPLACED}  - **Pulumi deletes the old resource.**\n  - \`deletionPolicy\`: \`delete\`\n`,
  ],
  [
    "a new pipe with what it loads",
    stepOf("create", {
      after: {
        source: {
          objectStorage: { azureContainerName: "in", path: "a/*", connectionString: "AccountKey=k" },
        },
        destination: { database: "shop", table: "orders" },
      },
    }),
    "#### Create\n\n- Pipe `orders`\n  - objectStorage `in a/*` → `shop.orders`\n",
  ],
  ["a new pipe", stepOf("create", { after: {} }), "#### Create\n\n- Pipe `orders`\n"],
  ["a type that objects inherit", stepOf("create", { type: "constructor" }), "- `constructor` `orders`\n"],
  [
    "an import",
    stepOf("import", { type: NATIVE, after: {} }),
    "**1 to import**.\n\n#### Import\n\n- Pipe `orders`\n",
  ],
  [
    "an adoption",
    stepOf("create", { after: { adopt: ID } }),
    `**1 to adopt**.\n\n#### Adopt\n\n- Pipe \`orders\`\n  - takes over \`${ID}\`\n`,
  ],
])("the summary of %s ends with these lines", (_, step, lines) => {
  const summary = summaryOfSteps([step]);
  expect(summary.slice(-lines.length)).toBe(lines);
});

test("repeats what the provider logs of an adoption", () => {
  const said = `pipe "orders" adopts the existing pipe ${ID} and changes: settings.a: 8 => 2.`;
  const diagnostics = [said, "another line"].map((message) => ({ message, severity: "info" }));
  const text = summaryOfSteps([stepOf("create", { after: { adopt: ID } })], { diagnostics });
  expect(text).toContain(`  - takes over \`${ID}\`\n  - \`${said}\`\n`);
  expect(text).not.toContain("another line");
});

test("says of a refresh what was changed elsewhere", () => {
  const gone = stepOf("delete", { name: "gone", before: { deletionPolicy: "delete" } });
  const changed = update({ name: "a" }, { name: "b" }, "name");
  const refresh = summaryOfJson({ steps: [stackStep("refresh"), changed, gone] });
  const counts = "**1 deleted elsewhere**, **1 changed elsewhere**.";
  const heading = "#### Changed elsewhere (in the stack → in the service)";
  expect(refresh).toContain(`### \`pulumi refresh\` of stack \`dev\`\n\n${counts}`);
  expect(refresh).toContain("#### Deleted elsewhere\n\n- **Pipe `gone`**\n\n");
  expect(refresh).toContain(`${heading}\n\n- Pipe \`orders\`\n  - \`name\`: \`a\` → \`b\``);
});

test("says that there is nothing to do", () => {
  expect(summaryOfSteps([])).toBe("### `pulumi preview` of stack `dev`\n\nNo changes.\n");
  expect(summaryOfJson({ steps: [] }, { title: "Drift\nof *shop*" })).toBe(
    "### Drift of *shop*\n\nNo changes.\n",
  );
});

test("shows each error and warning once, with the first resources, and that the preview failed", () => {
  const failure = `error: ${PIPE} resource 'orders' has a problem: name is required\n`;
  const warning = { severity: "warning", message: "warning: <b>old</b>\n" };
  const printed = { severity: "info", message: "warning: the process can only print this.\n" };
  const line = { severity: "info", message: "a line of the log" };
  const diagnostics = [
    ...Array.from("abcde", (name) => ({ urn: urnOf(name), severity: "error", message: failure })),
    ...[warning, warning, printed, line],
  ];
  expect(summaryOfJson({ diagnostics })).toBe(`### \`pulumi preview\`

**The command failed.**

#### Errors

- **Pipe \`a\`, Pipe \`b\`, Pipe \`c\` and 2 more: \`name is required\`**

#### Warnings

- \`<b>old</b>\`
- \`the process can only print this.\`
`);
  expect(summaryOfSteps([stepOf("create", { after: {} })], { diagnostics })).toContain(
    "**The command failed.** Before the error: **1 to create**.",
  );
});

test.each([
  { maxLength: 9000, deletions: 40, warnings: 1, updates: 40, creates: 40, omitted: undefined },
  { maxLength: 3600, deletions: 40, warnings: 1, updates: 40, creates: 25, omitted: "15" },
  { maxLength: 2700, deletions: 40, warnings: 1, updates: 18, creates: 0, omitted: "62" },
  { maxLength: 900, deletions: 13, warnings: 0, updates: 0, creates: 0, omitted: "108" },
  { maxLength: 200, deletions: 0, warnings: 0, updates: 0, creates: 0, omitted: "121" },
])("in $maxLength characters, leaves out creates first and deletions last", ({ maxLength, ...expected }) => {
  const steps = ["create", "delete", "update"].flatMap((op) =>
    Array.from({ length: 40 }, (_, index) =>
      stepOf(op, { name: `${op} ${index}`, before: { deletionPolicy: "delete" }, after: {} }),
    ),
  );
  const text = summaryOfSteps(steps, { diagnostics: [{ severity: "warning", message: "w" }] }, maxLength);
  const deletions = text.match(/Pipe `delete /g)?.length ?? 0;
  const warnings = text.match(/- `w`/g)?.length ?? 0;
  const updates = text.match(/Pipe `update /g)?.length ?? 0;
  const creates = text.match(/Pipe `create /g)?.length ?? 0;
  const omitted = /\n… and (\d+) more, too long for a comment/.exec(text)?.[1];
  expect({ deletions, warnings, updates, creates, omitted }).toEqual(expected);
  expect(text).toContain("**40 to delete**, **40 to update**, **40 to create**.");
  expect(text.length).toBeLessThanOrEqual(maxLength);
});

test.each([
  ["orders", "`orders`"],
  ["a`b``c", "```a`b``c```"],
  ["`", "`` ` ``"],
  [" x", "`  x `"],
  ["", "`  `"],
  ["a\nb\u202ec", "`a\\u000ab\\u202ec`"],
  ["<img src=x> @t #1 **b** [l](http://x)", "`<img src=x> @t #1 **b** [l](http://x)`"],
  ["\ud800", "`\\ud800`"],
])("writes %j as code", (text, expected) => {
  expect(code(text)).toBe(expected);
});

test.each([
  ["", "The input is not complete JSON. Check the log of `pulumi preview --json`."],
  ['{"steps": [', "The input is not complete JSON. Check the log of `pulumi preview --json`."],
  ['{"name": "x"}', "The input is not the output of `pulumi preview --json`. Check the log of that command."],
  [
    '{"steps": [{"op": 1}]}',
    "The input is not the output of `pulumi preview --json`. Check the log of that command.",
  ],
])("refuses %j", (text, message) => {
  expect(() => readPreview(text)).toThrow(message);
});

/** As the engine marks a secret, with its value as JSON. */
const markedSecret = (plaintext: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext,
});
const secret = (value: unknown) => markedSecret(JSON.stringify(value));

test("shows no secret of a JSON made with --show-secrets, also where a message repeats it", () => {
  const password = canary("password");
  const key = canary("key");
  const token = canary("token");
  const text = canary("text");
  const configured = canary("configured");
  const before = {
    source: { kafka: { credentials: { username: "u", password } } },
    marked: secret({ deep: [token] }),
    list: [{ secretKey: key }],
    text: secret(`AccountName=a;AccountKey=${text}`),
    repeated: `a ${password} b`,
  };
  const below = ["", ".credentials", ".credentials.password"].map((path) => `source.kafka${path}`);
  const paths = [...below, "marked", "marked.plaintext", "list[0]", "list", "text", "repeated"];
  const markdown = summaryOfSteps([update(before, { marked: 1 }, ...paths)], {
    config: { "datapipes:apiKeySecret": configured },
    diagnostics: [
      { severity: "warning", message: `it said ${[password, key, token, configured].join(" and ")}` },
    ],
  });
  expect(leaks({ markdown }, [password, key, token, text, configured])).toEqual([]);
  expect(markdown).toContain("`source.kafka.credentials.password`: `[secret]` (removed)");
  expect(markdown).toContain("`marked`: `[secret]` → `1`");
  expect(markdown).toContain("`repeated`: `a [secret] b` (removed)");
});

test.each([
  ["whose value is not JSON", "{canary-text"],
  ["whose value is cut off", '"canary-text'],
  ["without a value", undefined],
])("masks a secret %s, also in a message", (_, plaintext) => {
  const step = update({ marked: markedSecret(plaintext) }, { marked: 1 }, "marked");
  const message = `the server objects to ${plaintext ?? "it"}`;
  const markdown = summaryOfSteps([step], { diagnostics: [{ severity: "warning", message }] });
  expect(markdown).toContain("- `marked`: `[secret]` → `1`\n");
  expect(markdown).not.toContain("canary-text");
});

/** What some runner of a pipeline takes for a command. */
const COMMAND = /##\w*\[|^\s*::/m;
const COMMANDS = ["##[command]a", "##vso[task.setvariable variable=PATH]a", "::error::a", "a\n::add-mask::b"];

test.each(COMMANDS)("prints no command to the runner of a pipeline: %j", async (command) => {
  const printed: string[] = [];
  const print = (line: string): void => void printed.push(line);
  for (const args of [["summary", command], ["status", "--watch", command], [command]])
    await run(args, { result: print, progress: print });
  expect(printed.length).toBeGreaterThanOrEqual(3);
  expect(printed.join("")).not.toMatch(COMMAND);
});
