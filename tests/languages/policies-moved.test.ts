import { idsOf, newMovableStack, plannedSteps, writeForm, type Declaration } from "./moving";
import { minimal, type JsonObject } from "../../testkit/pipes";
import { newSimulator, takeWrites } from "../../testkit/simulator";

const pipe = (policies: JsonObject): Declaration => ({
  type: "Pipe",
  args: { ...minimal.kafka, ...policies },
});
const retained = pipe({});
const deleted = pipe({ deletionPolicy: "delete" });

test.each([
  ["dynamic", "yaml"],
  ["yaml", "dynamic"],
] as const)("policies hold when a stack moves from %s to %s", async (from, to) => {
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

test.each([
  ["dynamic", "yaml"],
  ["yaml", "dynamic"],
] as const)(
  "a pipe whose last run failed moves from %s to %s, and is not created again",
  async (from, to) => {
    const simulator = await newSimulator();
    const waiting = pipe({ waitFor: { states: ["Nope"], timeoutSeconds: 1 } });
    const stack = await newMovableStack(simulator, from, { resources: { orders: waiting } });
    await stack.up({ expectFailure: true });
    const ids = await idsOf(stack);
    expect(simulator.control.state().pipes.map(({ id }) => id)).toEqual([ids["orders"]]);
    takeWrites(simulator);

    await writeForm(stack, to, { resources: { orders: pipe({ waitFor: { states: ["Running"] } }) } });
    expect(await plannedSteps(stack)).toEqual(["update Pipe::orders"]);
    await stack.up();
    expect(takeWrites(simulator)).toEqual([]);
    expect(await idsOf(stack)).toEqual(ids);
    await stack.preview({ expectNoChanges: true });
  },
);
