import { valueAt } from "../../testkit/deployment";
import { completeAndMinimal, pipesProgram } from "../../testkit/pipes";
import { pipeNamed, takeWrites } from "../../testkit/simulator";
import { deployed } from "../../testkit/stack";

/** The dotted paths of all values that are no maps. A list is one value: the service may add to one of its elements. */
function leafPaths(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [at];
  return Object.entries(value).flatMap(([name, member]) =>
    leafPaths(member, at === "" ? name : `${at}.${name}`),
  );
}

/** The most lines of a preview with one drifted field: the engine's own frame, the path of the field and the end. */
const MOST_LINES = 45;

test("`observed` repeats neither the declared values nor other outputs, and a diff shows what drifted alone", async () => {
  const { simulator, stack } = await deployed(pipesProgram(completeAndMinimal));
  for (const step of ["up", "refresh"]) {
    if (step === "refresh") await stack.refresh({ flags: ["--expect-no-changes"] });
    const state = await stack.export({ showSecrets: true });
    for (const name of Object.keys(completeAndMinimal)) {
      const { outputs = {} } = state.named(name);
      const { observed } = outputs;
      for (const path of leafPaths(observed))
        expect([name, path, valueAt(observed, path)]).not.toEqual([name, path, valueAt(outputs, path)]);
      for (const own of ["id", "serviceId", "organizationId", "name", "state", "createdAt", "updatedAt"])
        expect(valueAt(observed, own)).toBeUndefined();
    }
  }
  takeWrites(simulator);

  const { id } = pipeNamed(simulator, "kafka");
  simulator.control.editPipe(id, { source: { kafka: { iamRole: "theirs" } } });
  const { output } = await stack.preview({ diff: true, flags: ["--refresh"] });
  expect(output).toMatch(/iamRole *: "theirs" => "role-of-kafka"/);
  expect(output).not.toContain("observed");
  expect(output).not.toContain("streamingMaxInsertWaitMs");
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
  expect(takeWrites(simulator)).toEqual([]);
});
