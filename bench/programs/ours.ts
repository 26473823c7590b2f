import { Pipe } from "pulumi-datapipes";
import { pipeArguments, readShape } from "./pipes";

const shape = readShape();
for (let index = 0; index < shape.pipes; index += 1) new Pipe(`pipe-${index}`, pipeArguments(shape, index));
