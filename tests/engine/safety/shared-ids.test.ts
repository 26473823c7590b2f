import type { JsonObject } from "../../kit/json";
import { isNative } from "../../kit/program";
import { pipeNamed, takeWrites } from "../../kit/simulator";
import { deployStack } from "../../kit/stack";
import { pipe, programOf, type Declaration, type Options } from "./declarations";

const remove = { deletionPolicy: "delete" };
const allow = { replacementPolicy: "allow" };

/** The resource that creates the pipe of a table. */
const old = (table: string, more: JsonObject = {}, options?: Options): Declaration =>
  pipe(`${table}.old`, table, { ...remove, ...more }, options);

/** A stack in which these resources have created pipes. */
async function deployPipes(...declarations: readonly Declaration[]) {
  const { simulator, stack } = await deployStack(programOf(declarations));
  takeWrites(simulator);
  const ids = new Map(simulator.control.state().pipes.map(({ id, name }) => [name, id]));
  const idOf = (table: string): string => ids.get(table) ?? "";
  return {
    simulator,
    stack,
    idOf,
    write: (...changed: readonly Declaration[]) => stack.write(programOf(changed)),
    /** A resource that takes over the pipe of a table. */
    adopting: (table: string, more: JsonObject = {}, options?: Options) =>
      pipe(`${table}.new`, table, { ...remove, adopt: idOf(table).toUpperCase(), ...more }, options),
    /** The writes since the last call. */
    sent: () =>
      takeWrites(simulator)
        .map(({ method, path }) => (method === "POST" ? method : `${method} ${path}`))
        .sort(),
  };
}

test("two resources of one provider instance cannot adopt the same pipe", async () => {
  const { stack, idOf, write, adopting } = await deployPipes(old("held"));
  const one = { ...adopting("held", { name: "one" }), name: "one" };
  await write(one, adopting("held"));
  const { output } = await stack.preview({ expectFailure: true });
  const refusal = `adopt names ${idOf("held")}, which resource "(one|held\\.new)" of this program manages`;
  expect(output).toMatch(new RegExp(refusal, "i"));
});

test("a preview refuses to adopt what a replacement deletes", async () => {
  const { stack, idOf, write, adopting } = await deployPipes(old("first", allow));
  const replaced = old("first", { ...allow, "source.kafka.topics": "others" });
  await write(replaced, adopting("first", {}, { dependsOn: "first.old" }));
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toMatch(new RegExp(`adopt names ${idOf("first")}, which resource "first.old" of`, "i"));
});

describe("a run in which other resources adopt pipes", () => {
  let deployed: Awaited<ReturnType<typeof deployPipes>>;
  let output: string;

  beforeAll(async () => {
    const tables = ["removed", "renamed", "failing", "aliased", "moved", "provided"];
    const before = tables.map((table) => old(table));
    deployed = await deployPipes(...before, old("forced", allow), old("first", allow));
    const { simulator, stack, write, adopting } = deployed;
    await write(
      adopting("renamed"),
      adopting("failing", { name: "failing 2" }),
      adopting("aliased", {}, { formerName: "aliased.old" }),
      { ...adopting("moved", {}, { moved: true }), name: "moved.old" },
      adopting("provided", {}, { provided: true }),
      adopting("forced", allow),
      old("forced", allow, { dependsOn: "forced.new" }),
      adopting("first", allow),
      old("first", { ...allow, "source.kafka.topics": "others" }, { dependsOn: "first.new" }),
    );
    simulator.control.fault({ operationId: "updatePipe", kind: "status", status: 400 });
    const flags = ["--continue-on-error", "--replace", "**::forced.old"];
    ({ output } = await stack.up({ flags, expectFailure: true }));
  });

  test("deletes only the pipe that no resource adopts", () => {
    const [deleted, updated] = [deployed.idOf("removed"), deployed.idOf("failing")];
    expect(deployed.sent()).toEqual([`DELETE /pipes/${deleted}`, `PATCH /pipes/${updated}`, "POST", "POST"]);
  });

  test.each([
    ["another resource has adopted", "renamed"],
    ["another resource has failed to adopt", "failing"],
    ["a resource of another provider has adopted", "provided"],
    ["another resource has adopted, after `--replace`", "forced"],
    ["another resource has adopted, after a replacement", "first"],
  ])("says that a pipe is not deleted that %s", (_, table) => {
    const id = deployed.idOf(table);
    expect(output).toMatch(new RegExp(`${id}.* is not deleted: resource "${table}\\.new" uses it`));
  });
});

