import type { Run } from "./cli";
import type { Simulator } from "./simulator";
import { newStack, type StackOptions, type TestStack } from "./stack";

export interface ShownFinding {
  check: string;
  status: "ok" | "warning" | "failed";
  message: string;
  fix?: string;
}

export type Diagnosis = ReturnType<typeof diagnosisOf>;

const PROXY_VARIABLES = ["grpc_proxy", "no_grpc_proxy", "http_proxy", "https_proxy", "all_proxy", "no_proxy"];
export const noProxies = Object.fromEntries(
  PROXY_VARIABLES.flatMap((name) => [name, name.toUpperCase()]).map((name) => [name, ""]),
);

/** A stack without anything to mend, unless the options make it so. */
export const soundStack = (simulator: Simulator, options: StackOptions = {}): Promise<TestStack> =>
  newStack({ simulator, ...options, env: { ...noProxies, ...options.env } });

export function diagnosisOf(run: Run) {
  const { ok, findings } = JSON.parse(run.stdout) as { ok: boolean; findings: ShownFinding[] };
  return { run, ok, findings, bad: findings.filter(({ status }) => status !== "ok") };
}

export async function runFix(stack: TestStack, { fix = "" }: ShownFinding, value?: string): Promise<void> {
  const [command, ...args] = fix.split(" ");
  if (command !== "pulumi") throw new Error(`This is no command of the Pulumi CLI: ${fix}`);
  // The CLI selects no stack while the environment names one.
  const env = args.includes("select") ? { PULUMI_STACK: undefined } : {};
  await stack.pulumi([...args, ...(value === undefined ? [] : [value])], { env });
}
