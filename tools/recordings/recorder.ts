import path from "node:path";
import type { Terminal } from "@xterm/headless";
import { startSimulator, type SeedPipe, type Simulator } from "../../simulator/src/index";
import { withPulumi } from "../../testkit/cli";
import { newStack, type TestStack } from "../../testkit/stack";
import { onEnd } from "../../testkit/started";
import { Ids, normalized, wrapped, type Replacements } from "./normalize";
import { pictureOf, textOf } from "./picture";
import { rowsOf, type Span } from "./spans";
import { linesOf, terminalOf } from "./terminal";

const repository = path.resolve(__dirname, "../..");
/** The width of the terminal of a picture: a narrower page shows a wider one too small to read. */
const PICTURE_COLUMNS = 82;

/** That of all recordings, and of the runs of pipelines. */
export const account = {
  apiKeyId: "key-4f1a",
  apiKeySecret: "demo-key-secret",
  organizationId: "0a1b2c3d-0000-4000-8000-00000000000a",
  serviceIds: ["0a1b2c3d-0000-4000-8000-00000000000b"],
};

const PASSWORD = "demo-password";
/** A password after a rotation. */
export const NEXT_PASSWORD = "another-password";
/** What no recording may show. */
export const SECRETS: readonly string[] = [account.apiKeySecret, PASSWORD, NEXT_PASSWORD];

/** A stack of its own, whose commands are recorded where a scenario says so. */
export class Recorder {
  readonly #ids: Ids;
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
    const secrets = { "pipes:kafkaPassword": PASSWORD, "pipes:postgresPassword": PASSWORD };
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

  /** Runs a command in a terminal; its screen, in its colors, is a picture. */
  async draw(name: string, title: string, command: string): Promise<void> {
    const { terminal, replacements } = await this.#run(command, PICTURE_COLUMNS);
    const rows = rowsOf(terminal).map((spans) =>
      spans.map((span) => ({ ...span, text: this.#ids.shown(span.text) })),
    );
    const prompt: Span = {
      text: `$ ${command}`,
      column: 0,
      color: undefined,
      bold: true,
      dim: false,
      underlined: false,
    };
    // Another replacement would need other columns, and could cross the border of two colors.
    const lines = normalized(linesOf(terminal), this.#ids, replacements);
    const other = rows.map(textOf).find((text, index) => text !== lines[index]);
    if (other !== undefined || rows.length !== lines.length)
      throw new Error(
        `${name} cannot be drawn: only ids may differ from run to run, and no line may be wrapped: ${other ?? ""}`,
      );
    this.recordings.set(name, pictureOf(title, [[prompt], ...rows], PICTURE_COLUMNS));
  }

  async #screenOf(command: string): Promise<string> {
    const { terminal, replacements } = await this.#run(command, this.columns);
    const lines = normalized(linesOf(terminal), this.#ids, replacements);
    return [`$ ${command}`, ...wrapped(lines, this.columns)].join("\n");
  }

  async #run(
    command: string,
    columns: number,
  ): Promise<{ readonly terminal: Terminal; readonly replacements: Replacements }> {
    const { cwd, env } = this.stack.place();
    const bin = path.join(repository, "node_modules/.bin");
    const found = await withPulumi(env);
    const place = { cwd, env: { ...found, PATH: `${bin}${path.delimiter}${found["PATH"] ?? ""}` } };
    // The packages are linked: npx would only search for what is there.
    const terminal = await terminalOf(command.replace(/^npx pulumi-/, ""), place, columns);
    return { terminal, replacements: { url: this.simulator.url, folder: cwd, repository } };
  }
}
