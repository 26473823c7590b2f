import { execFile } from "node:child_process";
import { chmod, cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { diagnose, diagnosisOf, noProxies, soundStack } from "../../testkit/doctor";
import { temporaryFolder } from "../../testkit/folder";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import type { TestStack } from "../../testkit/stack";

const repository = path.resolve(__dirname, "../..");

let simulator: Simulator;

beforeAll(async () => {
  simulator = await newSimulator();
});

type Packages = Record<string, "linked" | object>;

/** A folder of packages: those of this repository, or such that have a manifest only. */
async function packagesOf(packages: Packages): Promise<string> {
  const modules = path.join(await temporaryFolder("doctor"), "node_modules");
  for (const [name, content] of Object.entries(packages)) {
    const folder = path.join(modules, name);
    await mkdir(path.dirname(folder), { recursive: true });
    if (content === "linked") await symlink(path.join(repository, "node_modules", name), folder, "junction");
    else {
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, "package.json"), JSON.stringify({ name, ...content }));
    }
  }
  return modules;
}

const stackWith = async (packages: Packages): Promise<TestStack> =>
  soundStack(simulator, { modules: await packagesOf(packages) });

const sound = { "@pulumi/pulumi": "linked", "pulumi-datapipes": "linked" } as const;

describe("packages", () => {
  test.each<[what: string, packages: Packages, check: string, message: RegExp, fix: string]>([
    [
      "a missing package",
      { "@pulumi/pulumi": "linked" },
      "package",
      /cannot be found/,
      "npm install pulumi-datapipes",
    ],
    [
      "a package without compiled code",
      { ...sound, "pulumi-datapipes": { version: "0.0.1", exports: { "./runtime": "./dist/runtime.js" } } },
      "package",
      /is incomplete: pulumi-datapipes\/runtime does not resolve/,
      "npm run build",
    ],
    [
      "a missing SDK",
      { "pulumi-datapipes": "linked" },
      "sdk",
      /cannot be found/,
      "npm install @pulumi/pulumi@",
    ],
    [
      "an SDK that is too old",
      { ...sound, "@pulumi/pulumi": { version: "3.100.0" } },
      "sdk",
      /3\.100\.0 .* is not in >=3\.216\.0 <4/,
      "npm install @pulumi/pulumi@",
    ],
    [
      "an SDK for a later Node",
      { ...sound, "@pulumi/pulumi": { version: "3.250.0", engines: { node: ">=99" } } },
      "node",
      /is not enough for @pulumi\/pulumi 3\.250\.0, which requires >=99/,
      "Install a Node >=99",
    ],
  ])("%s fails", async (_, packages, check, message, fix) => {
    const { run, bad } = await diagnose(await stackWith(packages));
    expect(run.code).toBe(1);
    const finding = bad.find((each) => each.check === check && each.status === "failed");
    expect(finding?.message).toMatch(message);
    expect(finding?.fix).toContain(fix);
  });

  test("a copy of the package within another package is a warning until it is removed", async () => {
    const nested = "feeds/node_modules/pulumi-datapipes";
    const feeds = { version: "1.0.0", dependencies: { "pulumi-datapipes": "0.0.9" } };
    const modules = await packagesOf({ ...sound, feeds, [nested]: { version: "0.0.9" } });
    const stack = await soundStack(simulator, { modules });
    const { run, bad } = await diagnose(stack);
    expect(run.code).toBe(0);
    expect(bad).toMatchObject([{ check: "package", status: "warning" }]);
    expect(bad[0]?.message).toContain("0.0.9");
    expect(bad[0]?.fix).toContain("npm dedupe");
    await rm(path.join(modules, nested), { recursive: true });
    expect((await diagnose(stack)).bad).toEqual([]);
  });

  test("another copy than the one that runs, which finds another SDK than the program, is warned of", async () => {
    const modules = await packagesOf({ "@pulumi/pulumi": "linked" });
    const copy = path.join(modules, "pulumi-datapipes");
    await cp(path.join(repository, "provider"), copy, { recursive: true });
    const sdk = path.join(copy, "node_modules/@pulumi/pulumi");
    await mkdir(sdk, { recursive: true });
    await writeFile(path.join(sdk, "package.json"), JSON.stringify({ version: "3.240.0" }));
    const { run, bad } = await diagnose(await soundStack(simulator, { modules }));
    expect(run.code).toBe(0);
    expect(bad.map(({ check, status }) => `${check} ${status}`)).toEqual(["sdk warning", "package warning"]);
    expect(bad[1]?.fix).toBe("npx datapipes doctor");
  });

  test("Plug'n'Play without Yarn fails with the command that turns it off, and no package is looked for", async () => {
    const stack = await stackWith({ "pulumi-datapipes": "linked" });
    await stack.writeFile(".pnp.cjs", "");
    const { findings, bad } = await diagnose(stack);
    expect(bad).toMatchObject([
      { check: "package", status: "failed", fix: "yarn config set nodeLinker node-modules && yarn install" },
    ]);
    expect(bad[0]?.message).toContain("only if Yarn starts it, as in `yarn exec pulumi up`");
    expect(findings.map(({ check }) => check)).not.toContain("sdk");
  });

  test("the fixes use the package manager whose lockfile the project has", async () => {
    const nested = "feeds/node_modules/pulumi-datapipes";
    const feeds = { version: "1.0.0", dependencies: { "pulumi-datapipes": "0.0.9" } };
    const packages = { "pulumi-datapipes": "linked", feeds, [nested]: { version: "0.0.9" } } as const;
    const stack = await stackWith(packages);
    for (const [lockfile, add, dedupe] of [
      ["package-lock.json", "npm install", "npm dedupe"],
      ["pnpm-lock.yaml", "pnpm add", "pnpm dedupe"],
      ["yarn.lock", "yarn add", "yarn dedupe"],
      ["bun.lock", "bun add", "bun dedupe"],
    ] as const) {
      await stack.writeFile(lockfile, "");
      const { bad } = await diagnose(stack);
      expect(bad.map(({ fix }) => fix)).toEqual([
        expect.stringMatching(`^${add} @pulumi/pulumi@`),
        expect.stringContaining(`Run \`${dedupe}\``),
      ]);
      await rm(path.join(stack.project, lockfile));
    }
  });

  test("the package is resolved from the folder of `main`, where Pulumi runs the plugin process", async () => {
    const stack = await soundStack(simulator);
    await mkdir(path.join(stack.project, "program"));
    await stack.writeFile("Pulumi.yaml", "name: datapipes-test\nruntime: nodejs\nmain: program/\n");
    const { findings } = await diagnose(stack);
    expect(findings.find(({ check }) => check === "package")?.message).toContain("/program (");
  });
});

