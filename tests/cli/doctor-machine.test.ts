import { execFile } from "node:child_process";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { temporaryFolder } from "../../testkit/folder";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import { addPackages, findingOf, newFolder, repository, SOUND, type Packages } from "./doctor";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await newSimulator();
});

describe("packages", () => {
  const NESTED = "feeds/node_modules/pulumi-datapipes";
  const COPIED = {
    feeds: { version: "1.0.0", dependencies: { "pulumi-datapipes": "0.0.9" } },
    [NESTED]: { version: "0.0.9" },
  };

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
      { ...SOUND, "pulumi-datapipes": { version: "0.0.1", exports: { "./runtime": "./dist/runtime.js" } } },
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
      { ...SOUND, "@pulumi/pulumi": { version: "3.100.0" } },
      "sdk",
      /3\.100\.0 .* is not in >=3\.216\.0 <4/,
      "npm install @pulumi/pulumi@",
    ],
    [
      "an SDK for a later Node",
      { ...SOUND, "@pulumi/pulumi": { version: "3.250.0", engines: { node: ">=99" } } },
      "node",
      /is not enough for @pulumi\/pulumi 3\.250\.0, which requires >=99/,
      "Install a Node >=99",
    ],
  ])("%s fails", async (_, packages, check, message, fix) => {
    const { run, bad } = await (await newFolder(simulator, { packages })).diagnose();
    expect(run.code).toBe(1);
    const finding = bad.find((each) => each.check === check && each.status === "failed");
    expect(finding?.message).toMatch(message);
    expect(finding?.fix).toContain(fix);
  });

  test("a copy of the package within another package is a warning until it is removed", async () => {
    const { folder, diagnose } = await newFolder(simulator, { packages: { ...SOUND, ...COPIED } });
    const { run, bad } = await diagnose();
    expect(run.code).toBe(0);
    expect(bad).toMatchObject([{ check: "package", status: "warning" }]);
    expect(bad[0]?.message).toContain("0.0.9");
    expect(bad[0]?.fix).toContain("npm dedupe");
    await rm(path.join(folder, "node_modules", NESTED), { recursive: true });
    expect((await diagnose()).bad).toEqual([]);
  });

  test("another copy than the one that runs, which finds another SDK than the program, is warned of", async () => {
    const { folder, diagnose } = await newFolder(simulator, { packages: { "@pulumi/pulumi": "linked" } });
    const copy = path.join(folder, "node_modules/pulumi-datapipes");
    await cp(path.join(repository, "provider"), copy, { recursive: true });
    await addPackages(copy, { "@pulumi/pulumi": { version: "3.240.0" } });
    const { run, bad } = await diagnose();
    expect(run.code).toBe(0);
    expect(bad.map(({ check, status }) => `${check} ${status}`)).toEqual(["sdk warning", "package warning"]);
    expect(bad[1]?.fix).toBe("npx datapipes doctor");
  });

  test("Plug'n'Play without Yarn fails with the command that turns it off, and no package is looked for", async () => {
    const { folder, diagnose } = await newFolder(simulator, { packages: { "pulumi-datapipes": "linked" } });
    await writeFile(path.join(folder, ".pnp.cjs"), "");
    const { findings, bad } = await diagnose();
    expect(bad).toMatchObject([
      { check: "package", status: "failed", fix: "yarn config set nodeLinker node-modules && yarn install" },
    ]);
    expect(bad[0]?.message).toContain("only if Yarn starts it, as in `yarn exec pulumi up`");
    expect(findings.map(({ check }) => check)).not.toContain("sdk");
  });

  test.each([
    ["package-lock.json", "npm install", "npm dedupe"],
    ["pnpm-lock.yaml", "pnpm add", "pnpm dedupe"],
    ["yarn.lock", "yarn add", "yarn dedupe"],
    ["bun.lock", "bun add", "bun dedupe"],
  ])("the fixes of a project with %s are `%s` and `%s`", async (lockfile, add, dedupe) => {
    const packages = { "pulumi-datapipes": "linked", ...COPIED } as const;
    const { folder, diagnose } = await newFolder(simulator, { packages });
    await writeFile(path.join(folder, lockfile), "");
    expect((await diagnose()).bad.map(({ fix }) => fix)).toEqual([
      expect.stringMatching(`^${add} @pulumi/pulumi@`),
      expect.stringContaining(`Run \`${dedupe}\``),
    ]);
  });
});

