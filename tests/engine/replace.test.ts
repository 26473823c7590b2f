import { expectNoChanges, expectNoWrites, expectWrites, writesByPipe } from "./expectations";
import { CREATE_FIRST, DELETE_FIRST, planOf } from "./plan";
import { type JsonObject, mapValues, withValue, withValues } from "../kit/json";
import { changesOf } from "../kit/pipe-fields";
import { complete, minimal, pipesProgram } from "../kit/pipes";
import { declaration, retainMark } from "../kit/program";
import { type Simulator, pipeNamed, takeWrites } from "../kit/simulator";
import { deployStack } from "../kit/stack";

const topics = "source.kafka.topics";
const threads = "settings.dbmsMaxThreads";
const allowed: JsonObject = { ...minimal.kafka, replacementPolicy: "allow" };
const into = (table: string, args: JsonObject): JsonObject => withValue(args, "destination.table", table);
const deleted: JsonObject = { ...complete.kafka, replacementPolicy: "allow", deletionPolicy: "delete" };

const before = pipesProgram({
  kept: into("kept", allowed),
  deleted,
  "by-option": into("by-option", withValue(allowed, threads, 2)),
  "deleted-first": into("deleted-first", allowed),
});
const after = [
  pipesProgram({
    kept: into("kept", withValue(allowed, topics, "second")),
    deleted: withValue(deleted, "destination.roles", ["other"]),
  }),
  pipesProgram(
    { "by-option": into("by-option", withValue(allowed, threads, 3)) },
    `{ replaceOnChanges: ["${threads}"] }`,
  ),
  declaration("Pipe", "deleted-first", into("other", allowed), "{ deleteBeforeReplace: true }"),
].join("");

/** The ids of the pipes of that name, the oldest first. */
const idsOf = (simulator: Simulator, name: string): string[] =>
  simulator.control.state().pipes.flatMap((pipe) => (pipe.name === name ? [pipe.id] : []));

test("replaces pipes whose policy allows it, in the order that policies and options give", async () => {
  const { simulator, stack } = await deployStack(before);
  takeWrites(simulator);
  await stack.write(after);
  expect((await planOf(stack)).steps).toEqual({
    kept: CREATE_FIRST,
    deleted: DELETE_FIRST,
    "by-option": CREATE_FIRST,
    "deleted-first": DELETE_FIRST,
  });
  const preview = await stack.preview({ diff: true });
  expect(preview.output).toMatch(/topics *: "orders" => "second"/);
  const [deletedId = ""] = idsOf(simulator, "deleted");
  const names = new Map([[deletedId, "deleted"]]);
  const { output } = await stack.up();
  expect(output).toMatch(new RegExp(`Pipe kept deleted original \\(.*\\)${retainMark}`));
  expect(mapValues(writesByPipe(simulator, names), (writes) => writes.map(([method]) => method))).toEqual({
    kept: ["POST"],
    deleted: ["DELETE", "POST"],
    "by-option": ["POST"],
    "deleted-first": ["POST"],
  });
  expect(idsOf(simulator, "deleted")).toHaveLength(1);
  expect(idsOf(simulator, "kept")).toHaveLength(2);
  await expectNoChanges(stack);
});

const deletable: JsonObject = { ...minimal.kafka, deletionPolicy: "delete" };
const leader: JsonObject = { ...deletable, replacementPolicy: "allow" };
const immutable = changesOf("kafka").filter(({ onChange }) => onChange === "replace");
const changedEverywhere = withValues(complete.kafka, {
  ...Object.fromEntries(immutable.map(({ path, to }) => [path, to])),
  "source.validateSamples": undefined,
});

const differing = (service: string, program: string): string =>
  `${topics} cannot be changed in place: the service has "${service}", the program declares "${program}".`;

type Declared = [args: JsonObject, options?: string];

const declared: Record<"complete" | "orders" | "renamed" | "leader" | "follower", Declared> = {
  complete: [complete.kafka],
  orders: [into("orders", deletable)],
  renamed: [into("renamed", minimal.kafka)],
  leader: [into("leader", leader)],
  follower: [into("follower", minimal.kafka)],
};

