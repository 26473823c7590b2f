import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const MAX_REPEATS = 5;
const REPEAT_MS = 200;

/** A stack as its URNs name it: without the organization. */
export interface StackInProject {
  readonly project: string;
  readonly stack: string;
}

/**
 * The state of a stack, in the text of `pulumi stack export`. During a run it shows what the run has changed so far.
 * The stack is a name, as the option `--stack` of the CLI takes it, or one whose organization the engine does not
 * tell.
 */
export async function exportStack(stack: string | StackInProject): Promise<string> {
  if (typeof stack === "string") return exportNamed(stack);
  try {
    // Backends other than Pulumi Cloud have one organization, with this name.
    return await exportNamed(`organization/${stack.project}/${stack.stack}`);
  } catch {
    return exportNamed(await qualifiedName(stack));
  }
}

/** The backend of files writes a state in place: a read at that moment finds an incomplete one, and is repeated. */
async function exportNamed(name: string): Promise<string> {
  for (let repeats = 0; ; repeats += 1)
    try {
      return await pulumi("stack", "export", "--stack", name);
    } catch (error) {
      if (repeats === MAX_REPEATS || !isIncomplete(error)) throw error;
      await sleep(REPEAT_MS);
    }
}

function isIncomplete(error: unknown): boolean {
  const { stderr } = error as { readonly stderr?: unknown };
  return typeof stderr === "string" && /failed to load checkpoint: .*(?:EOF|unexpected end)/.test(stderr);
}

/** The name of a stack with its organization, if the user can see only one stack with this project and name. */
async function qualifiedName({ project, stack }: StackInProject): Promise<string> {
  const list = await pulumi("stack", "ls", "--project", project, "--json", "--fully-qualify-stack-names");
  const names = (JSON.parse(list) as readonly { readonly name: string }[]).map(({ name }) => name);
  const [name, ...others] = names.filter((one) => one === stack || one.endsWith(`/${project}/${stack}`));
  if (name === undefined) throw new Error(`the Pulumi CLI lists no stack ${project}/${stack}`);
  if (others.length === 0) return name;
  throw new Error(`several organizations have a stack ${project}/${stack}: ${[name, ...others].join(", ")}`);
}

async function pulumi(...args: readonly string[]): Promise<string> {
  // The CLI of the run writes its log of calls to this file.
  const { PULUMI_DEBUG_GRPC: _, ...env } = process.env;
  const options = {
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: TIMEOUT_MS,
  };
  const { stdout } = await promisify(execFile)("pulumi", [...args, "--non-interactive"], options);
  return stdout;
}
