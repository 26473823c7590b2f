import { isDatapipesError } from "pulumi-datapipes";
import { handler } from "pulumi-datapipes/runtime";

export const pipeHandler = handler("Pipe");
export const failed = (error: unknown): string => (isDatapipesError(error) ? error.code : "unknown");
