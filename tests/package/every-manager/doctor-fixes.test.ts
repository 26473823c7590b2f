import { realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { diagnosisOf, noProxies, type Diagnosis } from "../../kit/doctor";
import { installedProject, installedSimulator } from "../installed-project";
import { runShell, type PackageManagerName } from "../package-managers";
import { pack } from "../../kit/tarballs";
import { minimal, pipesProgram } from "../../kit/pipes";
import { newSimulator, pipeNamed, variablesOf } from "../../kit/simulator";
import type { TestStack } from "../../kit/stack";

const program = pipesProgram({ orders: { ...minimal.kafka, deletionPolicy: "delete" } });

/** What the doctor says, which is called by its path or by a package manager. */
async function diagnosis(
  stack: TestStack,
  manager: PackageManagerName,
  env: Record<string, string>,
  command = "node node_modules/pulumi-datapipes/bin/datapipes.js",
): Promise<Diagnosis> {
  const options = { env: { ...noProxies, ...env }, expectFailure: "either" } as const;
  return diagnosisOf(await runShell(stack, manager, `${command} doctor --json`, options));
}

/** The command of a fix, with the package where it is before a release. */
async function commandOf({ bad: [finding] }: Diagnosis): Promise<string> {
  const provider = (await pack()).find(({ name }) => name === "pulumi-datapipes");
  const command = /`(.*? pulumi-datapipes)`/.exec(finding?.fix ?? "")?.[1] ?? finding?.fix ?? "";
  return command.replace(/ pulumi-datapipes$/, ` pulumi-datapipes@file:${provider?.tarball ?? ""}`);
}

describe.each<PackageManagerName>(["pnpm", "yarn", "yarn-classic", "bun", "npm"])(
  "in a project of %s",
  (manager) => {
    test("the doctor's fixes replace an SDK that is too old, and install a broken package again", async () => {
      // npm alone refuses such a project.
      const versions = { "@pulumi/pulumi": manager === "npm" ? "3.216.0" : "3.200.0" };
      const stack = await installedProject({ manager, form: "JavaScript, CommonJS", program, versions });
      const env = await installedSimulator(stack.project);

      const old = await diagnosis(stack, manager, env);
      if (manager !== "npm") {
        expect(old.bad).toMatchObject([{ check: "sdk", status: "failed" }]);
        await runShell(stack, manager, await commandOf(old));
      }
      expect((await diagnosis(stack, manager, env)).bad).toEqual([]);

      const folder = realpathSync(path.join(stack.project, "node_modules/pulumi-datapipes"));
      await rm(path.join(folder, "dist/runtime.js"));
      const repository = "node " + path.resolve(__dirname, "../../../provider/bin/datapipes.js");
      const broken = await diagnosis(stack, manager, env, repository);
      expect(broken.bad[0]).toMatchObject({ check: "package", status: "failed" });
      expect(broken.bad[0]?.fix).toContain(`Remove ${folder}, then run`);
      await rm(folder, { recursive: true });
      await runShell(stack, manager, await commandOf(broken));
      expect((await diagnosis(stack, manager, env)).bad).toEqual([]);
      await stack.up({ env });
    });
  },
);

test("under Plug'n'Play a program goes up if Yarn starts Pulumi, or after the linker's change", async () => {
  const simulator = await newSimulator();
  const stack = await installedProject({ manager: "yarn-pnp", form: "JavaScript, CommonJS", program });
  const env = { ...noProxies, ...variablesOf(simulator) };
  const yarn = (line: string) => runShell(stack, "yarn-pnp", line, { env, expectFailure: "either" });
  const preview = () => stack.preview({ env, expectFailure: "either" });

  expect((await preview()).output).toContain("the Pulumi SDK has not been installed");
  const up = await yarn("yarn exec pulumi up --yes --skip-preview");
  expect(up.output).toContain("+ 2 created");
  expect(pipeNamed(simulator, "orders").state).toBe("Running");

  expect(diagnosisOf(await yarn("yarn datapipes doctor --json")).bad).toEqual([]);

  expect((await yarn("yarn config set nodeLinker node-modules && yarn install")).code).toBe(0);
  expect((await preview()).output).toContain("2 unchanged");
});
