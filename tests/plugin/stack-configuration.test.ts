import * as pb from "@pulumi/pulumi/proto/provider_pb";
import {
  call,
  configure,
  settingsOf,
  startPlugin,
  structOf,
  urnOf,
  valuesOf,
  type NativePlugin,
} from "../../testkit/native-plugin";
import { minimal } from "../../testkit/pipes";
import { newSimulator, type Simulator } from "../../testkit/simulator";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await newSimulator();
});

/** The answer to the check of a pipe. */
function check({ client }: NativePlugin): Promise<pb.CheckResponse> {
  const request = new pb.CheckRequest().setUrn(urnOf("orders")).setNews(structOf(minimal.kafka));
  return call((done) => client.check(request, done));
}

test("settings come from a provider's arguments, then from the stack's configuration, then from the environment", async () => {
  const { url, account } = simulator;
  const { baseUrl: _, organizationId: _organizationId, ...given } = settingsOf(simulator);
  const ofStack = { baseUrl: url, organizationId: account.organizationId, serviceId: "of the stack" };
  const plugin = await startPlugin(undefined, {
    env: {
      ...process.env,
      // The engine passes the stack's configuration of the package here.
      PULUMI_CONFIG: JSON.stringify(ofStack),
      DATAPIPES_ORGANIZATION_ID: "of the environment",
    },
  });
  await configure(plugin, given);
  const response = await check(plugin);
  expect(response.getFailuresList()).toEqual([]);
  const { organizationId, serviceIds } = account;
  expect(valuesOf(response.getInputs())).toMatchObject({ organizationId, serviceId: serviceIds[0] });
});
test("a problem of the configuration is a failure of each resource's check", async () => {
  const plugin = await startPlugin();
  await configure(plugin, { ...settingsOf(simulator), serviceId: "no-uuid" });
  const response = await check(plugin);
  expect(response.getFailuresList().map((failure) => failure.getReason())).toEqual([
    expect.stringContaining('datapipes:serviceId is "no-uuid"'),
  ]);
});
