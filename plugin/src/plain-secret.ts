import { readFile } from "node:fs/promises";
import path from "node:path";
import { stackConfiguration } from "./configuration";

/** Shorter texts may be in a file by chance. */
const SHORTEST_SECRET = 8;

/**
 * Whether the file of the stack or of the project has the secret of the API key in plain text. The engine does not
 * tell plugins which values of the configuration are encrypted.
 */
export async function hasPlainSecret(
  stack: string,
  environment: NodeJS.ProcessEnv,
  directory: string,
): Promise<boolean> {
  const { apiKeySecret } = stackConfiguration(environment);
  if (typeof apiKeySecret !== "string" || apiKeySecret.length < SHORTEST_SECRET) return false;
  const textOf = (name: string): Promise<string | undefined> =>
    readFile(path.join(directory, name), "utf8").catch(() => undefined);
  const [project, ofStack] = [await textOf("Pulumi.yaml"), await textOf(`Pulumi.${stack}.yaml`)];
  if ([project, ofStack].some((text) => text?.includes(apiKeySecret))) return true;
  // A program may be in a folder of its project.
  const parent = path.dirname(directory);
  return project === undefined && parent !== directory ? hasPlainSecret(stack, environment, parent) : false;
}