const replacingRename: Declared = [
  { ...declared.renamed[0], name: "renamed 2" },
  '{ replaceOnChanges: ["name"] }',
];

const orders: Declared = [withValue(declared.orders[0], topics, "other")];
const replacingWith: Record<string, Declared> = {
  leader: [withValue(declared.leader[0], topics, "other")],
  follower: [declared.follower[0], "{ replaceWith: [leader] }"],
};

const refusalOf = ({ path }: { readonly path: string }) =>
  new RegExp(`\\b${path.replaceAll(".", "\\.")}\\b.* cannot be changed`);
const REPLACES = /name changed, so Pulumi would replace the pipe \(replaceOnChanges, or a replacement /;

/** Changes that the preview refuses, each in a program of its own, because the engine stops at the first failure. */
const refused: [what: string, changes: Record<string, Declared>, ...says: (string | RegExp)[]][] = [
  ["all immutable fields", { complete: [changedEverywhere] }, ...immutable.map(refusalOf)],
  ["the kind of source", { complete: [complete.kinesis] }, "source.kafka", "source.kinesis"],
  ['a field, under deletionPolicy "delete"', { orders }, differing("orders", "other"), "deletionPolicy"],
  ["a name, with replaceOnChanges", { renamed: replacingRename }, REPLACES],
  ["nothing, with replaceWith", replacingWith, /would replace the pipe, because of .*replaceWith, /],
];

const programOf = (changes: Record<string, Declared> = {}): string =>
  Object.entries({ ...declared, ...changes })
    .map(([name, [args, options]]) => `const ${name} = ${pipesProgram({ [name]: args }, options)}`)
    .join("");

test("the preview refuses each change that requires a second pipe, with values and remedies", async () => {
  const { simulator, stack } = await deployStack(programOf());
  takeWrites(simulator);
  for (const [, changes, ...says] of refused) {
    await stack.write(programOf(changes));
    const { output } = await stack.preview({ expectFailure: true });
    for (const text of [...says, "replacementPolicy"]) expect(output).toMatch(text);
    expect(output).not.toMatch(/[a-z]+-password|secret-key|account-key/);
  }
  await stack.write(programOf());
  const serviceId = simulator.account.serviceIds[0] ?? "";
  await stack.setConfig({ serviceId: "0a1b2c3d-0000-4000-8000-0000000000dd" });
  expect((await stack.preview({ expectFailure: true })).output).toMatch(
    /serviceId cannot be changed in place/,
  );
  await stack.setConfig({ serviceId });
  await stack.write(programOf({ orders }));
  expect((await stack.up({ expectFailure: true })).output).toContain(differing("orders", "other"));

  // The first read after a write shows how the service writes the values; what comes after it is drift.
  await stack.write(programOf());
  await stack.refresh({ flags: ["--expect-no-changes"] });
  const { id } = pipeNamed(simulator, "orders");
  simulator.control.editPipe(id, { source: { kafka: { topics: "theirs" } } });
  const refresh = await stack.pulumi(["refresh", "--preview-only", "--diff"]);
  expect(refresh.output).toMatch(/topics *: "orders" => "theirs"/);
  const drifted = await stack.up({ expectFailure: true, flags: ["--refresh"] });
  expect(drifted.output).toContain(differing("theirs", "orders"));
  expect(drifted.output).toMatch(/Declare what the service has.* or set replacementPolicy: "allow"/);
  expectNoWrites(simulator);

  // The remedies: what the service has, and no replaceOnChanges.
  const renamed = `PATCH /pipes/${pipeNamed(simulator, "renamed").id}`;
  const theirs: Declared = [withValue(declared.orders[0], topics, "theirs")];
  await stack.write(programOf({ orders: theirs, renamed: [replacingRename[0]] }));
  await stack.up({ flags: ["--refresh"] });
  expectWrites(simulator, [renamed, { name: "renamed 2" }]);
  await expectNoChanges(stack);
});
