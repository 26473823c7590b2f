import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import { fileFrom } from "./folders";

/** The Pulumi CLI could not read the configuration of a stack. */
export class StackConfigurationError extends Error {
  override readonly name = "StackConfigurationError";

  constructor(
    readonly summary: string,
    readonly nextStep: string,
  ) {
    super(`${summary} ${nextStep}`);
  }
}

export interface StackValue {
  readonly value: string;
  readonly isSecret: boolean;
}

/** The configuration of a stack by namespaced key. */
export type StackConfiguration = ReadonlyMap<string, StackValue>;

const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** A CLI that takes longer waits for a backend that does not answer. */
const TIMEOUT_MS = 120_000;

const WITHOUT_PASSPHRASE = /incorrect passphrase|passphrase must be set|PULUMI_CONFIG_PASSPHRASE/i;
const GIVE_PASSPHRASE =
  "Set PULUMI_CONFIG_PASSPHRASE to the passphrase of the stack, or PULUMI_CONFIG_PASSPHRASE_FILE to the path of " +
  "a file that contains it.";

/** The project file of a folder, which may be in a folder above it. */
export const projectFileOf = (folder: string): string | undefined => fileFrom(folder, PROJECT_FILES);

/**
 * The configuration of the named stack, or of the stack that is selected in the folder. Empty if the folder has no project or no selected
 * stack.
 */
export async function readStackConfiguration(
  stack?: string,
  folder = process.cwd(),
): Promise<StackConfiguration> {
  const args = ["config", "--show-secrets", "--json"];
  const text = await readOfStack("configuration", args, stack, folder);
  return text === undefined ? new Map<string, StackValue>() : parse(text);
}

/**
 * What the CLI prints of the named stack, or of the stack that is selected in the folder. Undefined if the folder has no project or no
 * selected stack.
 */
export async function readOfStack(
  what: "configuration" | "resources",
  args: readonly string[],
  stack: string | undefined,
  folder = process.cwd(),
): Promise<string | undefined> {
  if (stack === undefined && projectFileOf(folder) === undefined) return undefined;
  try {
    return await pulumi([...args, ...stackFlag(stack)], folder);
  } catch (error) {
    const words = wordsOf(error);
    if (stack === undefined && /no stack selected/i.test(words)) return undefined;
    const which = stack === undefined ? "the selected stack" : `stack ${JSON.stringify(stack)}`;
    const retry = `Make \`pulumi ${args.join(" ")}\` work in this folder, then run the command again.`;
    const nextStep = WITHOUT_PASSPHRASE.test(words) ? GIVE_PASSPHRASE : retry;
    throw new StackConfigurationError(`The ${what} of ${which} could not be read: ${words}`, nextStep);
  }
}

/** Names a stack to the CLI, which takes one of PULUMI_STACK that does not exist for none. */
export function stackFlag(stack = process.env["PULUMI_STACK"] ?? ""): readonly string[] {
  return stack === "" ? [] : ["--stack", stack];
}

/** Runs the Pulumi CLI in a folder and returns what it prints. */
export async function pulumi(args: readonly string[], folder: string): Promise<string> {
  const options = { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES, timeout: TIMEOUT_MS };
  const { stdout } = await promisify(execFile)("pulumi", [...args, "--non-interactive"], options);
  return stdout;
}

const configuration = z.record(
  z.string(),
  z.object({ value: z.string().optional(), secret: z.boolean().optional() }),
);

const parse = (text: string): StackConfiguration =>
  new Map(
    Object.entries(configuration.parse(JSON.parse(text))).flatMap(([key, { value, secret = false }]) =>
      value === undefined ? [] : [[key, { value, isSecret: secret }] as const],
    ),
  );

const USER_OF_URL = /(:\/\/)[^\s/"'@]+@/g;
const VALUE_OF_QUERY = /([?&][\w.-]+=)[^\s&"']+/g;

/** The words of the CLI, never its output: that may hold secrets. */
export function wordsOf(error: unknown): string {
  const { code, stderr, killed } = error as Partial<Record<"code" | "stderr" | "killed", unknown>>;
  if (killed === true) return `the Pulumi CLI did not finish within ${TIMEOUT_MS / 1000} s.`;
  if (code === "ENOENT") return "the command pulumi is not on the PATH.";
  const said = typeof stderr === "string" ? stderr.replace(/^(error|warning): /gm, "").trim() : "";
  // The CLI quotes the URL of its backend, which may have credentials.
  const words = said.replaceAll(USER_OF_URL, "$1[secret]@").replaceAll(VALUE_OF_QUERY, "$1[secret]");
  return words === "" ? "the Pulumi CLI gave no reason." : words.replace(/\.?$/, ".");
}
