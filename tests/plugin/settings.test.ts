import { configure, settingsOf, startPlugin } from "../../testkit/native-plugin";
import { minimal } from "../../testkit/pipes";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import { callsOn } from "./calls";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await newSimulator();
});

test("settings come from a provider's arguments, then from the stack's configuration, then from the environment", async () => {
  const { url, account } = simulator;
  const { baseUrl: _, organizationId: _organizationId, ...given } = settingsOf(simulator);
  const ofStack = { baseUrl: url, organizationId: account.organizationId, serviceId: "of the stack" };
  const env = {
    ...process.env,
    // The engine passes the stack's configuration of the package here.
    PULUMI_CONFIG: JSON.stringify(ofStack),
    DATAPIPES_ORGANIZATION_ID: "of the environment",
  };
  const plugin = await startPlugin(undefined, { env });
  await configure(plugin, given);
  const { inputs, failures } = await callsOn(() => plugin).check(minimal.kafka);
  expect(failures).toEqual([]);
  const { organizationId, serviceIds } = account;
  expect(inputs).toMatchObject({ organizationId, serviceId: serviceIds[0] });
});

test("a problem of the configuration is a failure of each resource's check", async () => {
  const plugin = await startPlugin();
  await configure(plugin, { ...settingsOf(simulator), serviceId: "no-uuid" });
  const { failures } = await callsOn(() => plugin).check(minimal.kafka);
  expect(failures.map(([, reason]) => reason)).toEqual([
    expect.stringContaining('datapipes:serviceId is "no-uuid"'),
  ]);
});
