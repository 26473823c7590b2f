import { storedResources, type StoredResource } from "../lifecycle/stack-state";
import { projectFileOf, pulumi, StackConfigurationError, wordsOf } from "./stack-configuration";

/** The pipes that the named stack manages, or the stack that is selected in the folder; undefined if there is none. */
export async function readStackPipes(
  stack?: string,
  folder = process.cwd(),
): Promise<readonly StoredResource[] | undefined> {
  if (stack === undefined && projectFileOf(folder) === undefined) return undefined;
  const chosen = stack === undefined ? [] : ["--stack", stack];
  try {
    return storedResources(await pulumi(["stack", "export", ...chosen], folder), "Pipe");
  } catch (error) {
    const words = wordsOf(error);
    if (stack === undefined && /no stack selected/i.test(words)) return undefined;
    const what = stack === undefined ? "of the selected stack" : `of stack ${JSON.stringify(stack)}`;
    throw new StackConfigurationError(
      `The resources ${what} could not be read: ${words}`,
      "Make `pulumi stack export` work in this folder, then run the command again.",
    );
  }
}
