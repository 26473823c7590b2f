import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { runCommand } from "../../testkit/cli";
import { temporaryFolder } from "../../testkit/started";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import { addPackages, expectBad, findingOf, newFolder, repository, SOUND } from "./doctor";
import type { BadFinding, Packages } from "./doctor";

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
  const NO_CODE = { version: "0.0.1", exports: { "./runtime": "./dist/runtime.js" } };
  const FOR_LATER_NODE = { version: "3.250.0", engines: { node: ">=99" } };
  const [ABSENT, TOO_OLD] = [/cannot be found/, /3\.100\.0 .* is not in >=3\.216\.0 <4/];
  const INCOMPLETE = /is incomplete: pulumi-datapipes\/runtime does not resolve/;
  const NODE = /not enough for @pulumi\/pulumi 3\.250\.0, which requires >=99/;
  const [ADD_PACKAGE, ADD_SDK] = ["npm install pulumi-datapipes", /^npm install @pulumi\/pulumi@/];
  const [LATER_NODE, OTHER_SDK] = [/Install a Node >=99/, /but pulumi-datapipes another copy/];
  const DOUBLED: BadFinding = ["sdk warning", OTHER_SDK, /npm dedupe/];
  const withOwn = (own: Packages[string]) => ({ ...SOUND, "pulumi-datapipes": own });
  const withSdk = (sdk: Packages[string]) => ({ ...SOUND, "@pulumi/pulumi": sdk });

  test.each<[what: string, packages: Packages, ...bad: BadFinding[]]>([
    ["a missing package", { "@pulumi/pulumi": "linked" }, ["package failed", ABSENT, ADD_PACKAGE]],
    ["a package without compiled code", withOwn(NO_CODE), ["package failed", INCOMPLETE, /npm run build/]],
    ["a missing SDK", { "pulumi-datapipes": "linked" }, ["sdk failed", ABSENT, ADD_SDK]],
    ["an SDK that is too old", withSdk({ version: "3.100.0" }), ["sdk failed", TOO_OLD, ADD_SDK]],
    ["an SDK for a later Node", withSdk(FOR_LATER_NODE), ["node failed", NODE, LATER_NODE], DOUBLED],
  ])("%s fails", async (_, packages, ...bad) => {
    expectBad(await (await newFolder(simulator, { packages })).diagnose(), ...bad);
  });

  test("a copy of the package within another package is a warning until it is removed", async () => {
    const { folder, diagnose } = await newFolder(simulator, { packages: { ...SOUND, ...COPIED } });
    expectBad(await diagnose(), ["package warning", /0\.0\.9/, /npm dedupe/]);
    await rm(path.join(folder, "node_modules", NESTED), { recursive: true });
    expectBad(await diagnose());
  });

  test("another copy than the one that runs, which finds another SDK than the program, is warned of", async () => {
    const { folder, diagnose } = await newFolder(simulator, { packages: { "@pulumi/pulumi": "linked" } });
    const copy = path.join(folder, "node_modules/pulumi-datapipes");
    await cp(path.join(repository, "provider"), copy, { recursive: true });
    await addPackages(copy, { "@pulumi/pulumi": { version: "3.240.0" } });
    expectBad(
      await diagnose(),
      ["sdk warning", OTHER_SDK, /npm dedupe/],
      ["package warning", /this command is of another copy/, "npx --no datapipes doctor"],
    );
  });

  test("Plug'n'Play without Yarn fails with the command that turns it off, and no package is looked for", async () => {
    const { folder, diagnose } = await newFolder(simulator, { packages: { "pulumi-datapipes": "linked" } });
    await writeFile(path.join(folder, ".pnp.cjs"), "");
    const diagnosis = await diagnose();
    const fix = "yarn config set nodeLinker node-modules && yarn install";
    expectBad(diagnosis, ["package failed", /only if Yarn starts it, as in `yarn exec pulumi up`/, fix]);
    expect(findingOf(diagnosis, "sdk")).toBeUndefined();
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
    expectBad(
      await diagnose(),
      ["sdk failed", /cannot be found/, RegExp(`^${add} @pulumi/pulumi@`)],
      ["package warning", /0\.0\.9/, RegExp(`Run \`${dedupe}\``)],
    );
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
      /^error: The package pulumi-datapipes \(.*\) is incomplete: .*npm install pulumi-datapipes.*\n$/,
    );
  });
});

