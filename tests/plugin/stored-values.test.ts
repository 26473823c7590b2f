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
  const { check, create, read } = callsOn(() => plugin);
  const { inputs } = await check(minimal.kafka);
  const { id, outputs } = await create(inputs);
  const { kafka } = minimal.kafka["source"] as { kafka: object };
  const credentials = { username: "u", password: canary("password") };
  // The engine stores the inputs of the failed update, and the outputs that the details of its error have.
  const unsent = { source: { kafka: { ...kafka, credentials } }, settings: { dbmsMaxThreads: 3 } };
  const after = await read(id, outputs, { ...inputs, ...unsent });
  expect(after.inputs).toHaveProperty("source.kafka");
  for (const properties of [after.inputs, after.outputs]) {
    expect(properties).not.toHaveProperty("source.kafka.credentials");
    expect(properties).not.toHaveProperty("settings");
  }
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
  const withRoles = await on.check(
    withValue(minimal.kafka, "destination.roles", ["reader"]),
    imported.inputs,
  );
  await expect(on.diff(id, imported.outputs, withRoles.inputs)).rejects.toThrow(
    /the API never returns destination\.roles\. .* Set the argument `adopt` in place of the import/,
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
