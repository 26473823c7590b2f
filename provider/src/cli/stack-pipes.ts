import { storedResources, type StoredResource } from "../lifecycle/program/stack";
import { readOfStack } from "./stack-configuration";

/** The pipes that the named stack manages, or the stack that is selected in the folder; undefined if there is none. */
export const readStackPipes = (
  stack?: string,
  folder = process.cwd(),
): Promise<readonly StoredResource[] | undefined> =>
  readOfStack(["stack", "export"], stack, folder, {
    what: "resources",
    parse: (text) =>
      storedResources(text).filter(({ type, status }) => type === "Pipe" && status === "managed"),
    nextStep: () => "Make `pulumi stack export` work in this folder, then run the command again.",
  });
