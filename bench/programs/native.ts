import * as pulumi from "@pulumi/pulumi";
import { pipeArguments, readShape, withOutputs, type PipeArguments } from "./pipes";

/** A resource of the native plugin, as a generated SDK declares one. */
class Pipe extends pulumi.CustomResource {
  constructor(name: string, args: PipeArguments) {
    super("datapipes:index:Pipe", name, withOutputs(args));
  }
}

const shape = readShape();
for (let index = 0; index < shape.pipes; index += 1) new Pipe(`pipe-${index}`, pipeArguments(shape, index));
