import type { JsonObject } from "../kit/json";
import { minimal, pipeInOwnTable } from "../kit/pipes";
import { declaration } from "../kit/program";
import { newSimulator, takeMethods, takeWrites } from "../kit/simulator";
import { newStack } from "../kit/stack";
import { deletionsIn } from "./expectations";

const deleted: JsonObject = { deletionPolicy: "delete" };

/** Options by whose transform the policy becomes "delete". */
const transforms = (opts: string): string =>
  `{ transforms: [({ props, opts }) => ({ props: { ...props, deletionPolicy: "delete" }, opts: ${opts} })] }`;

const everyPolicy = [
  'const group = new pulumi.ComponentResource("test:index:Group", "group");',
  pipeInOwnTable("kept", {}, "{ parent: group }"),
  pipeInOwnTable("kept-by-name", { deletionPolicy: "retain" }),
  pipeInOwnTable("deleted", deleted),
  pipeInOwnTable("kept-by-option", deleted, "{ retainOnDelete: true }"),
  pipeInOwnTable("half", {}, transforms("opts")),
  pipeInOwnTable("whole", {}, transforms("{ ...opts, retainOnDelete: false }")),
  declaration("ReversePrivateEndpoint", "endpoint", { description: "d", type: "VPC_ENDPOINT_SERVICE" }),
  declaration("ServiceSettings", "settings", { name: "Shop" }),
  'datapipes.getPipe({ name: "missing" }).catch(({ code }) => pulumi.log.info(`handled: ${code}`));',
].join(";\n");

const expected = {
  kept: "delete[retain]",
  "kept-by-name": "delete[retain]",
  deleted: "delete",
  "kept-by-option": "delete[retain]",
  half: "delete[retain]",
  whole: "delete",
  endpoint: "delete[retain]",
  settings: "delete[retain]",
};

test("a preview shows delete[retain] for retained pipes, also in a stack of an older version", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program: everyPolicy });
  const created = await stack.up();
  // A program that handles a failed data function goes on without an error.
  expect(created.output).toContain("handled: not-found");
  expect(created.output).not.toMatch(/error|Warning/);
  takeWrites(simulator);
  expect(deletionsIn((await stack.pulumi(["destroy", "--preview-only"])).output)).toEqual(expected);

  // As a version stored it that did not set the option.
  const withoutOption = { retainOnDelete: undefined };
  await stack.editState((one) => (/::(half|whole)$/.test(one.urn) ? [one] : [{ ...one, ...withoutOption }]));
  await stack.preview({ expectNoChanges: true });
  const up = await stack.up();
  expect(up.output).toMatch(/unchanged/);
  await stack.write("");
  expect(deletionsIn((await stack.preview()).output)).toEqual(expected);
  await stack.up();
  expect(takeMethods(simulator)).toEqual(["DELETE", "DELETE"]);
  const left = simulator.control.state().pipes.map(({ name }) => name);
  expect(left.sort()).toEqual(["half", "kept", "kept-by-name", "kept-by-option"]);
});

test("the option import is refused with what to use instead", async () => {
  const program = declaration("Pipe", "orders", minimal.kafka, '{ import: "some-id" }');
  const stack = await newStack({ simulator: await newSimulator(), program });
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toMatch(
    /Pipe "orders": the resource option `import` .* `adopt: "<id>"` or run `npx pulumi-datapipes import`/,
  );
});
