import { leaks } from "../kit/canary";
import { exampleCases } from "./cases";
import { takeMethods, takeWrites } from "../kit/simulator";
import { destroy, stackOf } from "./example";

test("quickstart creates two pipes, then shows no change and no secret, and leaves the pipes", async () => {
  const { simulator, stack } = await stackOf("quickstart");
  const up = await stack.up();
  expect(up.output).toContain("Outputs:");
  expect(takeMethods(simulator)).toEqual(["POST", "POST"]);
  const preview = await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  const texts = { output: up.output + preview.output, stored: await stack.storedText() };
  expect(leaks(texts, Object.values(exampleCases["quickstart"]?.secrets ?? {}))).toEqual([]);
  await destroy(stack);
  expect(takeWrites(simulator)).toEqual([]);
  expect(simulator.control.state().pipes).toHaveLength(2);
});
