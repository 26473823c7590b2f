import { summaryOf } from "../../../provider/src/cli/summary/summary";
import { tableMapping } from "../../../testkit/pipes";
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

/** A line that the plugin logs for each pipe. */
const kept = (name: string) => ({
  urn: urnOf(name),
  severity: "warning",
  message: `warning: pipe "${name}: is" (id-${name}): 12 settings are no longer declared; the service keeps their values: why.\n`,
});

test("shows what the plugin says of each pipe that no longer declares a field once", () => {
  const diagnostics = Array.from("abcd", kept);
  const words = "`12 settings are no longer declared; the service keeps their values: why.`";
  expect(summaryOfJson({ diagnostics })).toContain(
    `- Pipe \`a\`, Pipe \`b\`, Pipe \`c\` and 1 more: ${words}\n`,
  );
});

const COLUMNS = "destination.columns";
const column = (name: string, type = "String") => ({ name, type });
const table = (...columns: readonly object[]) => ({
  destination: { database: "shop", table: "orders", columns },
});
const [id, total, tax] = [column("id"), column("total"), column("tax")];
const mapping = (table: string, more: object = {}) => ({ ...tableMapping("orders", table), ...more });
const NOT_ALTERED = "\n  - The table `shop.orders` is not altered: it must have a new column before.";
const MAPPINGS = "source.postgres.tableMappings";

test.each<[what: string, before: object, after: object, paths: readonly string[], lines: string]>([
  [
    "a column that is inserted, and one of another type",
    table(id, total),
    table(tax, id, column("total", "UInt8")),
    [`${COLUMNS}[0].name`, `${COLUMNS}[1].name`, `${COLUMNS}[1].type`, `${COLUMNS}[2]`],
    `\`${COLUMNS}[total].type\`: \`String\` → \`UInt8\`\n  - \`${COLUMNS}[tax]\`: \`{"name":"tax","type":"String"}\` (new)${NOT_ALTERED}`,
  ],
  [
    "a column that goes",
    table(id, total),
    table(total),
    [`${COLUMNS}[0].name`, `${COLUMNS}[1]`],
    `\`${COLUMNS}[id]\`: \`{"name":"id","type":"String"}\` (removed)`,
  ],
  [
    "table mappings, of which one has another name in the table",
    { source: { postgres: { tableMappings: [mapping("a", { useCustomSortingKey: false }), mapping("b")] } } },
    { source: { postgres: { tableMappings: [mapping("c"), mapping("a", { useCustomSortingKey: true })] } } },
    [`${MAPPINGS}[0].targetTable`, `${MAPPINGS}[0].useCustomSortingKey`, `${MAPPINGS}[1]`],
    [
      `\`${MAPPINGS}[public, orders, a].useCustomSortingKey\`: \`false\` → \`true\``,
      `\`${MAPPINGS}[public, orders, b]\`: \`${JSON.stringify(mapping("b"))}\` (removed)`,
      `\`${MAPPINGS}[public, orders, c]\`: \`${JSON.stringify(mapping("c"))}\` (new)`,
    ].join("\n  - "),
  ],
  [
    "texts whose order has no meaning",
    { source: { kafka: { reversePrivateEndpointIds: ["a", "b"] } } },
    { source: { kafka: { reversePrivateEndpointIds: ["b", "c"] } } },
    ["source.kafka.reversePrivateEndpointIds[0]", "source.kafka.reversePrivateEndpointIds[1]"],
    "`source.kafka.reversePrivateEndpointIds`: `a` (removed)\n  - `source.kafka.reversePrivateEndpointIds`: `c` (new)",
  ],
])("compares the entries of a list by what identifies them: %s", (_, before, after, paths, lines) => {
  expect(`${summaryOfSteps([update(before, after, ...paths)])}$`).toContain(
    `\n- Pipe \`orders\`\n  - ${lines}\n$`,
  );
});

test("shows resources that change alike as one, and each that may be deleted by its name", () => {
  const more = { detailedDiff: { a: {} } };
  const of = (op: string, name: string, after: object) => stepOf(op, { name, before: { a: 1 }, after, more });
  const names = Array.from({ length: 12 }, (_, index) => `p${String(index).padStart(2, "0")}`);
  const text = summaryOfSteps([
    ...names.map((name) => of("update", name, { a: 2 })),
    of("update", "z", { a: 3 }),
    ...["x", "y"].map((name) => of("replace", name, { a: 2 })),
  ]);
  expect(text).toContain("**2 to replace**, **13 to update**.");
  const listed = names.map((name) => `\`${name}\``).join(", ");
  expect(text).toContain(`\n\n- 12 pipes: ${listed}\n  - \`a\`: \`1\` → \`2\`\n- Pipe \`z\`\n`);
  expect(text).toMatch(/\n- Pipe `x`\n.*\n.*\n- Pipe `y`\n/);
});

const TOO_LONG = "… The summary is too long for a comment: see the log of the job for what is left out.\n";

test("leaves out of a summary that is too long for a comment what is least important, and says so", () => {
  const steps = ["delete", "update", "create"].flatMap((op) =>
    Array.from({ length: 40 }, (_, index) => {
      const named = { name: `${op} ${index}`, before: { deletionPolicy: "delete" } };
      if (op === "delete") return stepOf(op, named);
      return stepOf(op, { ...named, after: { a: index }, more: { detailedDiff: { a: {} } } });
    }),
  );
  const diagnostics = Array.from({ length: 9 }, (_, index) => ({
    severity: "warning",
    message: `w${index}`,
  }));
  const of = (maxLength: number) => {
    const text = summaryOfSteps(steps, { diagnostics }, maxLength);
    expect(text.length).toBeLessThanOrEqual(maxLength);
    expect(text.includes(TOO_LONG)).toBe(maxLength < 9000);
    return ["Pipe `delete", "- `w", "Pipe `update", "  - `a`", "Pipe `create", "more"].map(
      (part) => text.split(part).length - 1,
    );
  };
  expect(of(9000)).toEqual([40, 9, 40, 40, 40, 0]);
  const [fewer, fewest] = [of(2000), of(900)];
  expect(fewer.slice(0, 2)).toEqual([40, 9]);
  expect(fewer[4]).toBe(0);
  expect(fewest.slice(1)).toEqual([0, 0, 0, 0, 4]);
  expect(fewest[0]).toBeGreaterThan(10);
  const replaced = Array.from({ length: 9 }, (_, index) => {
    const policy = { deletionPolicy: index % 2 === 0 ? "delete" : "retain" };
    const more = { detailedDiff: { a: {}, __key: {} } };
    const [before, after] = [1, 2].map((a) => ({ ...policy, a }));
    return stepOf("replace", { name: `p${index}`, before, after, more });
  });
  expect(summaryOfSteps(replaced)).not.toContain("__key");
  const short = summaryOfSteps(replaced, {}, 600);
  expect(short).toContain("- Pipe `p7`\n- Pipe `p8`\n  - **The old one is deleted.**\n");
  expect(short.match(/\*\*The old one is deleted\.\*\*/g)).toHaveLength(5);
  const title = summaryOfSteps(steps, {}, 200).replace(/^.*\n/, "");
  expect(title).toContain("**40 to delete**");
});
