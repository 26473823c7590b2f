import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { runDatapipes, type Run } from "../kit/cli";
import { temporaryFolder } from "../kit/cleanup";
import { newSimulator, variablesOf, type SeedPipe, type Simulator } from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";

/** What `datapipes import --json` prints. */
interface ImportResult {
  files: string[];
  pipes: { id: string; name: string; serviceId: string; resource: string }[];
  skipped: { id: string; name: string; serviceId: string; reason: string }[];
  commands: string[];
}

export const resultOf = ({ stdout }: Run): ImportResult => JSON.parse(stdout) as ImportResult;

/** An empty folder without a project, and the command in it with its configuration from the environment. */
export async function folderOf(simulator: Simulator) {
  const folder = await temporaryFolder("cli");
  const env = { ...process.env, ...variablesOf(simulator) };
  return {
    folder,
    env,
    importPipes: (...args: readonly string[]) => runDatapipes(["import", ...args], { cwd: folder, env }),
    files: async () => (await readdir(folder)).sort(),
    read: (file: string) => readFile(path.join(folder, file), "utf8"),
  };
}

/** The same for a service that has these pipes. */
export async function folderWith(...pipes: readonly SeedPipe[]) {
  const simulator = await newSimulator();
  const ids = simulator.control.seedPipes(pipes).map(({ id }) => id);
  return { simulator, ids, ...(await folderOf(simulator)) };
}

export const importInto = (stack: TestStack, ...args: readonly string[]): Promise<Run> =>
  stack.datapipes(["import", ...args]);

export const newProject = (simulator: Simulator): Promise<TestStack> =>
  newStack({ simulator, language: "typescript" });

/** The command of the CLI that `datapipes import --mode import` names. */
export const importing = "import --file import.json --generate-code=false --protect=false --yes".split(" ");
