import * as pulumi from "@pulumi/pulumi";
import type * as providers from "./no-op-provider";
import { pipeArguments, readShape, withOutputs, type PipeArguments } from "./pipes";

/** The smallest resource of this shape: a bare custom resource, whose provider does nothing. */
class Pipe extends pulumi.CustomResource {
  constructor(name: string, args: PipeArguments, provider: string) {
    // The plugin process runs in the folder of the program, where the benchmark puts the module.
    const __provider = `exports.handler = () => require(process.cwd() + "/no-op-provider.js").${provider}();`;
    super("pulumi-nodejs:dynamic/floor:Pipe", name, { ...withOutputs(args), __provider });
  }
}

/** Declares the pipes of this run with a provider that does nothing. */
export function declarePipes(provider: keyof typeof providers): void {
  const shape = readShape();
  for (let index = 0; index < shape.pipes; index += 1)
    new Pipe(`pipe-${index}`, pipeArguments(shape, index), provider);
}