test("a run knows from the state that a resource outside its target has adopted a pipe", async () => {
  const { stack, write, adopting, sent } = await deployPipes(old("held"));
  await write(adopting("held"));
  await stack.up({ flags: ["--target", "**::held.new"] });
  const { output } = await stack.up({ flags: ["--target", "**::held.old"] });
  expect(output).toMatch(/is not deleted: resource "held\.new" uses it/);
  expect(sent()).toEqual([]);
  await stack.preview({ expectNoChanges: true });
});

test("a run deletes no pipe that it has adopted with another provider instance", async () => {
  const program = (resources: string): string => `
const p1 = new datapipes.Provider("p1");
const p2 = new datapipes.Provider("p2");
const pipe = (name, table, args, options) => new datapipes.Pipe(name, {
  source: { kafka: { brokers: "b-1.example:9092", topics: "orders" } },
  destination: { table }, deletionPolicy: "delete", replacementPolicy: "allow", ...args }, options);
${resources}`;
  const { simulator, stack } = await deployStack(
    program('pipe("x", "x", {}, { provider: p1 }); pipe("a", "a", {}, { provider: p1 });'),
  );
  const { id } = pipeNamed(simulator, "a");
  await stack.write(
    program(`
const x = pipe("x", "x", { scaling: { replicas: 2 } }, { provider: p2, deleteBeforeReplace: true });
pipe("b", "a", { name: "a", adopt: "${id}" }, { provider: p2, dependsOn: [x] });`),
  );
  await stack.up();
  expect(pipeNamed(simulator, "a").id).toBe(id);
  expect((await stack.export()).named("b").id).toBe(id);
  await stack.preview({ expectNoChanges: true });
});

test("a new pipe with the former name of a deleted one does not decide whether that is deleted", async () => {
  const { stack, idOf, write, sent } = await deployPipes(old("held"));
  await write(pipe("renamed", "held", remove, { formerName: "held.old" }));
  await stack.up();
  await write(pipe("held.old", "other"));
  await stack.up();
  expect(sent()).toEqual([`DELETE /pipes/${idOf("held")}`, "POST"]);
});

describe("without a CLI that reads the state", () => {
  test("`pulumi up` deletes nothing, and says what to do", async () => {
    const { stack, idOf, write, sent } = await deployPipes(old("last"));
    await write();
    const { output } = await stack.up({ withoutCli: true, expectFailure: true });
    expect(output).toMatch(
      /Nothing was deleted: .* the state of the stack.*the command pulumi is not on the PATH.*Put the pulumi CLI on the PATH/,
    );
    expect((await stack.export()).named("last.old").id).toBe(idOf("last"));
    expect(sent()).toEqual([]);
  });

  // Only the engine of dynamic resources tells that it runs no program, so that nothing else can have a pipe.
  const does = isNative ? "deletes nothing" : "deletes all";
  test(`\`pulumi destroy\` ${does}`, async () => {
    const { simulator, stack } = await deployPipes(old("last"));
    const { output } = await stack.destroy({ withoutCli: true, expectFailure: isNative });
    if (isNative) expect(output).toContain("Put the pulumi CLI on the PATH");
    expect(simulator.control.state().pipes).toHaveLength(isNative ? 1 : 0);
  });
});
