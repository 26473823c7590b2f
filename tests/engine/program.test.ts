import { minimal, pipeInOwnTable } from "../kit/pipes";
import { declaration } from "../kit/program";
import { newSimulator, takeMethods } from "../kit/simulator";
import { deployStack, newStack } from "../kit/stack";
import { deletionsIn } from "./expectations";

const deleted = { deletionPolicy: "delete" };

/** Options with a transform that sets the policy "delete" and these options. */
const transformedTo = (opts: string): string =>
  `{ transforms: [({ props, opts }) => ({ props: { ...props, deletionPolicy: "delete" }, opts: ${opts} })] }`;

const program = [
  'const group = new pulumi.ComponentResource("test:index:Group", "group");',
  pipeInOwnTable("kept", {}, "{ parent: group }"),
  pipeInOwnTable("kept-by-name", { deletionPolicy: "retain" }),
  pipeInOwnTable("deleted", deleted),
  pipeInOwnTable("kept-by-option", deleted, "{ retainOnDelete: true }"),
  pipeInOwnTable("kept-by-same-options", {}, transformedTo("opts")),
  pipeInOwnTable("deleted-by-transform", {}, transformedTo("{ ...opts, retainOnDelete: false }")),
  declaration("ReversePrivateEndpoint", "endpoint", { description: "d", type: "VPC_ENDPOINT_SERVICE" }),
  declaration("ServiceSettings", "settings", { name: "Shop" }),
].join(";\n");

const expected = {
  kept: "delete[retain]",
  "kept-by-name": "delete[retain]",
  deleted: "delete",
  "kept-by-option": "delete[retain]",
  "kept-by-same-options": "delete[retain]",
  "deleted-by-transform": "delete",
  endpoint: "delete[retain]",
  settings: "delete[retain]",
};

test("a preview shows delete[retain] for each resource that is retained, and delete for others", async () => {
  const { simulator, stack } = await deployStack(program);
  expect(deletionsIn((await stack.pulumi(["destroy", "--preview-only"])).output)).toEqual(expected);
  takeMethods(simulator);
  await stack.write("");
  await stack.up();
  expect(takeMethods(simulator)).toEqual(["DELETE", "DELETE"]);
  const left = simulator.control.state().pipes.map(({ name }) => name);
  expect(left.sort()).toEqual(["kept", "kept-by-name", "kept-by-option", "kept-by-same-options"]);
});

test("one up without a write makes previews show delete[retain] in a stack of an older version", async () => {
  const { simulator, stack } = await deployStack(program);
  takeMethods(simulator);
  // Older versions did not set the option.
  await stack.editState((resource) => [{ ...resource, retainOnDelete: undefined }]);
  await stack.preview({ expectNoChanges: true });
  await stack.up();
  expect(takeMethods(simulator)).toEqual([]);
  await stack.write("");
  expect(deletionsIn((await stack.preview()).output)).toEqual(expected);
});

test("a program that handles the error of a data function succeeds without an error or warning", async () => {
  const calling =
    'datapipes.getPipe({ name: "missing" }).catch(({ code }) => pulumi.log.info(`handled: ${code}`));';
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program: calling + pipeInOwnTable("orders") });
  const { output } = await stack.up();
  expect(takeMethods(simulator)).toEqual(["POST"]);
  expect(output).toContain("handled: not-found");
  expect(output).not.toMatch(/error|warning/i);
});

test("the option import is refused with what to use instead", async () => {
  const program = declaration("Pipe", "orders", minimal.kafka, '{ import: "some-id" }');
  const stack = await newStack({ simulator: await newSimulator(), program });
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toMatch(
    /Pipe "orders": the resource option `import` .* `adopt: "<id>"` or run `npx pulumi-datapipes import`/,
  );
});
