import path from "node:path";
import { cliSource, runPulumi } from "../../testkit/cli";
import { installedProject, installedSimulator } from "../../testkit/installed-project";
import { endStarted } from "../../testkit/started";
import { CHECKS, FORM, programWith, type CombinationStack } from "./checks";
import { COMBINATIONS, type CombinationName, type CombinationResult } from "./combination";
import { installedNode } from "./node";

/** Takes one line for the user. */
type Report = (line: string) => void;

/** Installs the packed packages with the versions of a combination into an empty folder, and runs all checks in it. */
export async function runCombination(name: CombinationName, report: Report): Promise<CombinationResult> {
  try {
    const combination = await installedCombination(name);
    const versions = await versionsOf(combination);
    report(
      `${name}: Node ${versions.node}, @pulumi/pulumi ${versions.sdk}, TypeScript ${versions.typescript}`,
    );
    const date = new Date().toISOString().slice(0, 10);
    return { combination: name, ...versions, date, ...(await checked(combination, report)) };
  } finally {
    await endStarted();
  }
}

async function installedCombination(name: CombinationName): Promise<CombinationStack> {
  const { node, sdk, typescript } = COMBINATIONS[name];
  const folder = await installedNode(node);
  const stack = await installedProject({
    manager: "npm",
    form: FORM,
    program: programWith(5000),
    versions: { "@pulumi/pulumi": sdk, typescript, "@types/node": node },
    path: [folder],
  });
  const simulator = await installedSimulator(stack.project, path.join(folder, "node"));
  return { stack, env: { ...simulator, DATAPIPES_RATE_LIMIT: "off" } };
}

/** The versions that run, each as it says itself. */
async function versionsOf({ stack }: CombinationStack) {
  const version = async (line: string) => (await stack.shell("npm", line)).stdout.trim().replace(/^v/, "");
  const ofPackage = (name: string) => version(`node -p "require('${name}/package.json').version"`);
  const cli = (await runPulumi(["version"], stack.place())).stdout.trim();
  return {
    node: await version("node --version"),
    sdk: await ofPackage("@pulumi/pulumi"),
    typescript: await ofPackage("typescript"),
    cli: `${cli.replace(/^v/, "")}${(await cliSource()) === "go" ? " (Go build)" : ""}`,
    platform: `${process.platform} ${process.arch}`,
  };
}

async function checked(
  combination: CombinationStack,
  report: Report,
): Promise<Pick<CombinationResult, "passed" | "failed">> {
  const passed: string[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      await check(combination);
    } catch (error) {
      report(`  ✘ ${name}\n${error instanceof Error ? error.message : String(error)}`);
      return { passed, failed: name };
    }
    report(`  ✔ ${name}`);
    passed.push(name);
  }
  return { passed };
}
