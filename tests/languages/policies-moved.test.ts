import { idsOf, newMovableStack, plannedSteps, writeForm, type Declaration } from "./moving";
import { mapValues, withValue, type JsonObject } from "../kit/json";
import { minimal } from "../kit/pipes";
import { newSimulator, takeWrites } from "../kit/simulator";

/** Pipes by their names, each into a table of its own. */
const pipes = (args: Record<string, JsonObject>): Record<string, Declaration> =>
  mapValues(args, (more, name) => ({
    type: "Pipe",
    args: { ...withValue(minimal.kafka, "destination.table", name), ...more },
  }));
const RETAIN = {};
const DELETE = { deletionPolicy: "delete" };

describe.each([
  { from: "dynamic", to: "yaml" },
  { from: "yaml", to: "dynamic" },
] as const)("when a stack moves from $from to $to", ({ from, to }) => {
  test("policies hold", async () => {
    const simulator = await newSimulator();
    const stays = { retained: RETAIN, retainedThenDeleted: RETAIN, deletedThenRetained: DELETE };
    const before = { ...stays, removedRetained: RETAIN, removedDeleted: DELETE };
    const stack = await newMovableStack(simulator, from, { resources: pipes(before) });
    await stack.up();
    const ids = await idsOf(stack);
    takeWrites(simulator);
    const deletions = () => takeWrites(simulator).map(({ method, path }) => `${method} ${path}`);

    const after = { retained: RETAIN, retainedThenDeleted: DELETE, deletedThenRetained: RETAIN };
    await writeForm(stack, to, { resources: pipes(after) });
    await stack.up();
    expect(deletions()).toEqual([`DELETE /pipes/${ids["removedDeleted"] ?? ""}`]);
    await stack.refresh({ flags: ["--expect-no-changes"] });
    await writeForm(stack, to, { resources: {} });
    await stack.up();
    expect(deletions()).toEqual([`DELETE /pipes/${ids["retainedThenDeleted"] ?? ""}`]);
    const left = simulator.control.state().pipes.map(({ id }) => id);
    expect(left.sort()).toEqual([ids["retained"], ids["deletedThenRetained"], ids["removedRetained"]].sort());
  });

  test("a pipe whose last run failed is not created again", async () => {
    const simulator = await newSimulator();
    const waitingFor = (states: string[]) => pipes({ orders: { waitFor: { states, timeoutSeconds: 1 } } });
    const stack = await newMovableStack(simulator, from, { resources: waitingFor(["Nope"]) });
    await stack.up({ expectFailure: true });
    const ids = await idsOf(stack);
    expect(simulator.control.state().pipes.map(({ id }) => id)).toEqual([ids["orders"]]);
    takeWrites(simulator);

    await writeForm(stack, to, { resources: waitingFor(["Running"]) });
    expect(await plannedSteps(stack)).toEqual(["update Pipe::orders"]);
    await stack.up();
    expect(takeWrites(simulator)).toEqual([]);
    expect(await idsOf(stack)).toEqual(ids);
    await stack.preview({ expectNoChanges: true });
  });
});
