import { canary, leaks } from "../../testkit/canary";
import { minimal } from "../../testkit/pipes";
import { newSimulator, pipeNamed, takeWrites } from "../../testkit/simulator";
import { newYamlStack, rewrite } from "../../testkit/yaml";

const orders = (properties: object) => ({
  resources: { orders: { type: "datapipes:Pipe", properties } },
  outputs: { state: "${orders.state}" },
});

test("a program in YAML goes up, shows an empty preview, changes its pipe, and is destroyed", async () => {
  const key = canary("yaml-key");
  const simulator = await newSimulator({ accounts: [accountWith(key)] });
  const methods = () => takeWrites(simulator).map(({ method }) => method);
  const stack = await newYamlStack(orders(minimal.kafka), { simulator });
  const up = await stack.up();
  expect(methods()).toEqual(["POST"]);
  await stack.preview({ expectNoChanges: true });
  await stack.refresh({ flags: ["--expect-no-changes"] });
  await stack.preview({ expectNoChanges: true });
  expect(await stack.outputs()).toEqual({ state: "Running" });

  await rewrite(stack, orders({ ...minimal.kafka, name: "renamed", deletionPolicy: "delete" }));
  const preview = await stack.preview({ diff: true });
  await stack.up();
  expect(methods()).toEqual(["PATCH"]);
  expect(pipeNamed(simulator, "renamed").state).toBe("Running");

  const destroy = await stack.destroy();
  expect(methods()).toEqual(["DELETE"]);
  const texts = { up: up.output, preview: preview.output, destroy: destroy.output };
  expect(leaks({ ...texts, stored: await stack.storedText() }, [key])).toEqual([]);
});

const accountWith = (apiKeySecret: string) => ({
  apiKeyId: "yaml-key",
  apiKeySecret,
  organizationId: "0a1b2c3d-0000-4000-8000-0000000000f1",
  serviceIds: ["0a1b2c3d-0000-4000-8000-0000000000f2"],
});
