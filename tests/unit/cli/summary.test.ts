import { code, excerpt, shownText } from "../../../provider/src/cli/summary/markdown";
import { decoded, readPreview, stepsOf } from "../../../provider/src/cli/summary/preview";
import { partsOf } from "../../../provider/src/resource-urn";
import { summaryOf } from "../../../provider/src/cli/summary/summary";
import { PIPE, stackStep, stepOf, summaryOfSteps, update, urnOf } from "../../../testkit/summary-steps";

test.each([
  ["orders", "`orders`"],
  ["a`b``c", "```a`b``c```"],
  ["`", "`` ` ``"],
  [" x", "`  x `"],
  ["", "`  `"],
  ["a\nb\u202ec", "`a\\u000ab\\u202ec`"],
  [
    "<img src=x onerror=alert(1)> @team #1 **b** [l](http://x)",
    "`<img src=x onerror=alert(1)> @team #1 **b** [l](http://x)`",
  ],
  ["\ud800", "`\\ud800`"],
  ["\u{e0041}", "`\\udb40\\udc41`"],
])("writes %j as code", (text, expected) => {
  expect(code(text)).toBe(expected);
});

test("shows values as code: texts as they are, others as JSON, long ones shortened", () => {
  expect(shownText("a")).toBe("a");
  expect(shownText("")).toBe('""');
  expect(shownText(5)).toBe("5");
  expect(shownText({ a: ["b"] })).toBe('{"a":["b"]}');
  expect(excerpt("x".repeat(161))).toBe(`\`${"x".repeat(160)}\` … (161 characters)`);
  expect(excerpt("x".repeat(160))).toBe(`\`${"x".repeat(160)}\``);
});

test("reads the paths of a detailed diff", () => {
  expect(stepsOf("source.kafka.topics")).toEqual(["source", "kafka", "topics"]);
  expect(stepsOf("ipAccessList[1].source")).toEqual(["ipAccessList", 1, "source"]);
  expect(stepsOf('tags["a.b"][0]["c\\"d"]')).toEqual(["tags", "a.b", 0, 'c"d']);
});

