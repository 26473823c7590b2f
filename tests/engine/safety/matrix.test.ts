import type { JsonObject } from "../../kit/json";
import { isNative } from "../../kit/program";
import { deployStack } from "../../kit/stack";
import { expectNoChanges } from "../expectations";
import { CREATE_FIRST, DELETE_FIRST, nameIn, previewOf, type Preview } from "../plan";
import { pipe, programOf, type Declaration, type Options } from "./declarations";

interface Row {
  /** Policies of the first program. Without them, the defaults hold. */
  readonly before: JsonObject;
  /** What the changed program declares, by dotted paths; absent if it no longer declares the pipe. */
  readonly after?: JsonObject;
  /** The resource has another logical name in the changed program, with these options. */
  readonly renamed?: Options;
  /** The changed program takes the first pipe over. */
  readonly adopts?: true;
  /** The steps that the preview shows, in their order. */
  readonly preview: readonly string[];
  /** What a line of the preview says of the first pipe, where the steps show the former policy. */
  readonly line?: string;
  /** What becomes of the first pipe, and whether a second one exists. */
  readonly result: readonly ["managed" | "left running" | "deleted", "one pipe" | "two pipes" | "no pipe"];
}

const RETAIN = { deletionPolicy: "retain" };
const DELETE = { deletionPolicy: "delete" };
const ALLOW = { replacementPolicy: "allow" };
const OTHER_SOURCE = { "source.kafka.topics": "others" };

const RETAINED = ["create-replacement", "replace", "delete-replaced[retain]"];

/** One pipe each, with a name and a table of its own. */
const ROWS: Readonly<Record<string, Row>> = {
  removed: {
    before: {},
    preview: ["delete[retain]"],
    result: ["left running", "one pipe"],
  },
  "removed with delete": {
    before: DELETE,
    preview: ["delete"],
    result: ["deleted", "no pipe"],
  },
  "replaced by default": {
    before: {},
    after: { ...ALLOW, ...OTHER_SOURCE },
    preview: RETAINED,
    result: ["left running", "two pipes"],
  },
  "replaced with delete": {
    before: DELETE,
    after: { ...DELETE, ...ALLOW, ...OTHER_SOURCE },
    preview: DELETE_FIRST,
    result: ["deleted", "one pipe"],
  },
  "replaced with a new retain": {
    before: DELETE,
    after: { ...RETAIN, ...ALLOW, ...OTHER_SOURCE },
    preview: CREATE_FIRST,
    line: "will not be deleted when it is replaced",
    result: ["left running", "two pipes"],
  },
  "replaced with a new delete": {
    before: RETAIN,
    after: { ...DELETE, ...ALLOW, ...OTHER_SOURCE },
    preview: ["delete-replaced[retain]", "replace", "create-replacement"],
    line: "will be deleted before its replacement is created",
    result: ["deleted", "one pipe"],
  },
  "replaced by --replace": {
    before: {},
    after: ALLOW,
    preview: RETAINED,
    result: ["left running", "two pipes"],
  },
  "policy changed": {
    before: DELETE,
    after: RETAIN,
    preview: ["update"],
    result: ["managed", "one pipe"],
  },
  renamed: {
    before: DELETE,
    after: { ...DELETE, ...ALLOW },
    renamed: {},
    preview: ["create", "delete"],
    result: ["deleted", "one pipe"],
  },
  "renamed with an alias": {
    before: DELETE,
    after: DELETE,
    renamed: { formerName: "renamed with an alias" },
    preview: [],
    result: ["managed", "one pipe"],
  },
  "renamed and adopted": {
    before: DELETE,
    after: DELETE,
    renamed: {},
    adopts: true,
    preview: ["create", "delete"],
    result: ["managed", "one pipe"],
  },
  "moved into a component": {
    before: {},
    after: ALLOW,
    renamed: { moved: true },
    preview: ["create", "delete[retain]"],
    result: ["left running", "two pipes"],
  },
};

const firstOf = ([name, { before }]: [string, Row]): Declaration => pipe(name, name, before);

function changedOf([name, { after, renamed, adopts }]: [string, Row], id: string): Declaration[] {
  if (after === undefined) return [];
  const logicalName = renamed === undefined ? name : `${name}.new`;
  return [pipe(logicalName, name, { ...after, ...(adopts && { adopt: id }) }, renamed)];
}

/** The steps of a row's pipe, with what the preview shows of a deletion that sends nothing. */
const stepsOf = (name: string, { steps }: Preview): string[] =>
  steps
    .filter(({ op, urn }) => op !== "same" && [name, `${name}.new`].includes(nameIn(urn)))
    .map(({ op, retains }) => (retains === true && op.startsWith("delete") ? `${op}[retain]` : op));

/** The native plugin cannot set the option by which a preview shows `[retain]`. */
const shown = (step: string): string => (isNative ? step.replace("[retain]", "") : step);

test("deletes no pipe without a policy, and previews each deletion", async () => {
  const rows = Object.entries(ROWS);
  const { simulator, stack } = await deployStack(programOf(rows.map(firstOf)));
  const pipesOf = (table: string): string[] =>
    simulator.control.state().pipes.flatMap((one) => (one.destination.table === table ? [one.id] : []));
  const firstIds = Object.fromEntries(rows.map(([name]) => [name, pipesOf(name)[0] ?? ""]));

  await stack.write(programOf(rows.flatMap((row) => changedOf(row, firstIds[row[0]] ?? ""))));
  const flags = ["--replace", "**::replaced by --replace"];
  const preview = previewOf(
    await stack.preview({ json: true, flags: [...flags, "--show-replacement-steps"] }),
  );
  await stack.up({ flags });
  const managed = (await stack.export()).ofType("Pipe").map(({ id }) => id);
  for (const [name, { line }] of rows)
    if (line !== undefined) expect(preview.lines.join("\n")).toContain(`(${firstIds[name]}) ${line}`);
  const observed = rows.map(([name]) => {
    const [id = "", pipes] = [firstIds[name], pipesOf(name)];
    const first = managed.includes(id) ? "managed" : pipes.includes(id) ? "left running" : "deleted";
    const count = ["no pipe", "one pipe", "two pipes"][pipes.length];
    return [name, { preview: stepsOf(name, preview).sort(), result: [first, count] }];
  });
  const expected = rows.map(([name, row]) => [
    name,
    { preview: row.preview.map(shown).sort(), result: row.result },
  ]);
  expect(Object.fromEntries(observed)).toEqual(Object.fromEntries(expected));
  await expectNoChanges(stack);
});
