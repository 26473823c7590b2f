import { withValue, type JsonObject } from "../../kit/json";
import { minimal } from "../../kit/pipes";
import { isNative } from "../../kit/program";
import { takeWrites } from "../../kit/simulator";
import { deployStack } from "../../kit/stack";
import { programOf, type Declaration } from "./program";

/** Pipes that a resource `<table>.old` creates, each into a table of its own. */
const tables = [
  ...["removed", "renamed", "failing", "aliased", "moved", "provided", "forced", "first", "held", "last"],
] as const;
type Table = (typeof tables)[number];

/** Another resource may take over these while their own is replaced. */
const replaceable: readonly Table[] = ["forced", "first"];

const topics = "source.kafka.topics";

function argsOf(table: Table): JsonObject {
  const pipe = withValue(minimal.kafka, "destination.table", table);
  const replacementPolicy = replaceable.includes(table) ? "allow" : "refuse";
  return { ...pipe, name: table, deletionPolicy: "delete", replacementPolicy };
}

const old = (table: Table, more: Partial<Declaration> = {}): Declaration => ({
  kind: "Pipe",
  name: `${table}.old`,
  args: argsOf(table),
  ...more,
});

/** A stack with these pipes. */
async function deployPipes() {
  const { simulator, stack } = await deployStack(programOf(tables.map((table) => old(table))));
  const ids = new Map(simulator.control.state().pipes.map(({ id, name }) => [name, id]));
  const idOf = (table: Table): string => ids.get(table) ?? "";
  const tableIn = (path: string): string => tables.find((table) => path.endsWith(idOf(table))) ?? path;
  /** The writes since the last call, each with the table of its pipe. */
  const sent = (): string[] => {
    const writes = takeWrites(simulator).map(({ method, path }) =>
      method === "POST" ? method : `${method} ${tableIn(path)}`,
    );
    return writes.sort();
  };
  /** A resource that takes over the pipe. */
  const adopting = (table: Table, options: Declaration["options"] = {}): Declaration => ({
    kind: "Pipe",
    name: `${table}.new`,
    options,
    args: { ...argsOf(table), adopt: idOf(table).toUpperCase() },
  });
  /** A resource that takes over and renames the pipe `held`. */
  const holder = (name: string, options: Declaration["options"] = {}): Declaration => {
    const adopted = adopting("held", options);
    return { ...adopted, name, args: { ...adopted.args, name } };
  };
  return { simulator, stack, idOf, sent, adopting, holder };
}

type Pipes = Awaited<ReturnType<typeof deployPipes>>;

const replacedFirst = (options: Declaration["options"] = {}): Declaration =>
  old("first", { args: withValue(argsOf("first"), topics, "others"), options });

const oldExcept = (...left: readonly Table[]): Declaration[] =>
  tables.filter((table) => !left.includes(table)).map((table) => old(table));

/** The resources that take over pipes while their former resources go or are replaced. */
const takingOver = ({ adopting }: Pipes): Declaration[] => [
  adopting("renamed"),
  { ...adopting("failing"), args: { ...adopting("failing").args, name: "failing 2" } },
  adopting("aliased", { formerName: "aliased.old" }),
  { ...adopting("moved", { moved: true }), name: "moved.old" },
  adopting("provided", { provided: true }),
  adopting("forced"),
  old("forced", { options: { dependsOn: "forced.new" } }),
  adopting("first"),
  replacedFirst({ dependsOn: "first.new" }),
];

/** A preview refuses two resources of one instance that adopt one pipe; `up` refuses the second one of two instances. */
async function expectSecondAdopterRefused({ stack, idOf, sent, holder }: Pipes): Promise<void> {
  const rest = oldExcept("held");
  await stack.write(programOf([...rest, holder("one"), holder("two")]));
  const { output: twice } = await stack.preview({ expectFailure: true });
  expect(twice).toMatch(
    new RegExp(`adopt names ${idOf("held")}, which resource "(one|two)" of this program manages`, "i"),
  );
  await stack.write(programOf([...rest, holder("one"), holder("two", { provided: true, dependsOn: "one" })]));
  const { output: second } = await stack.up({ expectFailure: true });
  expect(second).toMatch(new RegExp(`adopt names ${idOf("held")}, which resource "one" of`, "i"));
  expect(sent()).toEqual(["PATCH held"]);
}

