import { newSimulator, takeWrites } from "../../testkit/simulator";
import { deploy, destroy, stackOf, transpileOnly } from "./example";

test("service leaves entries of others alone, and removes them once it is exclusive", async () => {
  const simulator = await newSimulator();
  const theirs = { source: "198.51.100.9", description: "Their laptop" };
  simulator.control.editService(simulator.account.serviceIds[0] ?? "", { ipAccessList: [theirs] });
  const { stack } = await stackOf("service", { simulator });
  await deploy(stack);
  expect((await stack.outputs())["madeByOthers"]).toEqual([theirs]);
  takeWrites(simulator);
  await stack.setConfig({ "service:exclusive": "true" });
  await stack.up({ env: transpileOnly });
  expect(takeWrites(simulator).map(({ body }) => body)).toEqual([{ ipAccessList: { remove: [theirs] } }]);
  expect((await stack.outputs())["madeByOthers"]).toEqual([]);
  await destroy(stack);
});
