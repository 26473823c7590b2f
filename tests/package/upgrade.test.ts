import { existsSync } from "node:fs";
import path from "node:path";
import { version as current } from "../../provider/package.json";
import { temporaryFolder } from "../../testkit/started";
import * as golden from "../../testkit/golden";
import { linkModules } from "../../testkit/project";
import { takeWrites } from "../../testkit/simulator";
import type { TestStack } from "../../testkit/stack";
import { install, pack } from "../../testkit/packed";

/** The package of a version. Before its release, the version in the working tree has none, and is packed. */
async function packageOf(version: string): Promise<string> {
  if (existsSync(golden.recorded(version, "package"))) return golden.recorded(version, "package");
  return (await pack()).find(({ name }) => name === "pulumi-datapipes")?.tarball ?? "";
}

/** Version and folder of the provider that the program of a stack loads. */
async function loadedBy(stack: TestStack): Promise<string[]> {
  const script = `const file = require.resolve("pulumi-datapipes/package.json"); console.log(require(file).version + "\\n" + file);`;
  return (await stack.node(["-e", script])).stdout.trim().split("\n");
}

test.each(["program", "package"] as const)("every earlier version has the %s that was released", (file) => {
  const without = golden.goldenVersions.filter((version) => !existsSync(golden.recorded(version, file)));
  expect(without.filter((version) => version !== current)).toEqual([]);
});

test.each(golden.goldenVersions)(
  "a stack that the packed version %s deployed has an empty preview with this version, and goes down",
  async (version) => {
    const project = await install([await packageOf(version)], "typescript", "ts-node");
    const simulator = await golden.goldenSimulator(
      path.join(await temporaryFolder("upgrade"), golden.files.service),
    );
    golden.seedAdopted(simulator);
    const modules = path.join(project, "node_modules");
    const stack = await golden.goldenStack(simulator, await golden.read(version, "program"), modules);
    await stack.up();
    const [deployedWith, deployedFrom] = await loadedBy(stack);
    expect(deployedWith).toBe(version);
    simulator.control.clearRequests();

    await linkModules(stack.project);
    const [loaded, loadedFrom] = await loadedBy(stack);
    expect(loaded).toBe(current);
    expect(loadedFrom).not.toBe(deployedFrom);
    await stack.preview({ expectNoChanges: true });
    expect(simulator.control.requests()).toEqual([]);
    await stack.refresh({ flags: ["--expect-no-changes"] });
    await stack.up({ flags: ["--expect-no-changes"] });
    expect(takeWrites(simulator)).toEqual([]);
    await stack.destroy();
    expect((await stack.export()).resources).toEqual([]);
  },
);
