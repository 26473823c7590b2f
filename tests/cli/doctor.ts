import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { runDatapipes } from "../kit/cli";
import { diagnosisOf, type Diagnosis, type ShownFinding } from "../kit/doctor";
import { temporaryFolder } from "../kit/cleanup";
import { variablesOf, type Simulator } from "../kit/simulator";
import type { TestStack } from "../kit/stack";

export const repository = path.resolve(__dirname, "../..");

/** Runs `datapipes doctor --json` in the project of a stack. */
export async function diagnose(
  stack: TestStack,
  env: Record<string, string | undefined> = {},
  ...flags: readonly string[]
): Promise<Diagnosis> {
  return diagnosisOf(await stack.datapipes(["doctor", "--json", ...flags], { env, expectFailure: "either" }));
}

export const findingOf = ({ findings }: Diagnosis, check: string): ShownFinding | undefined =>
  findings.find((finding) => finding.check === check);

/** Which check finds what, and its fix. A text is the whole text, an expression matches a part. */
type BadFinding = readonly [
  finding: `${string} ${"failed" | "warning"}`,
  message: string | RegExp,
  fix: string | RegExp,
];

const matching = (text: string | RegExp): unknown =>
  typeof text === "string" ? text : expect.stringMatching(text);

/** These findings are the only bad ones, and the command fails if one of them is a failure. */
export function expectBad({ run, ok, bad }: Diagnosis, ...expected: readonly BadFinding[]): void {
  const findings = expected.map(([finding, message, fix]) => {
    const [check, status] = finding.split(" ");
    return { check, status, message: matching(message), fix: matching(fix) };
  });
  expect(bad).toEqual(findings);
  const isFailed = findings.some(({ status }) => status === "failed");
  expect(run.code).toBe(isFailed ? 1 : 0);
  expect(ok).toBe(!isFailed);
}

type Packages = Record<string, "linked" | object>;

/** Packages that are found, of which none is wrong. */
export const SOUND = { "@pulumi/pulumi": "linked", "pulumi-datapipes": "linked" } as const;

/** Puts packages into a folder: those of this repository, or such that have a manifest only. */
export async function addPackages(folder: string, packages: Packages): Promise<void> {
  for (const [name, content] of Object.entries(packages)) {
    const target = path.join(folder, "node_modules", name);
    await mkdir(path.dirname(target), { recursive: true });
    if (content === "linked") await symlink(path.join(repository, "node_modules", name), target, "junction");
    else {
      await mkdir(target, { recursive: true });
      await writeFile(path.join(target, "package.json"), JSON.stringify({ name, ...content }));
    }
  }
}

/**
 * A folder without a project, with packages, settings from the environment and a CLI, which is a text for the shell: without a
 * project, the doctor only asks for its version.
 */
export async function newFolder(
  simulator: Simulator,
  { packages = SOUND, cli = "echo v3.260.0" }: { packages?: Packages; cli?: string } = {},
) {
  const folder = await temporaryFolder("doctor");
  const bin = await temporaryFolder("doctor");
  await addPackages(folder, packages);
  if (cli !== "") await writeFile(path.join(bin, "pulumi"), `#!/bin/sh\n${cli}\n`, { mode: 0o755 });
  const settings = { PATH: bin, ...variablesOf(simulator) };
  return {
    folder,
    diagnose: async (env: Record<string, string> = {}): Promise<Diagnosis> => {
      const place = { cwd: folder, env: { ...settings, ...env }, keepPath: true } as const;
      const diagnosis = diagnosisOf(await runDatapipes(["doctor", "--json"], place));
      // The warning that the folder has no project.
      return { ...diagnosis, bad: diagnosis.bad.filter(({ check }) => check !== "stack") };
    },
  };
}
