import { creationBody, minimal } from "../kit/pipes";
import { tokenOf, type Adapter } from "../kit/program";
import { pluginFolder } from "../kit/sdk";
import { newSimulator } from "../kit/simulator";
import { newStack } from "../kit/stack";
import { summaryOfPreview } from "./summarized";

interface Declared {
  readonly policy?: "delete" | "retain";
  readonly table?: string;
  readonly adopt?: string;
  readonly options?: object;
}

const FORMS: readonly Adapter[] = ["dynamic", "native"];

/** What the program says of a pipe before and after its change. */
interface Change {
  readonly before: Declared;
  readonly after?: Declared;
  /** `--replace` names the pipe. */
  readonly isForced?: true;
  /** The forms in which the summary says that Pulumi deletes the pipe. The provider keeps some of those. */
  readonly announced: readonly Adapter[];
  readonly isDeleted?: true;
}

const DELETE: Declared = { policy: "delete" };
const RETAIN: Declared = { policy: "retain" };
const DELETE_NEW: Declared = { policy: "delete", table: "new" };
const RETAIN_NEW: Declared = { policy: "retain", table: "new" };
const DELETE_BUT_KEEP: Declared = { policy: "delete", options: { retainOnDelete: true } };

const CHANGES: Readonly<Record<string, Change>> = {
  removed: { before: {}, announced: [] },
  "removed-retain": { before: RETAIN, announced: [] },
  "removed-delete": { before: DELETE, announced: FORMS, isDeleted: true },
  "removed-option": { before: DELETE_BUT_KEEP, announced: [] },
  "replaced-retain": { before: RETAIN, after: RETAIN_NEW, announced: [] },
  "replaced-delete": { before: DELETE, after: DELETE_NEW, announced: FORMS, isDeleted: true },
  "replaced-to-retain": { before: DELETE, after: RETAIN_NEW, announced: [] },
  "replaced-to-delete": { before: RETAIN, after: DELETE_NEW, announced: FORMS, isDeleted: true },
  "replaced-option": { before: DELETE_BUT_KEEP, after: DELETE_NEW, announced: FORMS },
  "forced-delete": { before: DELETE, after: DELETE, isForced: true, announced: FORMS, isDeleted: true },
  "forced-to-retain": { before: DELETE, after: RETAIN, isForced: true, announced: [] },
  "forced-to-delete": { before: RETAIN, after: DELETE, isForced: true, announced: FORMS },
};

const ROWS = FORMS.flatMap((form) =>
  Object.entries(CHANGES).map(([change, row]) => ({ ...row, form, name: `${form}.${change}` })),
);

/** Pipes that another resource adopts. */
const HANDED = FORMS.map((form) => ({ form, name: `${form}.handed` }));

/** A name that the runner of a pipeline would take for a command. */
const HOSTILE = "##[command]imported";

function pipeCode(form: Adapter, name: string, { policy, table = "few", adopt, options = {} }: Declared) {
  const { source: imported, fieldMappings, destination } = { ...minimal.kinesis } as Record<string, object>;
  // Two pipes with the same stream and table would cause warnings. What another resource takes over is the same pipe.
  const own = { kinesis: { streamName: name.replace(".taker", ""), region: "eu-west-1" } };
  const source = name.endsWith("imported") ? imported : own;
  const args = {
    name,
    source,
    fieldMappings,
    destination: { ...destination, table },
    deletionPolicy: policy,
    replacementPolicy: "allow",
    adopt,
  };
  const type = form === "dynamic" ? "datapipes.Pipe(" : `pulumi.CustomResource("${tokenOf("Pipe", form)}", `;
  return `new ${type}"${name}", ${JSON.stringify(args)}, ${JSON.stringify(options)});\n`;
}

/** The pipes of a summary whose section or lines have certain words. */
const namesOf = (markdown: string, words: RegExp): string[] =>
  markdown.split(/(?=^####)/m).flatMap((section) => {
    const [heading = "", ...pipes] = section.split(/^- (?=(?:\*\*)?Pipe )/m);
    return pipes.flatMap((pipe) => (words.test(heading + pipe) ? [/`(.*?)`/.exec(pipe)?.[1] ?? ""] : []));
  });

const programBefore = (): string =>
  [
    ...ROWS.map(({ form, name, before }) => pipeCode(form, name, before)),
    ...HANDED.map(({ form, name }) => pipeCode(form, name, DELETE)),
  ].join("");

const programAfter = (idOf: (name: string) => string, imported: string): string =>
  [
    ...ROWS.map(({ form, name, after }) => (after === undefined ? "" : pipeCode(form, name, after))),
    ...HANDED.map(({ form, name }) => pipeCode(form, `${name}.taker`, { ...DELETE, adopt: idOf(name) })),
    pipeCode("native", HOSTILE, { options: { import: imported } }),
  ].join("");

let markdown: string;
let handedId: string;
/** The names of the pipes that the run has deleted. */
let deleted: string[];

beforeAll(async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, path: [pluginFolder], program: programBefore() });
  await stack.up();
  const { pipes } = simulator.control.state();
  const idOf = (wanted: string): string => pipes.find(({ name }) => name === wanted)?.id ?? "";
  handedId = idOf("native.handed");
  const [imported] = simulator.control.seedPipes([creationBody(HOSTILE, minimal.kinesis)]);
  await stack.write(programAfter(idOf, imported?.id ?? ""));
  const forced = ROWS.filter(({ isForced }) => isForced);
  const flags = forced.flatMap(({ name }) => ["--replace", `**::${name}`]);
  markdown = await summaryOfPreview(stack, [], ...flags);
  await stack.up({ flags });
  const left = new Set(simulator.control.state().pipes.map(({ id }) => id));
  deleted = pipes.filter(({ id }) => !left.has(id)).map(({ name }) => name);
});

test("the summary counts pipes that are dynamic resources and those of the native plugin", () => {
  expect(markdown).toContain(
    "**4 to delete**, **16 to replace**, **6 to leave unmanaged**, **1 to update**, **2 to adopt**, **1 to import**.",
  );
});

test("the summary contains no command of a pipeline", () => {
  expect(markdown).not.toContain(HOSTILE);
});

test("the summary names the ID that a resource takes over", () => {
  expect(markdown).toContain(`- Pipe \`native.handed.taker\`\n  - takes over \`${handedId}\`\n`);
});

test("the summary names each pipe that Pulumi deletes", () => {
  const announced = ROWS.filter((row) => row.announced.includes(row.form));
  const expected = [...announced, ...HANDED].map(({ name }) => name);
  const named = namesOf(markdown, /#### Delete\n|Pulumi deletes the old resource/);
  expect(named.sort()).toEqual(expected.sort());
});

test("the run deletes only pipes with the policy", () => {
  const expected = ROWS.filter(({ isDeleted }) => isDeleted).map(({ name }) => name);
  expect(deleted.sort()).toEqual(expected.sort());
});
