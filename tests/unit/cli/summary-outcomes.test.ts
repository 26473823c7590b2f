import { tokenOf } from "../../../testkit/program";
import { PIPE, stepOf, summaryOfSteps } from "../../../testkit/summary-steps";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const loading = { source: { kafka: {} }, destination: { database: "d", table: "t" } };
const ID = "0a1b2c3d-0000-4000-8000-00000000feed";

/** What a program or a state says of a resource. */
interface Said {
  policy?: unknown;
  isRetained?: true;
  adopt?: unknown;
  more?: object;
}

const stateOf = (type: string, { policy, isRetained, adopt, more }: Said, id?: string) => ({
  ...{ type, inputs: { deletionPolicy: policy, adopt }, ...(id !== undefined && { id }) },
  ...(isRetained && { retainOnDelete: true }),
  ...more,
});

const creation = (after: object, type = PIPE) => stepOf("create", { type, after });
const removal = (type: string, said: Said) =>
  stepOf("delete", { type, more: { oldState: stateOf(type, said, ID) } });

const BY_DIFF = { detailedDiff: { table: { kind: "update-replace" } } };
const FORCED = { replaceReasons: ["id"] };
const replacement = (type: string, stored: Said, declared: Said, reason: object = BY_DIFF) =>
  stepOf("replace", {
    type,
    more: { oldState: stateOf(type, stored, ID), newState: stateOf(type, declared), ...reason },
  });

const UNMANAGED =
  "#### Leave unmanaged\n\n- Pipe `orders`\n  - stays as it is, but this stack no longer manages it\n";
const DELETED = "#### Delete\n\n- Pipe `orders`\n";
const PERHAPS = '  - is deleted if its deletionPolicy is "delete", which the preview does not show\n';
const PROTECTED = "  - is protected, so Pulumi refuses this\n";
const LEFT =
  "#### Leave to another resource\n\n- Pipe `orders`\n  - stays as it is: Pipe `other` manages it\n";
const OLD_DELETED = "  - **The old one is deleted.**\n";
const OLD_STAYS = "  - The old one stays, unmanaged.\n";
const OLD_PERHAPS =
  '  - The old one is deleted if deletionPolicy is "delete", which the preview does not show.\n';
const OLD_LEFT = "  - The old one stays: Pipe `other` manages it.\n";
const SAME_AGAIN = `  - takes over \`${ID}\`, which exists\n  - Nothing is deleted.\n`;
const ADOPTED = `#### Adopt\n\n- Pipe \`orders\`\n  - takes over \`${ID}\`, which exists\n`;
const CREATED = "#### Create\n\n- Pipe `orders`\n";

const [retain, del] = [{ policy: "retain" }, { policy: "delete" }];
const optionRetains = { ...del, isRetained: true } as const;
const optionRetained = { ...retain, isRetained: true } as const;
const wasRetained = { more: { outputs: { deletionPolicy: "retain" } } };

describe.each(["dynamic", "native"] as const)("says what becomes of a resource (%s)", (form) => {
  const type = tokenOf("Pipe", form);
  const removed = (said: Said) => removal(type, said);
  const replaced = (stored: Said, declared: Said) => replacement(type, stored, declared);
  const forced = (stored: Said, declared: Said) => replacement(type, stored, declared, FORCED);
  const other = { name: "other", type };
  const owned = { oldState: stateOf(type, {}, ID) };
  const adopter = stepOf("create", { ...other, after: { adopt: ID.toUpperCase() } });
  const refreshed = stepOf("refresh", { ...other, more: owned });
  const owner = stepOf("same", { ...other, more: { ...owned, newState: stateOf(type, {}) } });

  // Removals and replacements by each policy: tests/cli/summary.test.ts, with the real engine.
  test.each<[what: string, steps: object[], lines: string]>([
    ["a removal, by default", [removed({})], UNMANAGED],
    ["a removal that deletes", [removed(del)], `${DELETED}$`],
    ["a removal by the outputs, which the engine passes", [removed({ ...del, ...wasRetained })], UNMANAGED],
    ["a removal whose policy is a secret", [removed({ policy: "[secret]" })], `${DELETED}${PERHAPS}`],
    ["a protected removal", [removed({ ...del, more: { protect: true } })], `${DELETED}${PROTECTED}`],
    ["a removal of what another adopts", [removed(del), adopter], LEFT],
    ["a removal of what another has", [removed(del), owner], LEFT],
    ["a removal of what another refreshed", [removed(del), refreshed], DELETED],

    ["a replacement after the option retained", [replaced(optionRetained, del)], OLD_DELETED],
    ["a replacement while the option retains", [replaced(optionRetains, del)], OLD_STAYS],
    ["a replacement by a policy that is not known yet", [replaced(del, { policy: unknown })], OLD_PERHAPS],
    ["a forced replacement of what the option retains", [forced(optionRetains, del)], OLD_STAYS],
    ["a forced replacement that adopts the same again", [forced(del, { ...del, adopt: ID })], SAME_AGAIN],
    ["a replacement of what another adopts", [replaced(del, del), adopter], OLD_LEFT],

    ["an adoption", [creation({ adopt: ID }, type)], ADOPTED],
    ["an adoption of an unknown id", [creation({ adopt: unknown }, type)], ADOPTED.replace(ID, "[unknown]")],
    ["a creation", [creation(loading, type)], `${CREATED}  - reads from \`kafka\`, loads into \`d.t\`\n`],
    ["a creation with unknown values", [creation({ source: unknown }, type)], CREATED],
  ])("%s", (_, steps, lines) => {
    expect(`${summaryOfSteps(steps)}$`).toContain(lines);
  });
});

