import { idsOf, newMovableStack, plannedSteps, writeForm, type Declaration } from "./moving";
import type { JsonObject } from "../../testkit/json";
import { minimal } from "../../testkit/pipes";
import { newSimulator, takeWrites } from "../../testkit/simulator";

const pipe = (more: JsonObject): Declaration => ({ type: "Pipe", args: { ...minimal.kafka, ...more } });
const retained = pipe({});
const deleted = pipe({ deletionPolicy: "delete" });

describe.each([
  ["dynamic", "yaml"],
  ["yaml", "dynamic"],
] as const)("when a stack moves from %s to %s", (from, to) => {
  test("policies hold", async () => {
    const simulator = await newSimulator();
    const resources = { kept: retained, doomed: retained, spared: deleted, left: retained, removed: deleted };
    const stack = await newMovableStack(simulator, from, { resources });
    await stack.up();
    const ids = await idsOf(stack);
    takeWrites(simulator);
    const deletions = () => takeWrites(simulator).map(({ method, path }) => `${method} ${path}`);

    // The move removes two pipes, and changes the policy of two others.
    await writeForm(stack, to, { resources: { kept: retained, doomed: deleted, spared: retained } });
    await stack.up();
    expect(deletions()).toEqual([`DELETE /pipes/${ids["removed"] ?? ""}`]);
    await stack.refresh({ flags: ["--expect-no-changes"] });
    await writeForm(stack, to, { resources: {} });
    await stack.up();
    expect(deletions()).toEqual([`DELETE /pipes/${ids["doomed"] ?? ""}`]);
    const left = simulator.control.state().pipes.map(({ id }) => id);
    expect(left.sort()).toEqual([ids["kept"], ids["spared"], ids["left"]].sort());
  });

  test("a pipe whose last run failed is not created again", async () => {
    const simulator = await newSimulator();
    const waitingFor = (states: string[]) => ({ orders: pipe({ waitFor: { states, timeoutSeconds: 1 } }) });
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
