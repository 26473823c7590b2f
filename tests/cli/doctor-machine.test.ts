import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { runCommand } from "../kit/cli";
import { temporaryFolder } from "../kit/cleanup";
import { newSimulator, type Simulator } from "../kit/simulator";
import { expectBad, findingOf, newFolder, repository, SOUND } from "./doctor";
import type { BadFinding, Packages } from "./doctor";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await newSimulator();
});

describe("packages", () => {
  const NO_CODE = {
    version: "0.0.1",
    exports: { "./package.json": "./package.json", "./runtime": "./dist/runtime.js" },
  };
  const FOR_LATER_NODE = { version: "3.250.0", engines: { node: ">=99" } };
  const ABSENT = /cannot be found/;
  const TOO_OLD = /3\.100\.0 .* is older than 3\.216\.0/;
  const INCOMPLETE = /is incomplete: pulumi-datapipes\/runtime does not resolve/;
  const NODE = /^@pulumi\/pulumi 3\.250\.0 requires Node >=99/;
  const ADD_PACKAGE = "npm install pulumi-datapipes";
  const ADD_SDK = /^npm install @pulumi\/pulumi@/;
  const withOwn = (own: Packages[string]) => ({ ...SOUND, "pulumi-datapipes": own });
  const withSdk = (sdk: Packages[string]) => ({ ...SOUND, "@pulumi/pulumi": sdk });

  test.each<[what: string, packages: Packages, ...bad: BadFinding[]]>([
    ["a missing package", { "@pulumi/pulumi": "linked" }, ["package failed", ABSENT, ADD_PACKAGE]],
    ["a package without compiled code", withOwn(NO_CODE), ["package failed", INCOMPLETE, /npm run build/]],
    ["a missing SDK", { "pulumi-datapipes": "linked" }, ["sdk failed", ABSENT, ADD_SDK]],
    ["an SDK that is too old", withSdk({ version: "3.100.0" }), ["sdk failed", TOO_OLD, ADD_SDK]],
    ["an SDK for a later Node", withSdk(FOR_LATER_NODE), ["sdk failed", NODE, ADD_SDK]],
  ])("%s fails", async (_, packages, ...bad) => {
    expectBad(await (await newFolder(simulator, { packages })).diagnose(), ...bad);
  });

  test.each([
    ["package-lock.json", "npm install"],
    ["pnpm-lock.yaml", "pnpm add"],
    ["yarn.lock", "yarn add"],
    ["bun.lock", "bun add"],
  ])("the fix of a project with %s is `%s`", async (lockfile, add) => {
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

test.each<[what: string, cli: string, status: "failed" | "ok", message: RegExp]>([
  ["missing", "", "failed", /not on the PATH/],
  ["too old for the guides", "echo v3.100.0", "failed", /3\.100\.0 is older than 3\.254\.0/],
  ["a pre-release", "echo v3.260.0-alpha.1", "ok", /3\.260\.0-alpha\.1/],
])("the Pulumi CLI is found to be %s", async (_, cli, status, message) => {
  const diagnosis = await (await newFolder(simulator, { cli })).diagnose();
  if (status === "ok") expectBad(diagnosis);
  else expectBad(diagnosis, [`cli ${status}`, message, /^Install a current Pulumi CLI/]);
  expect(findingOf(diagnosis, "cli")?.message).toMatch(message);
});