test("reads type and name of a URN, also of a resource in a component and of a name with the separator", () => {
  expect(partsOf(urnOf("a::b", `my:Feed$${PIPE}`))).toEqual({
    stack: "dev",
    parents: ["my:Feed"],
    type: PIPE,
    name: "a::b",
  });
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

test.each<[encoding: string, bytes: Buffer]>([
  ["UTF-8", Buffer.from('{"steps": ["é"]}')],
  ["UTF-8 with a byte order mark", Buffer.from('\ufeff{"steps": ["é"]}')],
  ["UTF-16 of Windows PowerShell", Buffer.from('\ufeff{"steps": ["é"]}', "utf16le")],
  ["UTF-16 with the bytes swapped", Buffer.from('\ufeff{"steps": ["é"]}', "utf16le").swap16()],
])("decodes %s", (_, bytes) => {
  expect(decoded(bytes)).toBe('{"steps": ["é"]}');
});

test("skips lines after the JSON", () => {
  const json = '{"steps": [], "config": {"a": "} \\" }", "b": "\\\\"}}';
  expect(readPreview(`${json}\n}\nnpm notice {"a": 1}\n`).config).toEqual({ a: '} " }', b: "\\" });
});

test("skips lines before the JSON", () => {
  expect(readPreview('> npm run preview\n{"steps": []}').steps).toEqual([]);
});

test("shows each field that changes with both values", () => {
  const before = { settings: { a: 1, c: 3 }, name: "x" };
  const after = { settings: { a: 2, b: 7 }, name: "x" };
  const steps = [update(before, after, "settings.a", "settings.b", "settings.c", "name")];
  expect(summaryOfSteps(steps)).toBe(`### \`pulumi preview\` of stack \`dev\`

**1 to update**.

#### Update

- Pipe \`orders\`
  - \`settings.a\`: \`1\` → \`2\`
  - \`settings.b\`: \`7\` (new)
  - \`settings.c\`: \`3\` (removed)
  - \`name\`: \`x\` (changed)
`);
});

test("shows the top-level names where Pulumi gives no detailed diff", () => {
  const step = stepOf("update", { before: { a: 1 }, after: { a: 2 }, more: { diffReasons: ["a"] } });
  expect(summaryOfSteps([step])).toContain("  - `a`: `1` → `2`");
});

describe("what becomes of a resource", () => {
  const retained = { retainOnDelete: true };
  const old = (more: object) => ({ oldState: { type: PIPE, inputs: {}, ...more } });
  const both = (before: object, after: object) => ({
    ...old(before),
    newState: { type: PIPE, inputs: {}, ...after },
    detailedDiff: {},
  });

  test.each<[what: string, step: object, lines: string]>([
    ["a deletion", stepOf("delete", { more: old({}) }), "#### Delete\n\n- Pipe `orders`\n"],
    [
      "a removal that retains",
      stepOf("delete", { more: old(retained) }),
      "#### Leave unmanaged\n\n- Pipe `orders`\n  - stays as it is,",
    ],
    [
      "a replacement that deletes",
      stepOf("replace", { more: both(retained, {}) }),
      "  - The old one is deleted.",
    ],
    [
      "a replacement that retains",
      stepOf("replace", { more: both({}, retained) }),
      "  - The old one stays, unmanaged.",
    ],
    [
      "a replacement of another provider's resource, which follows the state",
      stepOf("replace", {
        type: "aws:s3:Bucket",
        more: {
          oldState: { type: "aws:s3:Bucket", retainOnDelete: true },
          newState: { type: "aws:s3:Bucket" },
        },
      }),
      "- `aws:s3:Bucket` `orders`\n  - The old one stays, unmanaged.",
    ],
    [
      "an adoption",
      stepOf("create", { after: { adopt: "some-id" } }),
      "#### Adopt\n\n- Pipe `orders`\n  - takes over `some-id`, which exists\n",
    ],
    [
      "a creation",
      stepOf("create", { after: { source: { kafka: {} }, destination: { database: "d", table: "t" } } }),
      "#### Create\n\n- Pipe `orders`\n  - reads from `kafka`, loads into `d.t`\n",
    ],
    [
      "a creation with unknown values",
      stepOf("create", { after: { source: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" } }),
      "#### Create\n\n- Pipe `orders`\n",
    ],
    ["an import", stepOf("import", { after: {} }), "#### Import\n\n- Pipe `orders`\n"],
  ])("says it of %s", (_, step, lines) => {
    expect(summaryOfSteps([step])).toContain(lines);
  });
});

test("counts a replacement with all of its steps once, and leaves out what stays the same", () => {
  const states = { before: {}, after: {} };
  const operations = ["create-replacement", "replace", "delete-replaced", "same", "read", "refresh"];
  const text = summaryOfSteps(operations.map((op) => stepOf(op, states)));
  expect(text).toContain("\n\n**1 to replace**.\n\n");
  expect(text.match(/Pipe `orders`/g)).toHaveLength(1);
});

test("marks the field that requires a replacement", () => {
  const step = stepOf("replace", {
    before: { a: 1, b: 1 },
    after: { a: 2, b: 2 },
    more: { replaceReasons: ["a"], detailedDiff: { a: { kind: "update" }, b: { kind: "update" } } },
  });
  expect(summaryOfSteps([step])).toContain("`a`: `1` → `2` (requires the replacement)\n  - `b`: `1` → `2`\n");
});

test("says of a refresh what was changed elsewhere, and of a destroy what goes", () => {
  const steps = [
    update({ name: "a" }, { name: "b" }, "name"),
    stepOf("delete", { name: "gone", before: {} }),
  ];
  const refresh = summaryOf(JSON.stringify({ steps: [stackStep("refresh"), ...steps] }), { maxLength: 9000 });
  expect(refresh).toContain(
    "### `pulumi refresh` of stack `dev`\n\n**1 no longer there**, **1 changed elsewhere**.",
  );
  expect(refresh).toContain(
    "#### Changed elsewhere (in the stack → in the service)\n\n- Pipe `orders`\n  - `name`: `a` → `b`",
  );
  const destroy = summaryOf(JSON.stringify({ steps: [stackStep("delete"), ...steps.slice(1)] }), {
    maxLength: 9000,
  });
  expect(destroy).toContain("### `pulumi destroy` of stack `dev`\n\n**1 to delete**.");
});

test("says that there is nothing to do", () => {
  expect(summaryOfSteps([])).toBe("### `pulumi preview` of stack `dev`\n\nThere is nothing to do.\n");
  const refresh = JSON.stringify({ steps: [stackStep("refresh")] });
  expect(summaryOf(refresh, { maxLength: 9000, title: "Drift\nof *shop*" })).toBe(
    "### Drift of *shop*\n\nThe service is as the stack has it.\n",
  );
});

test("says of a refresh what it did not compare", () => {
  const message = (words: string) => ({ severity: "info", message: `info: ${words}\n`, urn: urnOf("main") });
  const [nothing, none] = [
    "service s: no operation reads them. The refresh compared nothing, and the state keeps the last response.",
    "The refresh compared none of them.",
  ];
  const diagnostics = [nothing, none, "a line of the log"].map(message);
  const of = (op: string) =>
    summaryOf(JSON.stringify({ steps: [stackStep(op)], diagnostics }), { maxLength: 9000 });
  expect(of("refresh")).toMatch(/\.\n\n#### Not compared\n\n/);
  expect(of("refresh")).toContain(`\n\n- Pipe \`main\`: \`${nothing}\`\n- Pipe \`main\`: \`${none}\`\n`);
  expect(of("same")).not.toContain("compared");
});

test("shows each error and warning once, of which resource, and that the preview failed", () => {
  const of = { urn: urnOf("orders") };
  const diagnostics = [
    {
      ...of,
      severity: "error",
      message: `error: ${PIPE} resource 'orders' has a problem: name is required\n`,
    },
    { severity: "warning", message: "warning: <b>old</b>\n" },
    { severity: "warning", message: "warning: <b>old</b>\n" },
    { severity: "info", message: "a line of the log" },
  ];
  const text = summaryOf(JSON.stringify({ diagnostics }), { maxLength: 9000 });
  expect(text).toBe(
    "### `pulumi preview`\n\n**It failed.**\n\n#### Errors\n\n- Pipe `orders`: `name is required`\n\n#### Warnings\n\n- `<b>old</b>`\n",
  );
  expect(summaryOfSteps([stepOf("create", { after: {} })], { diagnostics })).toContain(
    "**It failed.** Up to the error: **1 to create**.",
  );
});

test.each([
  [
    "and changes: settings.dbmsMaxThreads: 8 => 2; name: `a`.",
    "changes `` settings.dbmsMaxThreads: 8 => 2; name: `a` ``",
  ],
  ["and changes: source.kafka.credentials: [secret].", "changes `source.kafka.credentials: [secret]`"],
])("says what an adoption changes: the preview shows the resource as new (%s)", (effect, shown) => {
  const message = `pipe "orders" adopts the existing pipe "old" (some-id) ${effect}\n`;
  const text = summaryOfSteps([stepOf("create", { after: { adopt: "some-id" } })], {
    diagnostics: [{ message, severity: "info" }],
  });
  expect(text).toContain(`\n  - takes over \`some-id\`, which exists\n  - ${shown}\n`);
});

test("says of an adoption that it changes nothing", () => {
  const message = `pipe "orders" adopts the existing pipe some-id as it is; the provider sends nothing.\n`;
  const text = summaryOfSteps([stepOf("create", { after: { adopt: "some-id" } })], {
    diagnostics: [{ message, severity: "info" }],
  });
  expect(text).toContain("\n  - takes over `some-id`, which exists, and changes nothing in it\n");
});

test("shows the warnings of the provider, which its process can only print", () => {
  const diagnostics = [{ severity: "info", message: "warning: the program no longer declares settings.\n" }];
  expect(summaryOf(JSON.stringify({ diagnostics }), { maxLength: 9000 })).toContain(
    "#### Warnings\n\n- `the program no longer declares settings.`\n",
  );
});

test("shows an error of many resources once, with the first names", () => {
  const diagnostics = ["a", "b", "c", "d", "e"].map((name) => ({
    urn: urnOf(name),
    severity: "error",
    message: "error: list the pipes failed.",
  }));
  expect(summaryOf(JSON.stringify({ diagnostics }), { maxLength: 9000 })).toContain(
    "- Pipe `a`, Pipe `b`, Pipe `c` and 2 more: `list the pipes failed.`\n",
  );
});

test("cuts at a line what is too long for a comment", () => {
  const steps = Array.from({ length: 100 }, (_, index) =>
    stepOf("create", { name: `pipe ${index}`, after: {} }),
  );
  const text = summaryOfSteps(steps, {}, 500);
  expect(text.length).toBeLessThanOrEqual(500);
  expect(text).toMatch(
    /- Pipe `pipe \d+`\n\n… The summary is too long for a comment: see the log of the job\.\n$/,
  );
});

test("cuts no heading from its lines", () => {
  const steps = [stepOf("delete", { before: {} }), stepOf("create", { name: "x".repeat(400), after: {} })];
  const text = summaryOfSteps(steps, {}, 250);
  expect(text).toMatch(/#### Delete\n\n- Pipe `orders`\n\n… The summary is too long/);
  const endless = summaryOfSteps(steps.slice(1), {}, 200);
  expect(endless).toMatch(/\*\*1 to create\*\*\.\n\n… The summary is too long/);
});
