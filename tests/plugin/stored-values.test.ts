import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { canary } from "../../testkit/canary";
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
