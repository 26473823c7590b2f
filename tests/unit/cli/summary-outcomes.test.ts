import { tokenOf } from "../../../testkit/adapter";
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

type Found = "by a diff" | "by --replace";
const DIFFS: Readonly<Record<Found, object>> = {
  "by a diff": { detailedDiff: { table: { kind: "update-replace" } } },
  "by --replace": { replaceReasons: ["id"] },
};

const creation = (after: object, type = PIPE) => stepOf("create", { type, after });
const removal = (type: string, said: Said) =>
  stepOf("delete", { type, more: { oldState: stateOf(type, said, ID) } });
const replacement = (type: string, stored: Said, declared: Said, found: Found = "by a diff") =>
  stepOf("replace", {
    type,
    more: { oldState: stateOf(type, stored, ID), newState: stateOf(type, declared), ...DIFFS[found] },
  });

const [UNMANAGED, IS_DELETED, STAYS] = [
  "#### Leave unmanaged\n\n- Pipe `orders`\n  - stays as it is, but this stack no longer manages it\n",
  "  - The old one is deleted.\n",
  "  - The old one stays, unmanaged.\n",
];
const UNCLEAR =
  '  - The old one is deleted if deletionPolicy is "delete", which the preview does not show.\n';
const DELETED = "#### Delete\n\n- Pipe `orders`\n";
const [retain, del] = [{ policy: "retain" }, { policy: "delete" }];
const optionRetains = { isRetained: true } as const;

describe.each(["dynamic", "native"] as const)("says what becomes of a resource (%s)", (form) => {
  const type = tokenOf("Pipe", form);
  const manager = (op: string, more: object) => stepOf(op, { name: "other", type, more });

  test.each<[what: string, steps: object[], lines: string]>([
    ["a removal, by default", [removal(type, {})], UNMANAGED],
    ["a removal that retains", [removal(type, retain)], UNMANAGED],
    ["a removal that deletes", [removal(type, del)], `${DELETED}$`],
    ["a removal that the option retains", [removal(type, { ...del, ...optionRetains })], UNMANAGED],
    [
      "a removal by the outputs, which the engine passes",
      [removal(type, { ...del, more: { outputs: { deletionPolicy: "retain" } } })],
      UNMANAGED,
    ],
    [
      "a removal whose policy is a secret",
      [removal(type, { policy: "[secret]" })],
      `${DELETED}  - is deleted if its deletionPolicy is "delete", which the preview does not show\n`,
    ],
    [
      "a removal that is protected",
      [removal(type, { ...del, more: { protect: true } })],
      `${DELETED}  - is protected, so Pulumi refuses this\n`,
    ],
    [
      "a removal of what another resource adopts",
      [removal(type, del), manager("create", { newState: stateOf(type, { adopt: ID.toUpperCase() }) })],
      "#### Leave to another resource\n\n- Pipe `orders`\n  - stays as it is: Pipe `other` manages it\n",
    ],
    [
      "a removal of what another resource has",
      [removal(type, del), manager("same", { oldState: stateOf(type, {}, ID), newState: stateOf(type, {}) })],
      "#### Leave to another resource\n",
    ],
    [
      "a removal of what another resource only refreshed",
      [removal(type, del), manager("refresh", { oldState: stateOf(type, {}, ID) })],
      DELETED,
    ],

    ["a replacement that deletes", [replacement(type, del, del)], IS_DELETED],
    ["a replacement that retains", [replacement(type, retain, retain)], STAYS],
    ["a replacement of a program that retains from now on", [replacement(type, del, retain)], STAYS],
    ["a replacement of a program that deletes from now on", [replacement(type, retain, del)], IS_DELETED],
    [
      "a replacement of a program that deletes from now on what the option retained",
      [replacement(type, { ...retain, ...optionRetains }, del)],
      IS_DELETED,
    ],
    [
      "a replacement that deletes what the option retains",
      [replacement(type, { ...del, ...optionRetains }, del)],
      STAYS,
    ],
    [
      "a replacement by a policy that is not known yet",
      [replacement(type, del, { policy: unknown })],
      UNCLEAR,
    ],
    ["a forced replacement that deletes", [replacement(type, del, del, "by --replace")], IS_DELETED],
    ["a forced replacement that no longer deletes", [replacement(type, del, retain, "by --replace")], STAYS],
    ["a forced replacement that did not delete", [replacement(type, retain, del, "by --replace")], STAYS],
    [
      "a forced replacement that deletes what the option retains",
      [replacement(type, { ...del, ...optionRetains }, del, "by --replace")],
      STAYS,
    ],
    [
      "a forced replacement that adopts the same again",
      [replacement(type, del, { ...del, adopt: ID }, "by --replace")],
      `  - takes over \`${ID}\`, which exists\n  - Nothing is deleted.\n`,
    ],
    [
      "a replacement of what another resource adopts",
      [replacement(type, del, del), manager("create", { newState: stateOf(type, { adopt: ID }) })],
      "  - The old one stays: Pipe `other` manages it.\n",
    ],

    [
      "an adoption",
      [creation({ adopt: ID }, type)],
      `#### Adopt\n\n- Pipe \`orders\`\n  - takes over \`${ID}\`, which exists\n`,
    ],
    [
      "an adoption of an id that is not known yet",
      [creation({ adopt: unknown }, type)],
      "takes over `[unknown]`, which exists\n",
    ],
    [
      "a creation",
      [creation(loading, type)],
      "#### Create\n\n- Pipe `orders`\n  - reads from `kafka`, loads into `d.t`\n",
    ],
    [
      "a creation with unknown values",
      [creation({ source: unknown }, type)],
      "#### Create\n\n- Pipe `orders`\n",
    ],
  ])("%s", (_, steps, lines) => {
    const text = `${summaryOfSteps(steps)}$`;
    expect(text).toContain(lines);
  });
});

