import * as pulumi from "@pulumi/pulumi";
import type * as datapipes from "pulumi-datapipes";
import { declarePipes } from "./pipes";

/** What the program registered, in the order of its declarations. */
const registered: pulumi.runtime.MockResourceArgs[] = [];

let pipes: readonly datapipes.Pipe[];

const configuration = { "unit-tests:kafkaPassword": "not-a-real-password" };

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource(args) {
      registered.push(args);
      // The outputs: the inputs, and what only a service knows. An output that is missing here resolves to undefined.
      return { id: `id-of-${args.name}`, state: { ...(args.inputs as object), state: "Running" } };
    },
    // Data functions ask here, with tokens such as `datapipes:index:getPipes`. This program calls none.
    call: ({ token }) => {
      throw new Error(`no mock for ${token}`);
    },
  }),
);

beforeEach(() => {
  registered.length = 0;
  pulumi.runtime.setAllConfig(configuration);
  pipes = declarePipes();
});

/** The value of an output. It never resolves where the value is unknown. */
const valueOf = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));

test("every table has a name of its own, in lower case with underscores", async () => {
  const destinations = await Promise.all(pipes.map((pipe) => valueOf(pipe.destination)));
  const tables = destinations.map((destination) => destination?.table);
  expect(new Set(tables).size).toBe(3);
  for (const table of tables) expect(table).toMatch(/^[a-z]+(_[a-z]+)*$/);
});

test("every pipe keeps running when the program no longer declares it", async () => {
  for (const pipe of pipes) expect((await valueOf(pipe.deletionPolicy)) ?? "retain").toBe("retain");
});

test("no change makes a second pipe", async () => {
  for (const pipe of pipes) expect((await valueOf(pipe.replacementPolicy)) ?? "refuse").toBe("refuse");
});

test("the credentials are secret", async () => {
  // A secret within makes the whole source secret in the program. In state and previews the rest of it stays readable.
  for (const pipe of pipes) expect(await pulumi.isSecret(pipe.source)).toBe(true);
});

test("every column has a mapping", async () => {
  for (const pipe of pipes) {
    const [destination, mappings] = await valueOf(pulumi.all([pipe.destination, pipe.fieldMappings]));
    const columns = destination?.columns?.map((column) => column.name);
    expect(mappings?.map((mapping) => mapping.destinationField)).toEqual(columns);
  }
});

test("the program declares pipes and nothing else", async () => {
  await valueOf(pulumi.all(pipes.map((pipe) => pipe.id)));
  // `type` is the type of a dynamic resource. Compare outputs rather than `inputs`, in which a mock wraps what contains a secret.
  expect(registered.map(({ type, name }) => `${type} ${name}`)).toEqual([
    "pulumi-nodejs:dynamic/datapipes:Pipe orders",
    "pulumi-nodejs:dynamic/datapipes:Pipe refunds",
    "pulumi-nodejs:dynamic/datapipes:Pipe stock-levels",
  ]);
});

test("the flush interval comes from the configuration", async () => {
  pulumi.runtime.setAllConfig({ ...configuration, "unit-tests:flushIntervalMs": "2000" });
  for (const pipe of declarePipes())
    expect((await valueOf(pipe.settings))?.streamingMaxInsertWaitMs).toBe(2000);
});
