import path from "node:path";
import { startSimulator, type Simulator } from "../../simulator/src/index";
import { runCommand, withPulumi } from "../../tests/kit/cli";
import { newStack, type TestStack } from "../../tests/kit/stack";
import { onEnd } from "../../tests/kit/cleanup";
import { repository } from "../made-files";
import { pictureOf } from "./picture";
import { Ids, shownText, withShownIds } from "./shown-text";
import { screenOf, type Place } from "./terminal";

const account = {
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
  readonly ids = new Ids([account.organizationId, ...account.serviceIds]);
  /** The texts and pictures by the names of their files. */
  readonly recordings = new Map<string, string>();

  private constructor(
    readonly simulator: Simulator,
    readonly stack: TestStack,
  ) {}

  static async start(): Promise<Recorder> {
    const simulator = await startSimulator({ stateSeconds: 0, accounts: [account] });
    onEnd(() => simulator.close());
    const stack = await newStack({
      simulator,
      copyOf: path.join(__dirname, "project"),
      secrets: { "pipes:kafkaPassword": PASSWORD, "pipes:postgresPassword": PASSWORD },
      config: { rateLimit: "10/10s" },
    });
    return new Recorder(simulator, stack);
  }

  /** Replaces the program; `pulumi`, `datapipes` and `config` are there. */
  write(program: string): Promise<void> {
    return this.stack.write(`const config = new pulumi.Config();\n${program}`);
  }

  /** Runs commands in a terminal; their screens are one recording. */
  async record(name: string, ...commands: readonly string[]): Promise<void> {
    const place = await this.#place();
    const screens: string[] = [];
    for (const command of commands) {
      // The packages are linked: npx would only search for what is there.
      const screen = await screenOf(command.replace(/^npx pulumi-/, ""), place);
      const text = shownText(screen, this.ids, this.simulator.url, place.cwd);
      screens.push(`$ ${command}\n${text}\n`);
    }
    this.recordings.set(`${name}.txt`, screens.join("\n"));
  }

  /** Runs a command; its output, in its colors, is a picture. */
  async draw(name: string, title: string, command: string): Promise<void> {
    const place = await this.#place();
    const { stdout } = await runCommand("sh", ["-c", `${command} --color always`], place);
    const output = `\u001B[1m$ ${command}\u001B[0m\n${withShownIds(stdout, this.ids).trimEnd()}`;
    this.recordings.set(`${name}.svg`, pictureOf(title, output));
  }

  async #place(): Promise<Place> {
    const { cwd, env } = this.stack.place();
    const found = await withPulumi(env);
    const bin = path.join(repository, "node_modules/.bin");
    return { cwd, env: { ...found, PATH: `${bin}${path.delimiter}${found["PATH"] ?? ""}` } };
  }
}
