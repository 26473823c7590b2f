import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { runCommand } from "../kit/cli";
import { temporaryFolder } from "../kit/cleanup";
import { newSimulator, type Simulator } from "../kit/simulator";
import { expectBad, findingOf, newFolder, repository, SOUND } from "./doctor";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await newSimulator();
});

describe("packages", () => {
  test("a missing package fails", async () => {
    const { diagnose } = await newFolder(simulator, { packages: { "@pulumi/pulumi": "linked" } });
    expectBad(await diagnose(), ["package failed", /cannot be found/, "npm install pulumi-datapipes"]);
  });

  test("a package without compiled code fails", async () => {
    const exports = { "./package.json": "./package.json", "./runtime": "./dist/runtime.js" };
    const packages = { ...SOUND, "pulumi-datapipes": { version: "0.0.1", exports } };
    const { diagnose } = await newFolder(simulator, { packages });
    const incomplete = /is incomplete: pulumi-datapipes\/runtime does not resolve/;
    expectBad(await diagnose(), ["package failed", incomplete, /npm run build/]);
  });

  test.each<[what: string, sdk: object, message: RegExp]>([
    ["that is too old", { version: "3.100.0" }, /3\.100\.0 .* is older than 3\.216\.0/],
    [
      "for a later Node",
      { version: "3.250.0", engines: { node: ">=99" } },
      /^\S+ 3\.250\.0 requires Node >=99/,
    ],
  ])("an SDK %s fails", async (_, sdk, message) => {
    const { diagnose } = await newFolder(simulator, { packages: { ...SOUND, "@pulumi/pulumi": sdk } });
    expectBad(await diagnose(), ["sdk failed", message, /^npm install @pulumi\/pulumi@/]);
  });

  test.each([
    ["package-lock.json", "npm install"],
    ["pnpm-lock.yaml", "pnpm add"],
    ["yarn.lock", "yarn add"],
    ["bun.lock", "bun add"],
  ])("without the SDK, the fix of a project with %s is `%s`", async (lockfile, add) => {
    const { folder, diagnose } = await newFolder(simulator, { packages: { "pulumi-datapipes": "linked" } });
    await writeFile(path.join(folder, lockfile), "");
    expectBad(await diagnose(), ["sdk failed", /cannot be found/, RegExp(`^${add} @pulumi/pulumi@`)]);
  });

  test("the command of a package without compiled code says on one line how to install it again", async () => {
    const copy = await temporaryFolder("doctor");
    await cp(path.join(repository, "provider/bin"), path.join(copy, "bin"), { recursive: true });
    await mkdir(path.join(copy, "node_modules"));
    const place = { cwd: copy, env: process.env };
    const command = [path.join(copy, "bin/datapipes.js"), "doctor"];
    const { code, stderr } = await runCommand(process.execPath, command, place);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: The package pulumi-datapipes \(.*\) is incomplete: .*install the package again with your package manager.*\n$/,
    );
  });
});

test.each<[what: string, cli: string, message: RegExp]>([
  ["is missing", "", /not on the PATH/],
  ["is too old for the guides", "echo v3.100.0", /3\.100\.0 is older than 3\.254\.0/],
])("a Pulumi CLI that %s fails", async (_, cli, message) => {
  const { diagnose } = await newFolder(simulator, { cli });
  expectBad(await diagnose(), ["cli failed", message, /^Install a current Pulumi CLI/]);
});

test("a pre-release of the Pulumi CLI is no problem", async () => {
  const { diagnose } = await newFolder(simulator, { cli: "echo v3.260.0-alpha.1" });
  const diagnosis = await diagnose();
  expectBad(diagnosis);
  expect(findingOf(diagnosis, "cli")?.message).toContain("3.260.0-alpha.1");
});