test.each<[what: string, step: object, lines: string]>([
  [
    "a replacement of another provider's resource, by the option alone",
    replacement("aws:s3:Bucket", { ...del, ...optionRetains }, {}),
    "- `aws:s3:Bucket` `orders`\n  - `table`: (changed)\n  - The old one stays, unmanaged.",
  ],
  [
    "a removal of another provider's resource",
    removal("aws:s3:Bucket", retain),
    "#### Delete\n\n- `aws:s3:Bucket` `orders`\n",
  ],
  [
    "a deletion of settings",
    removal(tokenOf("ServiceSettings", "native"), del),
    "- ServiceSettings `orders`\n  - the declared entries of the access lists are removed, and the service stays\n",
  ],
  [
    "a replacement of settings",
    replacement(tokenOf("ServiceSettings", "dynamic"), del, del),
    "  - Of the old ones, the declared entries of the access lists are removed, and the service stays.\n",
  ],
  [
    "an import of another provider's resource",
    stepOf("import", { type: "aws:s3:Bucket", after: {} }),
    "#### Import\n\n- `aws:s3:Bucket` `orders`\n",
  ],
  [
    "a type that names what all objects inherit",
    creation({}, "constructor"),
    "#### Create\n\n- `constructor` `orders`\n",
  ],
])("says what becomes of a resource: %s", (_, step, lines) => {
  expect(summaryOfSteps([step])).toContain(lines);
});

test("shows of an import what the update behind it sends, and not what the program never declared", () => {
  const type = tokenOf("Pipe", "native");
  const [before, after] = [{ settings: { a: 8, b: 1 } }, { settings: { a: 3 } }];
  const detailedDiff = { "settings.a": {}, "settings.b": {} };
  const kinds = Object.fromEntries(Object.keys(detailedDiff).map((path) => [path, { kind: "update" }]));
  const importStep = stepOf("import", { type, more: { newState: { type, importID: ID, inputs: before } } });
  const updateStep = stepOf("update", { type, before, after, more: { detailedDiff: kinds } });
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
