import * as pulumi from "@pulumi/pulumi";
import { pipeArguments, readShape, type PipeArguments } from "./pipes";

/** The plugin process runs in the folder of the program, where the benchmark puts the module. */
const HANDLER = 'exports.handler = () => require(process.cwd() + "/no-op-provider.js").handler();';

/** All that a pipe of this package has beside its arguments here: each output costs the SDK the same, whoever declares it. */
const OUTPUTS = [
  "organizationId",
  "adopt",
  "replacementPolicy",
  "waitFor",
  "state",
  "createdAt",
  "updatedAt",
  "observed",
];

/** The least that a resource of this shape can be: a bare custom resource, whose provider does nothing. */
class Pipe extends pulumi.CustomResource {
  constructor(name: string, args: PipeArguments) {
    const outputs = Object.fromEntries(OUTPUTS.map((output) => [output, undefined]));
    super("pulumi-nodejs:dynamic/floor:Pipe", name, { ...outputs, ...args, __provider: HANDLER });
  }
}

const shape = readShape();
for (let index = 0; index < shape.pipes; index += 1) new Pipe(`pipe-${index}`, pipeArguments(shape, index));
