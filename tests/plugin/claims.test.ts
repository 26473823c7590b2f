import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { call, configure, settingsOf, startPlugin, structOf, urnOf } from "../../testkit/native-plugin";
import { newSimulator } from "../../testkit/simulator";

test("refuses a second resource for the settings of one service, and none after the next configuration", async () => {
  const simulator = await newSimulator();
  const plugin = await startPlugin(simulator);
  const failuresOf = async (name: string, news: object): Promise<string[]> => {
    const request = new pb.CheckRequest().setUrn(urnOf(name, "ServiceSettings")).setNews(structOf(news));
    const response = await call<pb.CheckResponse>((done) => plugin.client.check(request, done));
    return response.getFailuresList().map((failure) => failure.getReason());
  };
  const serviceId = simulator.account.serviceIds[0] ?? "";
  expect(await failuresOf("one", { name: "Shop" })).toEqual([]);
  expect(await failuresOf("one", { name: "Store" })).toEqual([]);
  const conflict = expect.stringContaining('"two" and "one" are both for service') as string;
  expect(await failuresOf("two", { serviceId: serviceId.toUpperCase() })).toEqual([conflict]);
  await configure(plugin, settingsOf(simulator));
  expect(await failuresOf("two", { name: "Shop" })).toEqual([]);
});
