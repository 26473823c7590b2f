import { interleaved } from "./child";
import { measureFirstAnswers } from "./first-answers";
import { pairRatios, spreadOf, type Spread } from "./statistics";
import type { ByVariant } from "./variants";

/** The cost of starting program and plugin. */
export interface Starts {
  /** Import of the package over `@pulumi/pulumi`, in ms of CPU. */
  readonly programMs: Spread | undefined;
  /** The handler over `@pulumi/pulumi`, in ms of CPU: what a preview needs. */
  readonly pluginMs: Spread | undefined;
  /** The same with the client that sends requests: what a refresh needs. */
  readonly clientMs: Spread | undefined;
  /** Type-check of a program, as a multiple of what it is with bare custom resources. */
  readonly typeCheck: Spread | undefined;
  /** From the start of the plugin process to its first answer for a pipe, in ms. */
  readonly firstAnswerMs: ByVariant<Spread | undefined>;
}

const ROUNDS = 9;

/** Prints the time that a text of JavaScript takes after the import of `@pulumi/pulumi`, in ms of CPU. */
const timed = (text: string): string => `
  require("@pulumi/pulumi");
  const begun = process.cpuUsage();
  const done = () => {
    const { user, system } = process.cpuUsage(begun);
    console.log((user + system) / 1000);
  };
  Promise.resolve((() => { ${text} })()).then(done);
`;

const HANDLER = `require("pulumi-datapipes/runtime").handler("Pipe")`;

/** Prints how long the compiler takes for a program, as the language host of Pulumi runs it, in ms of CPU. */
const compiled = (program: string): string => `
  const service = require("ts-node").create({
    skipProject: true,
    compilerOptions: { target: "es2020", module: "commonjs", moduleResolution: "node10", ignoreDeprecations: "6.0", strict: true },
  });
  const begun = process.cpuUsage();
  service.compile(${JSON.stringify(program)}, require("node:path").resolve("bench/index.ts"));
  const { user, system } = process.cpuUsage(begun);
  console.log((user + system) / 1000);
`;

const ARGUMENTS = `{
  source: { kafka: { brokers: "kafka:9092", topics: "orders", credentials: { username: "loader", password: pulumi.secret("x") } } },
  destination: { database: "default", table: "orders", columns: [{ name: "id", type: "UInt64" }] },
  fieldMappings: [{ sourceField: "$.id", destinationField: "id" }],
  settings: { streamingMaxInsertWaitMs: 4000 },
}`;

const declarations = Array.from(
  { length: 20 },
  (_, index) => `export const pipe${index} = new Pipe("pipe-${index}", ${ARGUMENTS}).id;\n`,
).join("");

const IMPORT = `import * as pulumi from "@pulumi/pulumi";\n`;
const OURS = `${IMPORT}import { Pipe } from "pulumi-datapipes";\n${declarations}`;
const BARE = `${IMPORT}class Pipe extends pulumi.CustomResource {
  constructor(name: string, args: pulumi.Inputs) { super("pulumi-nodejs:dynamic/floor:Pipe", name, args); }
}\n${declarations}`;

/** Measures how long everything takes to start, in fresh processes. */
export async function measureStarts(rounds = ROUNDS): Promise<Starts> {
  const { program, plugin, client, ours, bare } = interleaved(
    {
      program: timed(`require("pulumi-datapipes")`),
      plugin: timed(HANDLER),
      client: timed(`${HANDLER}; require("./provider/dist/api/client")`),
      ours: compiled(OURS),
      bare: compiled(BARE),
    },
    rounds,
  );
  return {
    programMs: spreadOf(program),
    pluginMs: spreadOf(plugin),
    clientMs: spreadOf(client),
    typeCheck: spreadOf(pairRatios(ours, bare)),
    firstAnswerMs: await measureFirstAnswers(rounds),
  };
}
