import { existsSync, readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { complete, creationBody } from "../../tests/kit/pipes";
import { newSimulator, takeWrites, type Call, type Simulator } from "../../tests/kit/simulator";
import { newStack, type TestStack } from "../../tests/kit/stack";

export const goldenFolder = path.resolve(__dirname, "../../tests/golden");

export const goldenVersions = readdirSync(goldenFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

export const files = {
  program: "program.ts",
  state: "state.json",
  service: "service.json",
  requests: "requests.json",
  /** The provider as it was published, for a test of upgrades. A version that is not released yet has none. */
  package: "package.tgz",
} as const;

export interface GoldenRequests {
  change: Call[];
  destroy: Call[];
}

const somewhere = "http://127.0.0.1:0";

const account = {
  apiKeyId: "golden-key",
  apiKeySecret: "golden-key-secret-canary",
  organizationId: "0a1b2c3d-0000-4000-8000-0000000000a1",
  serviceIds: ["0a1b2c3d-0000-4000-8000-0000000000a2", "0a1b2c3d-0000-4000-8000-0000000000a3"],
};

export const goldenSimulator = (data: string): Promise<Simulator> =>
  newSimulator({ accounts: [account], data });

export function seedAdopted({ control }: Simulator): void {
  const id = "0a1b2c3d-0000-4000-8000-0000000000b1";
  control.seedPipes([{ ...creationBody("theirs", complete.kinesis), id }]);
}

/** A stack of a golden program. Its passphrase is public: it protects only fake secrets. */
export const goldenStack = (simulator: Simulator, program: string): Promise<TestStack> =>
  newStack({
    simulator,
    program,
    language: "typescript",
    // The compiler has checked the program with all tests.
    env: { PULUMI_CONFIG_PASSPHRASE: "golden", PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
    secrets: { "golden:password": "golden-password-canary" },
  });

export async function changed(stack: TestStack, simulator: Simulator): Promise<Call[]> {
  await stack.setConfig({ "golden:changed": "true" });
  return requestsOf(() => stack.up(), simulator);
}

export const destroyed = (stack: TestStack, simulator: Simulator): Promise<Call[]> =>
  requestsOf(() => stack.destroy(), simulator);

/** Resources are worked on in parallel, so that their requests have no order; those of one resource keep theirs. */
async function requestsOf(run: () => Promise<unknown>, simulator: Simulator): Promise<Call[]> {
  simulator.control.clearRequests();
  await run();
  return takeWrites(simulator).sort((a, b) => a.path.localeCompare(b.path, "en"));
}

export const recorded = (version: string, file: keyof typeof files): string =>
  path.join(goldenFolder, version, files[file]);

/** A recorded file. A version that is not released yet runs the program of today. */
export const read = (version: string, file: keyof typeof files): Promise<string> => {
  const isOfToday = file === "program" && !existsSync(recorded(version, file));
  return readFile(isOfToday ? path.join(__dirname, "program.ts") : recorded(version, file), "utf8");
};

/** The text of a state without the facts of the machine: the address of the simulator, and the folder of the program. */
export function withoutMachine(state: string, { url }: Simulator): string {
  const local = new Set(["sourcePosition", "stackTrace"]);
  const kept: unknown = JSON.parse(state, (key, value: unknown) => (local.has(key) ? undefined : value));
  return `${JSON.stringify(kept, null, 1).replaceAll(url, somewhere)}\n`;
}

export async function importState(stack: TestStack, version: string, { url }: Simulator): Promise<void> {
  const file = path.join(stack.project, files.state);
  await writeFile(file, (await read(version, "state")).replaceAll(somewhere, url));
  await stack.pulumi(["stack", "import", "--file", file]);
}