test("the command of a package without compiled code says on one line how to install it again", async () => {
  const copy = await temporaryFolder("doctor");
  await cp(path.join(repository, "provider/bin"), path.join(copy, "bin"), { recursive: true });
  await mkdir(path.join(copy, "node_modules"));
  const run = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
    const args = [path.join(copy, "bin/datapipes.js"), "doctor"];
    const child = execFile(process.execPath, args, (_, __, stderr) => {
      resolve({ code: child.exitCode, stderr });
    });
  });
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(
    /^error: The package pulumi-datapipes \(.*\) is incomplete: .*npm install pulumi-datapipes.*\n$/,
  );
});

test.each<[what: string, cli: string, status: string, message: string]>([
  ["missing", "", "failed", "not on the PATH"],
  ["too old for the SDK", "echo v3.100.0", "failed", "3.100.0 is older than 3.216.0"],
  ["too old for `pulumi import --file`", "echo v3.230.0", "warning", "3.230.0 is older than 3.254.0"],
  ["a pre-release", "echo v3.260.0-alpha.1", "ok", "3.260.0-alpha.1"],
  ["without a version", "echo hello", "warning", "does not print its version"],
])("the Pulumi CLI is found to be %s", async (_, cli, status, message) => {
  const diagnosis = await (await newFolder(simulator, { cli })).diagnose();
  const finding = findingOf(diagnosis, "cli");
  expect(finding?.status).toBe(status);
  expect(finding?.message).toContain(message);
  expect(finding?.fix === undefined).toBe(status === "ok");
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
    const { diagnose } = await newFolder(simulator);
    const { run, bad } = await diagnose(env);
    expect(bad).toMatchObject([{ check: "proxy", status, fix }]);
    expect(run.output).not.toContain("proxy-password");
    const [, name = "", list = ""] = /^export (\w+)="?(.*?)"?$/.exec(fix) ?? [];
    const added = { [name]: list.replace("$NO_PROXY", env["NO_PROXY"] ?? "") };
    expect((await diagnose({ ...env, ...added })).bad).toEqual([]);
  });

  test("of this machine for the engine's traffic that answers is a warning", async () => {
    const { run, bad } = await (await newFolder(simulator)).diagnose({ http_proxy: simulator.url });
    expect(run.code).toBe(0);
    expect(bad).toMatchObject([{ check: "proxy", status: "warning", fix: "export no_proxy=127.0.0.1" }]);
  });

  const far = { DATAPIPES_BASE_URL: "https://api.invalid", no_proxy: "127.0.0.0/8" };

  test.each([
    ["HTTPS_PROXY", "http://someone:proxy-password@127.0.0.1:1", "http://127.0.0.1:1"],
    ["ALL_PROXY", "http://someone:proxy-password@nowhere.invalid:8080", "http://nowhere.invalid:8080"],
  ])("of %s that does not answer is named by the list, with its fix", async (name, proxy, shown) => {
    const { run, bad } = await (await newFolder(simulator)).diagnose({ ...far, [name]: proxy });
    expect(bad).toMatchObject([{ check: "listPipes", status: "failed" }]);
    expect(bad[0]?.message).toContain(`The request goes through the proxy ${shown}, which ${name} names`);
    expect(bad[0]?.fix).toContain(`Correct ${name}`);
    expect(bad[0]?.fix).toContain('export no_proxy="$no_proxy,api.invalid"');
    expect(run.output).not.toContain("proxy-password");
  });

  test("is named where the API's address needs it", async () => {
    const diagnosis = await (await newFolder(simulator)).diagnose({ ...far, HTTPS_PROXY: remote });
    expect(findingOf(diagnosis, "proxy")).toEqual({
      check: "proxy",
      status: "ok",
      message: "The provider reaches https://api.invalid through the proxy http://proxy.example:8080.",
    });
    expect(diagnosis.run.output).not.toContain("proxy-password");
  });
});
