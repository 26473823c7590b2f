import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { diagnosisOf, type Diagnosis, type ShownFinding } from "../../testkit/doctor";
import { temporaryFolder } from "../../testkit/folder";
import type { Simulator } from "../../testkit/simulator";
import type { TestStack } from "../../testkit/stack";
import { datapipes, ofHost } from "./command";

export const repository = path.resolve(__dirname, "../..");

interface Options {
  readonly env?: Record<string, string | undefined>;
  readonly flags?: readonly string[];
}

/** Runs `datapipes doctor --json` in the project of a stack. */
export async function diagnose(stack: TestStack, { env = {}, flags = [] }: Options = {}): Promise<Diagnosis> {
  const place = { cwd: stack.project, env: { ...stack.place().env, ...env } };
  return diagnosisOf(await datapipes(["doctor", "--json", ...flags], place));
}

export const findingOf = ({ findings }: Diagnosis, check: string): ShownFinding | undefined =>
  findings.find((finding) => finding.check === check);

export type Packages = Record<string, "linked" | object>;

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

/** A folder without a project, whose settings come from the environment. */
export interface Folder {
  readonly folder: string;
  readonly diagnose: (env?: Readonly<Record<string, string>>) => Promise<Diagnosis>;
}

/** A folder with packages and a CLI, which is a text for the shell: without a project, the doctor only asks for its version. */
export async function newFolder(
  { url, account }: Simulator,
  { packages = SOUND, cli = "echo v3.260.0" }: { packages?: Packages; cli?: string | undefined } = {},
): Promise<Folder> {
  const [folder, bin] = [await temporaryFolder("doctor"), await temporaryFolder("doctor")];
  await addPackages(folder, packages);
  if (cli !== "") {
    await writeFile(path.join(bin, "pulumi"), `#!/bin/sh\n${cli}\n`);
    await chmod(path.join(bin, "pulumi"), 0o755);
  }
  const settings = {
    PATH: bin,
    DATAPIPES_BASE_URL: url,
    DATAPIPES_API_KEY_ID: account.apiKeyId,
    DATAPIPES_API_KEY_SECRET: account.apiKeySecret,
    DATAPIPES_ORGANIZATION_ID: account.organizationId,
    DATAPIPES_SERVICE_ID: account.serviceIds[0] ?? "",
  };
  return {
    folder,
    diagnose: async (env = {}) => {
      const message = { args: ["doctor", "--json"], cwd: folder, env: { ...settings, ...env } };
      const diagnosis = diagnosisOf(await ofHost(message));
      // The warning that the folder has no project.
      return { ...diagnosis, bad: diagnosis.bad.filter(({ check }) => check !== "project") };
    },
  };
}
