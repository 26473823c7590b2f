import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runDatapipes, type Run } from "./cli";
import { snakeCase, type JsonObject } from "./pipes";
import type { SeedPipe, Simulator } from "./simulator";
import { onEnd } from "./started";

/** A pipe as the API stores it. */
export function seed(name: string, { settings = {}, ...pipe }: JsonObject): SeedPipe {
  const stored = Object.entries(settings as JsonObject).map(([key, value]) => [snakeCase(key), value]);
  return { ...pipe, name, settings: Object.fromEntries(stored) as object } as unknown as SeedPipe;
}

/** What `datapipes import --json` prints. */
export interface ImportResult {
  files: string[];
  pipes: { id: string; name: string; serviceId: string; variable: string }[];
  skipped: { id: string; name: string; serviceId: string; reason: string }[];
  commands: string[];
}

export const resultOf = ({ stdout }: Run): ImportResult => JSON.parse(stdout) as ImportResult;

export const read = (folder: string, file: string): Promise<string> =>
  readFile(path.join(folder, file), "utf8");

/** An empty folder without a project, and the command in it with its configuration from the environment. */
export async function folderOf(simulator: Simulator) {
  const folder = await mkdtemp(path.join(tmpdir(), "datapipes-cli-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  const { apiKeyId, apiKeySecret, organizationId, serviceIds } = simulator.account;
  const env = {
    ...process.env,
    DATAPIPES_BASE_URL: simulator.url,
    DATAPIPES_API_KEY_ID: apiKeyId,
    DATAPIPES_API_KEY_SECRET: apiKeySecret,
    DATAPIPES_ORGANIZATION_ID: organizationId,
    DATAPIPES_SERVICE_ID: serviceIds[0],
  };
  const importPipes = (...args: readonly string[]): Promise<Run> =>
    runDatapipes(["import", ...args], { cwd: folder, env });
  return { folder, env, importPipes, files: () => readdir(folder) };
}