test.each<[what: string, cli: string, status: "failed" | "warning" | "ok", message: RegExp]>([
  ["missing", "", "failed", /not on the PATH/],
  ["too old for the SDK", "echo v3.100.0", "failed", /3\.100\.0 is older than 3\.216\.0/],
  ["too old for `pulumi import --file`", "echo v3.230.0", "warning", /3\.230\.0 is older than 3\.254\.0/],
  ["a pre-release", "echo v3.260.0-alpha.1", "ok", /3\.260\.0-alpha\.1/],
  ["without a version", "echo hello", "warning", /does not print its version/],
])("the Pulumi CLI is found to be %s", async (_, cli, status, message) => {
  const diagnosis = await (await newFolder(simulator, { cli })).diagnose();
  if (status === "ok") expectBad(diagnosis);
  else expectBad(diagnosis, [`cli ${status}`, message, /^Install a current Pulumi CLI/]);
  expect(findingOf(diagnosis, "cli")?.message).toMatch(message);
});

describe("a proxy", () => {
  const remote = "http://someone:proxy-password@proxy.example:8080";
  const dead = "http://127.0.0.1:1";

  /** What the doctor says under these variables, without the password of the proxy. */
  async function diagnoseUnder(env: Record<string, string>) {
    const diagnosis = await (await newFolder(simulator)).diagnose(env);
    expect(diagnosis.run.output).not.toContain("proxy-password");
    return diagnosis;
  }

  const withExceptions = { https_proxy: remote, NO_PROXY: "x.example" };

  test.each<[what: string, env: Record<string, string>, status: "failed" | "warning", exported: string]>([
    ["that carries the engine's traffic away", { https_proxy: remote }, "failed", "no_proxy=127.0.0.1"],
    ["of this machine that does not answer", { http_proxy: dead }, "failed", "no_proxy=127.0.0.1"],
    ["that other tools use for this machine", { HTTP_PROXY: remote }, "warning", "NO_PROXY=127.0.0.1"],
    ["with a list of exceptions", withExceptions, "failed", 'no_proxy="$NO_PROXY,127.0.0.1"'],
  ])("%s is found, and its fix mends it", async (_, env, status, exported) => {
    const fix = `export ${exported}`;
    expectBad(await diagnoseUnder(env), [`proxy ${status}`, /^The environment sets /, fix]);
    const [, name = "", list = ""] = /^export (\w+)="?(.*?)"?$/.exec(fix) ?? [];
    expectBad(await diagnoseUnder({ ...env, [name]: list.replace("$NO_PROXY", env["NO_PROXY"] ?? "") }));
  });

  test("of this machine for the engine's traffic that answers is a warning", async () => {
    const diagnosis = await diagnoseUnder({ http_proxy: simulator.url });
    expectBad(diagnosis, ["proxy warning", /^The environment sets http_proxy/, "export no_proxy=127.0.0.1"]);
  });

  const far = { DATAPIPES_BASE_URL: "https://api.invalid", no_proxy: "127.0.0.0/8" };

  test.each([
    ["HTTPS_PROXY", "http://someone:proxy-password@127.0.0.1:1", dead],
    ["ALL_PROXY", "http://someone:proxy-password@nowhere.invalid:8080", "http://nowhere.invalid:8080"],
  ])("of %s that does not answer is named by the list, with its fix", async (name, proxy, shown) => {
    expectBad(await diagnoseUnder({ ...far, [name]: proxy }), [
      "listPipes failed",
      RegExp(`The request goes through the proxy ${shown}, which ${name} names`),
      RegExp(`Correct ${name}, .*export no_proxy="\\$no_proxy,api\\.invalid"`),
    ]);
  });

  test("is named where the API's address needs it", async () => {
    expect(findingOf(await diagnoseUnder({ ...far, HTTPS_PROXY: remote }), "proxy")).toEqual({
      check: "proxy",
      status: "ok",
      message: "The provider reaches https://api.invalid through the proxy http://proxy.example:8080.",
    });
  });
});
