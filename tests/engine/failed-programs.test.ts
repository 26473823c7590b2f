import { minimal } from "../kit/pipes";
import { declaration } from "../kit/program";
import { newSimulator } from "../kit/simulator";
import { newStack } from "../kit/stack";

/** The errors that a run prints at its end, and what Node has to say besides. */
function diagnostics(output: string): { errors: string[]; noise: string[] } {
  const end = output.slice(output.indexOf("Diagnostics:"));
  const lines = end.split("\n").map((line) => line.trim());
  return {
    errors: lines.filter((line) => line.startsWith("error:")),
    noise: lines.filter((line) => /Warning|trace-warnings|^at /.test(line)),
  };
}

const args = JSON.stringify(minimal.kafka);
const missing = 'datapipes.getPipeOutput({ name: "missing" })';
const used = `const { name } = ${missing}; new datapipes.Pipe("orders", { ...${args}, name });`;
const nonsense = '({ name: "orders", serviceId: "nonsense" });';
const exported = `exports.id = new datapipes.Pipe("orders", ${args}).id;
  exports.pipe = datapipes.getPipeOutput${nonsense}`;
const NONE = /getPipe failed: service .* has no pipe with the name "missing"/;
const NO_UUID = /serviceId must be a UUID, .* got "nonsense"/;

const failures: [what: string, program: string, error: RegExp][] = [
  ["a failed Output form that a pipe uses", used, NONE],
  ["a promise that fails at once, and is exported", `exports.pipe = datapipes.getPipe${nonsense}`, NO_UUID],
  ["an Output form that fails at once, and is exported after a resource", exported, NO_UUID],
  ["an Output form that finds nothing, and that nothing uses", missing, NONE],
];

test.each(failures)("%s causes one error, without a stack trace or a warning of Node", async (...row) => {
  const [, program, error] = row;
  const stack = await newStack({ simulator: await newSimulator(), program, cold: true });
  const { output } = await stack.preview({ expectFailure: true });
  const { errors, noise } = diagnostics(output);
  expect(errors).toEqual([expect.stringMatching(error)]);
  expect(noise).toEqual([]);
});

test("an error of the engine about a declaration names the line of the program", async () => {
  const program = declaration("Pipe", "orders", minimal.kafka, '{ customTimeouts: { create: "soon" } }');
  const stack = await newStack({ simulator: await newSimulator(), program });
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toMatch(
    /customTimeout Value soon\n +at Object\.registerResource .*\n(?: +at .*\n)* +at .*index\.js:\d+:\d+/,
  );
});