test("the command of a package without compiled code says on one line how to install it again", async () => {
  const modules = await packagesOf({ "pulumi-datapipes": {} });
  const copy = path.join(modules, "pulumi-datapipes");
  await cp(path.join(repository, "provider/bin"), path.join(copy, "bin"), { recursive: true });
  const run = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [path.join(copy, "bin/datapipes.js"), "doctor"],
      (_, __, stderr) => {
        resolve({ code: child.exitCode, stderr });
      },
    );
  });
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(
    /^error: The package pulumi-datapipes \(.*\) is incomplete: .*npm install pulumi-datapipes.*\n$/,
  );
});

describe("the Pulumi CLI", () => {
  const command = path.join(repository, "provider/bin/datapipes.js");

  /** Runs the doctor in an empty folder with nothing but this text as the CLI. */
  async function withCli(script: string | undefined) {
    const folder = await temporaryFolder("doctor");
    if (script !== undefined) {
      await writeFile(path.join(folder, "pulumi"), `#!/bin/sh\n${script}\n`);
      await chmod(path.join(folder, "pulumi"), 0o755);
    }
    const env = { ...noProxies, PATH: folder };
    const run = await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const args = [command, "doctor", "--json"];
      const child = execFile(process.execPath, args, { cwd: folder, env }, (_, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, stdout, stderr });
      });
    });
    const { findings } = diagnosisOf({ command: "doctor", output: run.stdout, ...run });
    return findings.find(({ check }) => check === "cli");
  }

  test.each<[what: string, script: string | undefined, status: string, message: string]>([
    ["missing", undefined, "failed", "not on the PATH"],
    ["too old for the SDK", "echo v3.100.0", "failed", "3.100.0 is older than 3.216.0"],
    ["too old for `pulumi import --file`", "echo v3.230.0", "warning", "3.230.0 is older than 3.254.0"],
    ["a pre-release", "echo v3.260.0-alpha.1", "ok", "3.260.0-alpha.1"],
    ["without a version", "echo hello", "warning", "does not print its version"],
  ])("is found to be %s", async (_, script, status, message) => {
    const finding = await withCli(script);
    expect(finding?.status).toBe(status);
    expect(finding?.message).toContain(message);
    expect(finding?.fix === undefined).toBe(status === "ok");
  });
});

