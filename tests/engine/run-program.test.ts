import { intoTable, pipeInOwnTable } from "../kit/pipes";
import { pluginFolder } from "../kit/sdk";
import { newSimulator } from "../kit/simulator";
import { newStack } from "../kit/stack";
import { deletionsIn } from "./expectations";

test("destroy --run-program deletes what the program and the stack delete, and names the rest", async () => {
  const simulator = await newSimulator();
  const native = (name: string, deletionPolicy: string): string => {
    const args = JSON.stringify({ ...intoTable(name), name, deletionPolicy });
    return `new pulumi.CustomResource("datapipes:index:Pipe", "${name}", ${args});\n`;
  };
  const program = (first: string, second: string): string =>
    [
      pipeInOwnTable("first", { deletionPolicy: first }),
      pipeInOwnTable("second", { deletionPolicy: second }),
      pipeInOwnTable("default"),
      native("native-first", first),
      native("native-second", second),
    ].join("");
  const stack = await newStack({ simulator, path: [pluginFolder], program: program("delete", "retain") });
  await stack.up();
  await stack.write(program("retain", "delete"));
  const preview = await stack.pulumi(["destroy", "--preview-only", "--run-program"]);
  const run = await stack.destroy({ flags: ["--run-program"] });
  expect(deletionsIn(preview.output)).toEqual({
    first: "delete[retain]",
    second: "delete",
    default: "delete[retain]",
    // The native plugin sets no option, and Pulumi does not tell it what the program says.
    "native-first": "delete",
    "native-second": "delete",
  });
  for (const name of ["second", "native-second"])
    expect(run.output).toMatch(new RegExp(`pipe "${name}" .* keeps running .* deletionPolicy is "retain"`));
  const left = simulator.control.state().pipes.map(({ name }) => name);
  expect(left.sort()).toEqual(["default", "first", "native-second", "second"]);
});
