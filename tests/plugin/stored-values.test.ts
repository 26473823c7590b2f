import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { canary } from "../kit/canary";
import { exportedResource, exportOf } from "../kit/deployment";
import { withValue, type Json, type JsonObject } from "../kit/json";
import { complete, creationBody, minimal } from "../kit/pipes";
import { urnOf } from "../kit/plugin";
import { newSimulator, type Simulator } from "../kit/simulator";
import { newPlugin, type Plugin } from "./in-process";

const { organizationId, serviceIds } = DEFAULT_ACCOUNT;
const [serviceId = ""] = serviceIds;

let simulator: Simulator;
let plugin: Plugin;

beforeAll(async () => {
  simulator = await newSimulator();
  plugin = await newPlugin(simulator);
});

test("a read after a failed update does not take unsent inputs for declared values", async () => {
  const { inputs, id, outputs } = await plugin.deploy(minimal.kafka);
  const credentials = { username: "u", password: canary("password") };
  // The engine stores the inputs of the failed update, and the outputs that the details of its error have.
  const unsent = withValue(inputs as JsonObject, "source.kafka.credentials", credentials);
  const after = await plugin.read(id, outputs, { ...unsent, settings: { dbmsMaxThreads: 3 } });
  expect(after.inputs).toHaveProperty("source.kafka");
  for (const properties of [after.inputs, after.outputs]) {
    expect(properties).not.toHaveProperty("source.kafka.credentials");
    expect(properties).not.toHaveProperty("settings");
  }
});

const FORMER = "0a1b2c3d-0000-4000-8000-00000000000a";
const CURRENT = "0a1b2c3d-0000-4000-8000-00000000000b";

test.each([
  ["the ID alone", CURRENT],
  ["the ID in capitals", CURRENT.toUpperCase()],
  ["the organization and the service before it", `${organizationId}/${serviceId}/${CURRENT}`],
])("another ID in the option import, %s, deletes nothing and warns with both IDs", async (_, importID) => {
  const own = await newSimulator();
  own.control.seedPipes([
    { ...creationBody("former", minimal.kafka), id: FORMER },
    { ...creationBody("current", minimal.kinesis), id: CURRENT },
  ]);
  const state = exportOf([
    exportedResource("orders", CURRENT, { form: "native", importID }),
    exportedResource("orders", FORMER, { form: "native", importID: FORMER, delete: true }),
  ]);
  const run = await newPlugin(own, { exportStack: () => Promise.resolve(state) });
  const properties = { ...minimal.kafka, name: "former", deletionPolicy: "delete" };
  const urn = urnOf("orders");
  await run.delete(FORMER, { ...properties, organizationId, serviceId, observed: {} }, { of: urn });
  expect(own.control.state().pipes.map(({ id }) => id)).toEqual([FORMER, CURRENT]);
  const message =
    `pipe "former" (${FORMER}) is not deleted: the option import of its resource now names ${CURRENT}. It stays as it is, and Pulumi ` +
    `no longer manages it. To manage it again, set import back to ${FORMER} and run \`pulumi up\`.`;
  expect(run.lines).toEqual([{ severity: "warning", urn, message }]);
});

test.each([
  ["the ID alone", CURRENT],
  ["the organization and the service before it", `${organizationId}/${serviceId}/${CURRENT}`],
])("an import takes %s, logs nothing, and declares no credential", async (_, importID) => {
  const own = await newSimulator();
  own.control.seedPipes([{ ...creationBody("current", complete.objectStorage), id: CURRENT }]);
  const run = await newPlugin(own);
  const read = await run.read(importID);
  expect(read).toMatchObject({ id: CURRENT, inputs: { name: "current" } });
  expect(JSON.stringify(read.inputs)).not.toMatch(/accessKey|connectionString/);
  expect(run.lines).toEqual([]);
});

/** Imports a pipe with this value in a run of its own, because a run reads the list once. */
async function imported(at: string, value: Json) {
  const [{ id } = { id: "" }] = simulator.control.seedPipes([creationBody("orders", minimal.kafka)]);
  simulator.control.editPipe(id, withValue({}, at, value));
  return (await newPlugin(simulator)).read(id);
}

test.each([
  { at: "source.kafka.consumerGroup", value: "$${pulumi.stack}", argument: "source" },
  { at: "name", value: "a $$${x}", argument: "name" },
  { at: "destination.columns", value: [{ name: "$${x}", type: "String" }], argument: "destination" },
])("an import refuses $at where Pulumi's code would be an expression: $value", async (row) => {
  const refusal = `its argument ${row.argument} contains "$\${", which Pulumi YAML would evaluate as an expression. Declare it with the argument \`adopt`;
  await expect(imported(row.at, row.value)).rejects.toThrow(refusal);
});

test("an import accepts a value that is no expression in Pulumi's code", async () => {
  const { inputs } = await imported("destination.database", "$$ ${x} $.{");
  expect(inputs).toHaveProperty("destination.database", "$$ ${x} $.{");
});

test("a field that the program no longer declares is in no detailed diff", async () => {
  const own = await newPlugin(await newSimulator());
  const declared = withValue(minimal.kafka, "source.kafka.consumerGroup", "loader");
  const { id, outputs } = await own.deploy(declared);
  const { inputs } = await own.check(minimal.kafka, outputs);
  expect((await own.diff(id, outputs, inputs)).toObject()).toMatchObject({
    changes: pb.DiffResponse.DiffChanges.DIFF_SOME,
    hasdetaileddiff: true,
    detaileddiffMap: [],
    replacesList: [],
  });
});
