import * as pulumi from "@pulumi/pulumi";
import { pipeArguments, readShape, withOutputs, type PipeArguments } from "./pipes";

/** The smallest dynamic resource of this shape, with a provider that does nothing. */
class Pipe extends pulumi.CustomResource {
  constructor(name: string, args: PipeArguments) {
    // The plugin process runs in the folder of the program, which has the compiled module.
    const __provider = `exports.handler = () => require(process.cwd() + "/no-op-provider.js").provider;`;
    super("pulumi-nodejs:dynamic/floor:Pipe", name, { ...withOutputs(args), __provider });
  }
}

const shape = readShape();
for (let index = 0; index < shape.pipes; index += 1) new Pipe(`pipe-${index}`, pipeArguments(shape, index));
