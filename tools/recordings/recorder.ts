import path from "node:path";
import { startSimulator, type SeedPipe, type Simulator } from "../../simulator/src/index";
import { withPulumi } from "../../testkit/cli";
import { newStack, type TestStack } from "../../testkit/stack";
import { onEnd } from "../../testkit/started";
import { Ids, normalized, wrapped } from "./normalize";
import { screenOf } from "./terminal";

const repository = path.resolve(__dirname, "../..");

const account = {
  apiKeyId: "key-4f1a",
  apiKeySecret: "demo-key-secret",
  organizationId: "0a1b2c3d-0000-4000-8000-00000000000a",
  serviceIds: ["0a1b2c3d-0000-4000-8000-00000000000b"],
};

/** A stack of its own, whose commands are recorded where a scenario says so. */
export class Recorder {
  readonly #ids: Ids;
  /** The recordings, by name. */
  readonly recordings = new Map<string, string>();

  private constructor(
    readonly simulator: Simulator,
    readonly stack: TestStack,
    private readonly columns: number,
    seeded: readonly string[],
  ) {
    this.#ids = new Ids([account.organizationId, ...account.serviceIds, ...seeded]);
  }

  static async start(columns: number, pipes: readonly SeedPipe[] = []): Promise<Recorder> {
    const simulator = await startSimulator({ stateSeconds: 0, accounts: [account] });
    onEnd(() => simulator.close());
    const seeded = simulator.control.seedPipes(pipes).map(({ id }) => id);
    const secrets = { "pipes:kafkaPassword": "demo-password", "pipes:postgresPassword": "demo-password" };
    const stack = await newStack({
      simulator,
      copyOf: path.join(__dirname, "project"),
      secrets,
      config: { rateLimit: "10/10s" },
    });
    return new Recorder(simulator, stack, columns, seeded);
  }

  /** Replaces the program; `pulumi`, `datapipes` and `config` are there. */
  write(program: string): Promise<void> {
    return this.stack.write(`const config = new pulumi.Config();\n${program}`);
  }

  /** Runs commands in a terminal; their screens are one recording. */
  async record(name: string, ...commands: readonly string[]): Promise<void> {
    const screens: string[] = [];
    for (const command of commands) screens.push(await this.#screenOf(command));
    this.recordings.set(name, `${screens.join("\n\n")}\n`);
  }

  async #screenOf(command: string): Promise<string> {
    const { cwd, env } = this.stack.place();
    const bin = path.join(repository, "node_modules/.bin");
    const found = await withPulumi(env);
    const place = { cwd, env: { ...found, PATH: `${bin}${path.delimiter}${found["PATH"] ?? ""}` } };
    // The packages are linked: npx would only search for what is there.
    const lines = await screenOf(command.replace(/^npx /, ""), place, this.columns);
    const replacements = { url: this.simulator.url, folder: cwd, repository };
    return [`$ ${command}`, ...wrapped(normalized(lines, this.#ids, replacements), this.columns)].join("\n");
  }
}
