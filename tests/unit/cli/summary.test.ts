import { summaryOf } from "../../../provider/src/cli/summary/summary";
import { PIPE, stackStep, stepOf, summaryOfSteps, update, urnOf } from "../../../testkit/summary-steps";

const summaryOfJson = (json: object, more: object = {}): string =>
  summaryOf(JSON.stringify(json), { maxLength: 9000, ...more });

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

const creation = (after: object) => stepOf("create", { after });

test("counts a replacement with all of its steps once, and leaves out what stays the same", () => {
  const operations = ["create-replacement", "replace", "delete-replaced", "same", "read", "refresh"];
  const text = summaryOfSteps(operations.map((op) => stepOf(op, { before: {}, after: {} })));
  expect(text).toContain("\n\n**1 to replace**.\n\n");
  expect(text.match(/Pipe `orders`/g)).toHaveLength(1);
});

test("marks the field that requires a replacement", () => {
  const more = { replaceReasons: ["a"], detailedDiff: { a: { kind: "update" }, b: { kind: "update" } } };
  const step = stepOf("replace", { before: { a: 1, b: 1 }, after: { a: 2, b: 2 }, more });
  expect(summaryOfSteps([step])).toContain("`a`: `1` → `2` (requires the replacement)\n  - `b`: `1` → `2`\n");
});

test("says of a refresh what was changed elsewhere, and of a destroy what goes", () => {
  const gone = stepOf("delete", { name: "gone", before: { deletionPolicy: "delete" } });
  const changed = update({ name: "a" }, { name: "b" }, "name");
  const refresh = summaryOfJson({ steps: [stackStep("refresh"), changed, gone] });
  const counts = "**1 no longer there**, **1 changed elsewhere**.";
  const heading = "#### Changed elsewhere (in the stack → in the service)";
  expect(refresh).toContain(`### \`pulumi refresh\` of stack \`dev\`\n\n${counts}`);
  expect(refresh).toContain(`${heading}\n\n- Pipe \`orders\`\n  - \`name\`: \`a\` → \`b\``);
  const destroy = "### `pulumi destroy` of stack `dev`\n\n**1 to delete**.";
  expect(summaryOfJson({ steps: [stackStep("delete"), gone] })).toContain(destroy);
  expect(summaryOfJson({ steps: [gone] })).toContain(destroy);
});

test("says that there is nothing to do", () => {
  expect(summaryOfSteps([])).toBe("### `pulumi preview` of stack `dev`\n\nThere is nothing to do.\n");
  expect(summaryOfJson({ steps: [stackStep("refresh")] }, { title: "Drift\nof *shop*" })).toBe(
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
  const of = (op: string) => summaryOfJson({ steps: [stackStep(op)], diagnostics });
  expect(of("refresh")).toMatch(/\.\n\n#### Not compared\n\n/);
  expect(of("refresh")).toContain(`\n\n- Pipe \`main\`: \`${nothing}\`\n- Pipe \`main\`: \`${none}\`\n`);
  expect(of("same")).not.toContain("compared");
});

test("shows each error and warning once, of which resource, and that the preview failed", () => {
  const failure = `error: ${PIPE} resource 'orders' has a problem: name is required\n`;
  const warning = { severity: "warning", message: "warning: <b>old</b>\n" };
  const line = { severity: "info", message: "a line of the log" };
  const diagnostics = [{ urn: urnOf("orders"), severity: "error", message: failure }, warning, warning, line];
  expect(summaryOfJson({ diagnostics })).toBe(
    "### `pulumi preview`\n\n**It failed.**\n\n#### Errors\n\n- Pipe `orders`: `name is required`\n\n#### Warnings\n\n- `<b>old</b>`\n",
  );
  const partial = summaryOfSteps([creation({})], { diagnostics });
  expect(partial).toContain("**It failed.** Up to the error: **1 to create**.");
});

test("shows the warnings of the provider, which its process can only print", () => {
  const diagnostics = [{ severity: "info", message: "warning: the settings are kept.\n" }];
  expect(summaryOfJson({ diagnostics })).toContain("#### Warnings\n\n- `the settings are kept.`\n");
});

test("shows an error of many resources once, with the first names", () => {
  const failure = { severity: "error", message: "error: list the pipes failed." };
  const diagnostics = Array.from("abcde", (name) => ({ urn: urnOf(name), ...failure }));
  const names = "- Pipe `a`, Pipe `b`, Pipe `c` and 2 more";
  expect(summaryOfJson({ diagnostics })).toContain(`${names}: \`list the pipes failed.\`\n`);
});

const CHANGES = 'pipe "orders" adopts the existing pipe "old" (some-id) and changes: ';

const AS_IT_IS = 'pipe "orders" adopts the existing pipe some-id as it is; the provider sends nothing.';

test.each([
  [`${CHANGES}settings.a: 8 => 2; name: \`a\`.`, "\n  - changes `` settings.a: 8 => 2; name: `a` ``"],
  [`${CHANGES}source.kafka.credentials: [secret].`, "\n  - changes `source.kafka.credentials: [secret]`"],
  [AS_IT_IS, ", and changes nothing in it"],
])("says what an adoption changes: the preview shows the resource as new (%s)", (message, shown) => {
  const diagnostics = [{ message: `${message}\n`, severity: "info" }];
  const text = summaryOfSteps([creation({ adopt: "some-id" })], { diagnostics });
  expect(text).toContain(`\n  - takes over \`some-id\`, which exists${shown}\n`);
});

const TOO_LONG = "… The summary is too long for a comment: see the log of the job.\n";

test("cuts at a line what is too long for a comment, and no heading from its lines", () => {
  const named = (name: string) => stepOf("create", { name, after: {} });
  const pipes = Array.from({ length: 100 }, (_, index) => named(`p ${index}`));
  const text = summaryOfSteps(pipes, {}, 500);
  expect(text.length).toBeLessThanOrEqual(500);
  expect(text.endsWith(`\`\n\n${TOO_LONG}`)).toBe(true);
  expect(text).toMatch(/- Pipe `p \d+`\n\n… /);
  const long = named("x".repeat(400));
  const deletion = stepOf("delete", { before: { deletionPolicy: "delete" } });
  expect(summaryOfSteps([deletion, long], {}, 250)).toMatch(
    /#### Delete\n\n- Pipe `orders`\n\n… The summary/,
  );
  expect(summaryOfSteps([long], {}, 200)).toMatch(/\*\*1 to create\*\*\.\n\n… The summary is too long/);
});
