import { accountOf } from "../../testkit/examples";
import { deploy, destroy, stackOf } from "./example";

test("two-accounts creates a pipe in each account", async () => {
  const { simulator, stack } = await stackOf("two-accounts");
  await deploy(stack);
  const pipes = simulator.control.state().pipes.map(({ name, serviceId }) => ({ name, serviceId }));
  const expected = [1, 2].map((number) => ({ name: "orders", serviceId: accountOf(number).serviceIds[0] }));
  expect(pipes).toHaveLength(2);
  expect(pipes).toEqual(expect.arrayContaining(expected));
  await destroy(stack);
});

test("inventory shows pipes of an account, and changes nothing", async () => {
  const { simulator, stack } = await stackOf("inventory");
  await deploy(stack);
  expect((await stack.outputs())["states"]).toEqual({ theirs: "Running" });
  await destroy(stack);
  expect(simulator.control.state().pipes).toHaveLength(1);
});