const BUCKET = "aws:s3:Bucket";
const BUCKETS_LINE = `- \`${BUCKET}\` \`orders\`\n`;
const ENTRIES = "the declared entries of the access lists are removed, and the service stays";
const [ofNative, ofDynamic] = [tokenOf("ServiceSettings", "native"), tokenOf("ServiceSettings", "dynamic")];

test.each<[what: string, step: object, lines: string]>([
  [
    "a replacement of another provider's resource, by the option alone",
    replacement(BUCKET, optionRetains, {}),
    `${BUCKETS_LINE}  - \`table\`: (changed)\n  - The old one stays, unmanaged.`,
  ],
  ["a removal of another provider's resource", removal(BUCKET, retain), `#### Delete\n\n${BUCKETS_LINE}`],
  ["a deletion of settings", removal(ofNative, del), `- ServiceSettings \`orders\`\n  - ${ENTRIES}\n`],
  ["a replacement of settings", replacement(ofDynamic, del, del), `  - Of the old ones, ${ENTRIES}.\n`],
  ["an import elsewhere", stepOf("import", { type: BUCKET, after: {} }), `#### Import\n\n${BUCKETS_LINE}`],
  ["a type that objects inherit", creation({}, "constructor"), "#### Create\n\n- `constructor` `orders`\n"],
])("says what becomes of a resource: %s", (_, step, lines) => {
  expect(summaryOfSteps([step])).toContain(lines);
});

test("shows of an import what the update behind it sends, and not what the program never declared", () => {
  const type = tokenOf("Pipe", "native");
  const [before, after] = [{ settings: { a: 8, b: 1 } }, { settings: { a: 3 } }];
  const detailedDiff = { "settings.a": { kind: "update" }, "settings.b": { kind: "update" } };
  const importStep = stepOf("import", { type, more: { newState: { type, importID: ID, inputs: before } } });
  const updateStep = stepOf("update", { type, before, after, more: { detailedDiff } });
  const lines = `**1 to import**.\n\n#### Import\n\n- Pipe \`orders\`\n  - takes over \`${ID}\`, which exists`;
  expect(summaryOfSteps([importStep, updateStep])).toContain(`${lines}\n  - \`settings.a\`: \`8\` → \`3\`\n`);
  expect(summaryOfSteps([importStep])).toContain(`${lines}, and changes nothing in it\n`);
  // Another id in the option replaces the resource, and the provider deletes neither.
  const [oldState, newState] = ["former", ID].map((id) => ({ type, id, importID: id, inputs: before }));
  const another = stepOf("replace", { type, more: { oldState, newState } });
  expect(summaryOfSteps([another, updateStep])).toContain(
    `${lines}\n  - \`settings.a\`: \`8\` → \`3\`\n  - \`former\`, which the resource had, stays as it is, unmanaged\n`,
  );
});

test("connects pipes that load the same, of which the preview creates one", () => {
  const pipe = (table: string, deletionPolicy = "retain") => ({
    ...{ serviceId: "s", deletionPolicy, destination: { table } },
    source: { kafka: { brokers: "b", topics: "t" } },
  });
  const inState = (inputs: object) => ({ oldState: { type: PIPE, id: ID, inputs } });
  const markdown = summaryOfSteps([
    stepOf("create", { name: "renamed-now", after: pipe("a") }),
    stepOf("delete", { name: "renamed", more: inState(pipe("a")) }),
    stepOf("create", { name: "removed-now", after: pipe("b") }),
    stepOf("delete", { name: "removed", more: inState(pipe("b", "delete")) }),
    stepOf("create", { name: "copy", after: pipe("c") }),
    stepOf("same", { name: "copied", after: pipe("c"), more: inState(pipe("c")) }),
    stepOf("replace", { name: "replaced", after: pipe("d"), more: inState(pipe("d")) }),
    ...["one", "two"].map((name) => stepOf("create", { name, after: pipe("e") })),
    stepOf("create", { name: "adopting", after: { ...pipe("f"), adopt: ID } }),
    stepOf("same", { name: "adopted", after: pipe("f"), more: inState(pipe("f")) }),
  ]);
  expect(markdown.match(/.*(?:the same|keeps).*/g)).toEqual([
    `  - The old one (\`${ID}\`) keeps loading the same data: the data is loaded twice.`,
    "  - keeps loading the same as the new Pipe `renamed-now`: the data is loaded twice",
    `  - loads the same as Pipe \`copied\` (\`${ID}\`), which keeps loading: the data is loaded twice`,
    "  - loads the same as the new Pipe `two`: the data is loaded twice",
    `  - loads the same as Pipe \`removed\` (\`${ID}\`), which is deleted only after this one is created`,
    `  - loads the same as Pipe \`renamed\` (\`${ID}\`), which keeps loading: the data is loaded twice`,
    "  - loads the same as the new Pipe `one`: the data is loaded twice",
  ]);
});
