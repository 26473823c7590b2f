import * as pulumi from "@pulumi/pulumi";
import { pipeArguments, readShape, type PipeArguments } from "./pipes";

/** The plugin process runs in the folder of the program, where the benchmark puts the module. */
const HANDLER = 'exports.handler = () => require(process.cwd() + "/no-op-provider.js").handler();';

/** The least that a resource can be: a bare custom resource, whose provider does nothing. */
class Pipe extends pulumi.CustomResource {
  constructor(name: string, args: PipeArguments) {
    const outputs = {
      organizationId: undefined,
      state: undefined,
      createdAt: undefined,
      updatedAt: undefined,
    };
    super("pulumi-nodejs:dynamic/floor:Pipe", name, { ...outputs, ...args, __provider: HANDLER });
  }
}

const shape = readShape();
for (let index = 0; index < shape.pipes; index += 1) new Pipe(`pipe-${index}`, pipeArguments(shape, index));
