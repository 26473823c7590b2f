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

/** What the program says of a pipe before and after its change. `--replace` names those that are forced. */
const CHANGES: Readonly<Record<string, readonly [before: Declared, after?: Declared]>> = {
  removed: [{}],
  "removed.retain": [{ policy: "retain" }],
  "removed.delete": [{ policy: "delete" }],
  "removed.option": [{ policy: "delete", options: { retainOnDelete: true } }],
  "replaced.retain": [{ policy: "retain" }, { policy: "retain", table: "new" }],
  "replaced.delete": [{ policy: "delete" }, { policy: "delete", table: "new" }],
  "replaced.to-retain": [{ policy: "delete" }, { policy: "retain", table: "new" }],
  "replaced.to-delete": [{ policy: "retain" }, { policy: "delete", table: "new" }],
  "replaced.option": [
    { policy: "delete", options: { retainOnDelete: true } },
    { policy: "delete", table: "new", options: { retainOnDelete: false } },
  ],
  "forced.delete": [{ policy: "delete" }, { policy: "delete" }],
  "forced.to-retain": [{ policy: "delete" }, { policy: "retain" }],
  "forced.to-delete": [{ policy: "retain" }, { policy: "delete" }],
};

/** A name that the runner of a pipeline would take for a command. */
const HOSTILE = "##[command]imported";

const FORMS: readonly Adapter[] = ["dynamic", "native"];

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

test("names each pipe that a run of a stack with both forms deletes", async () => {
  const simulator = await newSimulator();
  const ids = () => new Map(simulator.control.state().pipes.map(({ id, name }) => [id, name] as const));
  const changes = Object.entries(CHANGES);
  const rows = FORMS.flatMap((form) =>
    changes.map(([row, [before, after]]) => ({ form, name: `${form}.${row}`, before, after })),
  );
  const handed = FORMS.map((form) => ({ form, name: `${form}.handed` }));
  const program = [
    ...rows.map(({ form, name, before }) => pipeCode(form, name, before)),
    ...handed.map(({ form, name }) => pipeCode(form, name, { policy: "delete" })),
  ];
  const stack = await newStack({ simulator, path: [pluginFolder], program: program.join("") });
  await stack.up();

  const before = ids();
  const idOf = (wanted: string): string => [...before].find(([, name]) => name === wanted)?.[0] ?? "";
  const [existing] = simulator.control.seedPipes([creationBody(HOSTILE, minimal.kinesis)]);
  const changed = [
    ...rows.map(({ form, name, after }) => (after === undefined ? "" : pipeCode(form, name, after))),
    ...handed.map(({ form, name }) =>
      pipeCode(form, `${name}.taker`, { policy: "delete", adopt: idOf(name) }),
    ),
    pipeCode("native", HOSTILE, { options: { import: existing?.id } }),
  ];
  await stack.write(changed.join(""));
  const flags = rows.flatMap(({ name }) => (name.includes("forced") ? ["--replace", `**::${name}`] : []));
  const markdown = await summaryOfPreview(stack, [], ...flags);
  await stack.up({ flags });

  expect(markdown).toContain(
    "**6 to delete**, **16 to replace**, **4 to leave unmanaged**, **1 to update**, **2 to adopt**, **1 to import**.",
  );
  expect(markdown).toContain(`- Pipe \`native.handed.taker\`\n  - takes over \`${idOf("native.handed")}\`\n`);
  const deleted = [...before].flatMap(([id, name]) => (ids().has(id) ? [] : [name]));
  // The provider keeps some of those that Pulumi deletes, and never deletes any other pipe.
  expect(namesOf(markdown, /#### Delete\n|Pulumi deletes the old resource/)).toEqual(
    expect.arrayContaining(deleted),
  );
});
