import { storedResources, type StoredResource } from "../lifecycle/program/stack";
import { readOfStack } from "./stack-configuration";

/** The pipes that the named stack manages, or the stack that is selected in the folder; none without one. */
export async function readStackPipes(stack?: string): Promise<readonly StoredResource[]> {
  const text = await readOfStack("resources", ["stack", "export"], stack);
  const resources = text === undefined ? [] : storedResources(text);
  return resources.filter(({ type, status }) => type === "Pipe" && status === "managed");
}
