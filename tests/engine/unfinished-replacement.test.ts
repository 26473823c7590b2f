import { isNative } from "../../testkit/adapter";
import { minimal, pipesProgram, withValue } from "../../testkit/pipes";
import { newSimulator, takeWrites } from "../../testkit/simulator";
import { deployed } from "../../testkit/stack";

const allowed = { ...minimal.kafka, replacementPolicy: "allow" };
const replaced = { ...withValue(allowed, "source.kafka.topics", "other"), deletionPolicy: "delete" };

test("a replacement whose deletion is refused leads to no second pipe, whatever the program declares next", async () => {
  const { simulator, stack } = await deployed(pipesProgram({ orders: minimal.kafka }), {
    simulator: await newSimulator({ deletes: false }),
  });
  const creates = (): number => takeWrites(simulator).filter(({ method }) => method === "POST").length;
  expect(creates()).toBe(1);
  const [{ id } = { id: "" }] = simulator.control.state().pipes;
  await stack.write(pipesProgram({ orders: replaced }));
  const refused = await stack.up({ expectFailure: true });
  expect(refused.output).toContain(
    isNative ? 'deletionPolicy: "retain"' : "set adopt to its id, with the old values",
  );

  for (const args of [allowed, minimal.kafka]) {
    await stack.write(pipesProgram({ orders: args }));
    const { output } = await stack.up({ expectFailure: !isNative });
    if (!isNative) expect(output).toContain(`set adopt to ${id} if that still exists`);
  }
  expect(creates()).toBe(0);

  if (!isNative) {
    await stack.pulumi(["state", "delete", (await stack.export()).named("orders").urn, "--yes"]);
    await stack.write(pipesProgram({ orders: { ...minimal.kafka, adopt: id } }));
    await stack.up();
  }
  expect([creates(), simulator.control.state().pipes.length]).toEqual([0, 1]);
  await stack.preview({ expectNoChanges: true });
});