describe("a proxy", () => {
  const remote = "http://someone:proxy-password@proxy.example:8080";

  test.each<[what: string, env: Record<string, string>, status: string, fix: string]>([
    [
      "that would carry the engine's traffic away",
      { https_proxy: remote },
      "failed",
      "export no_proxy=127.0.0.1",
    ],
    [
      "of this machine for the engine's traffic, which does not answer",
      { http_proxy: "http://127.0.0.1:1" },
      "failed",
      "export no_proxy=127.0.0.1",
    ],
    ["that other tools use for this machine", { HTTP_PROXY: remote }, "warning", "export NO_PROXY=127.0.0.1"],
    [
      "with a list of exceptions",
      { https_proxy: remote, NO_PROXY: "x.example" },
      "failed",
      'export no_proxy="$NO_PROXY,127.0.0.1"',
    ],
  ])("%s is found, and its fix mends it", async (_, env, status, fix) => {
    const stack = await soundStack(simulator);
    const { run, bad } = await diagnose(stack, { env });
    expect(bad).toMatchObject([{ check: "proxy", status, fix }]);
    expect(run.output).not.toContain("proxy-password");
    const [, name = "", list = ""] = /^export (\w+)="?(.*?)"?$/.exec(fix) ?? [];
    const added = { [name]: list.replace("$NO_PROXY", env["NO_PROXY"] ?? "") };
    expect((await diagnose(stack, { env: { ...env, ...added } })).bad).toEqual([]);
  });

  test("of this machine for the engine's traffic that answers is a warning", async () => {
    const { run, bad } = await diagnose(await soundStack(simulator), { env: { http_proxy: simulator.url } });
    expect(run.code).toBe(0);
    expect(bad).toMatchObject([{ check: "proxy", status: "warning", fix: "export no_proxy=127.0.0.1" }]);
  });

  test.each([
    ["HTTPS_PROXY", "http://someone:proxy-password@127.0.0.1:1", "http://127.0.0.1:1"],
    ["ALL_PROXY", "http://someone:proxy-password@nowhere.invalid:8080", "http://nowhere.invalid:8080"],
  ])("of %s that does not answer is named by the list, with its fix", async (name, proxy, shown) => {
    const stack = await soundStack(simulator, { config: { baseUrl: "https://api.invalid" } });
    const { run, bad } = await diagnose(stack, { env: { [name]: proxy, no_proxy: "127.0.0.0/8" } });
    expect(bad).toMatchObject([{ check: "listPipes", status: "failed" }]);
    expect(bad[0]?.message).toContain(`The request goes through the proxy ${shown}, which ${name} names`);
    expect(bad[0]?.fix).toContain(`Correct ${name}`);
    expect(bad[0]?.fix).toContain('export no_proxy="$no_proxy,api.invalid"');
    expect(run.output).not.toContain("proxy-password");
  });

  test("is named where the API's address needs it", async () => {
    const env = { HTTPS_PROXY: remote, no_proxy: "127.0.0.0/8" };
    const stack = await soundStack(simulator, { config: { baseUrl: "https://api.invalid" } });
    const { run, findings } = await diagnose(stack, { env });
    expect(findings.find(({ check }) => check === "proxy")).toEqual({
      check: "proxy",
      status: "ok",
      message: "The provider reaches https://api.invalid through the proxy http://proxy.example:8080.",
    });
    expect(run.output).not.toContain("proxy-password");
  });
});
