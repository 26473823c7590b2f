import { complete, creationBody } from "../../testkit/pipes";
import { newSimulator, type SeedPipe } from "../../testkit/simulator";
import { deploy, destroy, stackOf } from "./example";

/** The account of a number. */
const accountOf = (number: number) => ({
  apiKeyId: `key-${number}`,
  apiKeySecret: `secret-of-key-${number}`,
  organizationId: `0a1b2c3d-0000-4000-8000-0000000000a${number}`,
  serviceIds: [`0a1b2c3d-0000-4000-8000-0000000000b${number}`],
});

/** The settings of an account in a namespace of the configuration. */
const settingsOf = (
  namespace: string,
  { apiKeyId, apiKeySecret, organizationId, serviceIds }: ReturnType<typeof accountOf>,
) => ({
  config: {
    [`${namespace}:apiKeyId`]: apiKeyId,
    [`${namespace}:organizationId`]: organizationId,
    [`${namespace}:serviceId`]: serviceIds[0] ?? "",
  },
  secrets: { [`${namespace}:apiKeySecret`]: apiKeySecret },
});

test("two-accounts creates a pipe in each account", async () => {
  const accounts = [accountOf(1), accountOf(2)] as const;
  const simulator = await newSimulator({ accounts: [...accounts] });
  const [europe, america] = [settingsOf("europe", accounts[0]), settingsOf("america", accounts[1])];
  const { stack } = await stackOf("two-accounts", {
    simulator,
    config: { ...europe.config, ...america.config },
    secrets: { ...europe.secrets, ...america.secrets, "two-accounts:kafkaPassword": "any" },
  });
  await deploy(stack);
  const pipes = simulator.control.state().pipes.map(({ name, serviceId }) => ({ name, serviceId }));
  const expected = accounts.map(({ serviceIds }) => ({ name: "orders", serviceId: serviceIds[0] }));
  expect(pipes).toHaveLength(2);
  expect(pipes).toEqual(expect.arrayContaining(expected));
  await destroy(stack);
});

test("inventory shows pipes of an account, and changes nothing", async () => {
  const account = accountOf(1);
  const simulator = await newSimulator({ accounts: [account] });
  simulator.control.seedPipes([creationBody("theirs", complete.kafka) as unknown as SeedPipe]);
  const { config, secrets } = settingsOf("inventory", account);
  const { stack } = await stackOf("inventory", {
    simulator,
    config: { ...config, "inventory:pipe": "theirs" },
    secrets,
  });
  await deploy(stack);
  expect((await stack.outputs())["states"]).toEqual({ theirs: "Running" });
  await destroy(stack);
  expect(simulator.control.state().pipes).toHaveLength(1);
});
