import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { canary } from "../../testkit/canary";
import {
  call,
  configure,
  detailsOf,
  settingsOf,
  startPlugin,
  structOf,
  urnOf,
  valuesOf,
  type NativePlugin,
} from "../../testkit/native-plugin";
import { minimal, withValue } from "../../testkit/pipes";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import { callsOn } from "./calls";

let simulator: Simulator;
let plugin: NativePlugin;

beforeAll(async () => {
  simulator = await newSimulator();
  plugin = await startPlugin(simulator);
});

test("secret configuration, which the engine sends with its mark, is the credential of the requests", async () => {
  const own = await startPlugin();
  await configure(own, settingsOf(simulator));
  const invoke = new pb.InvokeRequest().setTok("datapipes:index:getPipes").setArgs(structOf({}));
  const response = await call<pb.InvokeResponse>((done) => own.client.invoke(invoke, done));
  expect(valuesOf(response.getReturn())).toEqual({ pipes: [] });
});

test("a read after a failed update does not take the inputs that the provider has not sent for declared values", async () => {
  const urn = urnOf("orders");
  const check = new pb.CheckRequest().setUrn(urn).setNews(structOf(minimal.kafka));
  const checked = await call<pb.CheckResponse>((done) => plugin.client.check(check, done));
  const create = new pb.CreateRequest().setUrn(urn).setProperties(checked.getInputs());
  const created = await call<pb.CreateResponse>((done) => plugin.client.create(create, done));
  const { kafka } = minimal.kafka["source"] as { kafka: object };
  const credentials = { username: "u", password: canary("password") };
  // The engine stores the inputs of the failed update, and the outputs that the details of its error have.
  const read = new pb.ReadRequest()
    .setUrn(urn)
    .setId(created.getId())
    .setInputs(structOf({ ...valuesOf(checked.getInputs()), source: { kafka: { ...kafka, credentials } } }))
    .setProperties(created.getProperties());
  const response = await call<pb.ReadResponse>((done) => plugin.client.read(read, done));
  expect(valuesOf(response.getInputs())).toHaveProperty("source.kafka");
  for (const properties of [response.getInputs(), response.getProperties()])
    expect(valuesOf(properties)).not.toHaveProperty("source.kafka.credentials");
});

test("an import that only a replacement could bring to the program's values is refused, whatever the policy", async () => {
  const on = callsOn(() => plugin);
  const { id } = await on.create((await on.check(minimal.kafka, {}, urnOf("made"))).inputs, {
    of: urnOf("made"),
  });
  const imported = await on.read(id);
  const news = { ...withValue(minimal.kafka, "source.kafka.topics", "other"), replacementPolicy: "allow" };
  const { inputs } = await on.check(news, imported.inputs);
  await expect(on.diff(id, imported.outputs, inputs)).rejects.toThrow(
    /cannot be imported as the program declares it: source\.kafka\.topics is "orders" in the service, and "other" in the program/,
  );
});

test("a diff names no change that only the state learns: replaceOnChanges would replace the resource for it", async () => {
  const own = await startPlugin(simulator);
  const on = callsOn(() => own);
  const declared = withValue(minimal.kafka, "source.kafka.consumerGroup", "loader");
  const { id, outputs } = await on.create((await on.check(declared)).inputs);
  const { inputs } = await on.check(minimal.kafka, outputs);
  const response = await on.diff(id, outputs, inputs);
  expect(response.getChanges()).toBe(pb.DiffResponse.DiffChanges.DIFF_SOME);
  expect([response.getHasdetaileddiff(), detailsOf(response), response.getReplacesList()]).toEqual([
    true,
    [],
    [],
  ]);
});
