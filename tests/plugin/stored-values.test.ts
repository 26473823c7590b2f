import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { canary } from "../../testkit/canary";
import { creationBody, minimal, withValue, type JsonObject } from "../../testkit/pipes";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import { newPlugin, type Plugin } from "./in-process";

let simulator: Simulator;
let plugin: Plugin;

beforeAll(async () => {
  simulator = await newSimulator();
  plugin = await newPlugin(simulator);
});

test("a read after a failed update does not take the inputs that the provider has not sent for declared values", async () => {
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

test("an import of another id deletes no former one, in this run and in later ones, which a read by `get` does not prevent", async () => {
  const simulator = await newSimulator();
  const declared = { ...minimal.kafka, deletionPolicy: "delete" };
  const making = await newPlugin(simulator);
  const former = await making.deploy(declared);
  const current = await making.deploy({ ...declared, name: "current" });
  const idsAfterDelete = async (run: Plugin): Promise<string[]> => {
    await run.delete(former.id, former.outputs);
    return simulator.control.state().pipes.map(({ id }) => id);
  };
  const importing = await newPlugin(simulator);
  const imported = await importing.read(current.id);
  const later = await newPlugin(simulator);
  for (const run of [importing, later]) {
    const { inputs } = await run.check(declared, imported.inputs);
    await run.diff(current.id, imported.outputs, inputs);
    expect(await idsAfterDelete(run)).toEqual([former.id, current.id]);
    expect(run.lines.at(-1)).toMatchObject({
      severity: "warning",
      message: expect.stringMatching(`${former.id}\\) is not deleted: .* names ${current.id} now`) as string,
    });
  }
  // What the import itself has read, no program has declared.
  expect(importing.lines).toHaveLength(1);
  const getting = await newPlugin(simulator);
  await getting.read(current.id);
  expect(await idsAfterDelete(getting)).toEqual([current.id]);
});

test.each([
  ["source.kafka.consumerGroup", "$${pulumi.stack}", true],
  ["name", "a $$${x}", true],
  ["source.kafka.reversePrivateEndpointIds", ["$${x}"], true],
  ["destination.columns", [{ name: "$${x}", type: "String" }], true],
  ["destination.database", "$$ ${x} $.{", false],
])(
  "an import of %s %j is refused where the code that Pulumi generates would be an expression: %s",
  async (at, value, isRefused) => {
    const [pipe] = simulator.control.seedPipes([creationBody("orders", minimal.kafka)]);
    simulator.control.editPipe(pipe?.id ?? "", withValue({}, at, value));
    // The list is read once per run.
    const read = (await newPlugin(simulator)).read(pipe?.id ?? "");
    if (isRefused)
      await expect(read).rejects.toThrow(
        new RegExp(
          `cannot be imported or read with .get.: its field ${at}\\S* contains "\\$\\$\\{".* the argument .adopt.`,
        ),
      );
    else await expect(read).resolves.toMatchObject({ id: pipe?.id });
  },
);

test("a diff names no change that only the state learns: replaceOnChanges would replace the resource for it", async () => {
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