/** What a replacement deletes cannot be adopted after it. */
async function expectAdoptionAfterReplacementRefused({
  stack,
  idOf,
  adopting,
  holder,
}: Pipes): Promise<void> {
  const adopter = adopting("first", { dependsOn: "first.old" });
  await stack.write(programOf([...oldExcept("first", "held"), holder("one"), replacedFirst(), adopter]));
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toMatch(new RegExp(`adopt names ${idOf("first")}, which resource "first.old" of`, "i"));
}

async function expectAdoptedPipesKept(pipes: Pipes): Promise<void> {
  const { simulator, stack, idOf, sent, holder } = pipes;
  await stack.write(programOf([...takingOver(pipes), old("last"), holder("one")]));
  simulator.control.fault({ operationId: "updatePipe", kind: "status", status: 400 });
  const flags = ["--continue-on-error", "--replace", "**::forced.old"];
  const { output } = await stack.up({ flags, expectFailure: true });
  expect(sent()).toEqual(["DELETE removed", "PATCH failing", "POST", "POST"]);
  for (const table of ["renamed", "failing", "provided", "forced", "first"] as const)
    expect(output).toMatch(new RegExp(`${idOf(table)}.* is not deleted: resource "${table}\\.new" uses it`));
}

/** What a run leaves out is known from the state. */
async function expectAdopterOutsideTargetKnown(pipes: Pipes): Promise<void> {
  const { stack, sent, adopting } = pipes;
  await stack.write(programOf([...takingOver(pipes), old("last"), adopting("held")]));
  await stack.up({ flags: ["--target", "**::held.new"] });
  const { output } = await stack.up({ flags: ["--target", "**::one"] });
  expect(output).toMatch(/is not deleted: resource "held\.new" uses it/);
  expect(sent()).toEqual(["PATCH held"]);
  await stack.up();
  await stack.preview({ expectNoChanges: true });
}

async function expectNothingDeletedWithoutState(pipes: Pipes): Promise<void> {
  const { simulator, stack, idOf, sent, adopting } = pipes;
  await stack.write(programOf([...takingOver(pipes), adopting("held")]));
  const { output } = await stack.up({ withoutCli: true, expectFailure: true });
  expect(output).toMatch(
    /Nothing was deleted: .* the state of the stack.*the command pulumi is not on the PATH.*Put the pulumi CLI on the PATH/,
  );
  expect((await stack.export()).named("last.old").id).toBe(idOf("last"));
  expect(sent()).toEqual(["PATCH failing"]);
  const stillThere = simulator.control.state().pipes.length;
  // Only the engine of the dynamic form tells that it runs no program, so that nothing else can have a pipe.
  const destroyed = await stack.destroy({ withoutCli: true, expectFailure: isNative });
  if (isNative) expect(destroyed.output).toContain("Put the pulumi CLI on the PATH");
  expect(simulator.control.state().pipes).toHaveLength(isNative ? stillThere : 0);
  if (isNative) await stack.destroy();
  expect(simulator.control.state().pipes).toEqual([]);
}

test("a run deletes no pipe that another resource adopts, has adopted or has failed to adopt", async () => {
  const pipes = await deployPipes();
  expect(pipes.sent()).toEqual(Array(tables.length).fill("POST"));
  await expectSecondAdopterRefused(pipes);
  await expectAdoptionAfterReplacementRefused(pipes);
  await expectAdoptedPipesKept(pipes);
  await expectAdopterOutsideTargetKnown(pipes);
  await expectNothingDeletedWithoutState(pipes);
});
