import { spawn, spawnSync } from "node:child_process";
import { chmod, readFile, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onEnd } from "../../../testkit/started";
import { CacheFolder } from "../../../tools/pulumi-cli/cache";
import { runChild } from "../../../tools/pulumi-cli/child";
import { fillByDownload, type Install } from "../../../tools/pulumi-cli/download";
import { withLock } from "../../../tools/pulumi-cli/lock";
import { providePulumi } from "../../../tools/pulumi-cli/provision";
import { pinnedVersion } from "../../../tools/pulumi-cli/release";
import { Machine, until } from "./machine";

const programs = ["pulumi", "pulumi-language-nodejs"];
const whole = ["bin", ...programs.map((name) => `bin/${name}`), "origin"];

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.start();
});

describe("a CLI on PATH", () => {
  test("is taken before anything else, and leaves the order of PATH alone", async () => {
    await machine.installCli("3.254.0");
    const lacking = await providePulumi(machine.options);
    expect(lacking.directories).toEqual([path.dirname(require.resolve("@pulumi/pulumi/package.json"))]);
    await machine.script(machine.bin, "pulumi-resource-pulumi-nodejs");
    const cli = await providePulumi(machine.options);
    const binary = path.join(machine.bin, "pulumi");
    expect(cli).toMatchObject({ version: "3.254.0", binary, source: "path", directories: [] });
    expect(machine.lines.at(-1)).toBe("pulumi 3.254.0 (on PATH)");
    expect(await machine.cached()).toEqual([]);
  });

  test("is skipped when it is too old, and the next CLI's folder comes before its own", async () => {
    const newer = path.join(machine.root, "newer");
    await machine.installCli("3.253.9");
    await machine.installCli("3.260.0", newer);
    const env = { ...machine.env, PATH: [machine.bin, newer].join(path.delimiter) };
    const cli = await providePulumi({ ...machine.options, env });
    expect(cli.binary).toBe(path.join(newer, "pulumi"));
    expect(cli.environment(env)["PATH"]?.split(path.delimiter)[0]).toBe(newer);
  });

  test("that is too old or new, broken, something else, without a language host, or may not be run is reported", async () => {
    const reasons = {
      "echo v3.100.0": "is version 3.100.0, and >=3.254.0 <4 is needed",
      "echo v4.0.0": "is version 4.0.0, and >=3.254.0 <4 is needed",
      "echo kaputt >&2; exit 3": "does not run: kaputt",
      "echo hello": 'does not tell its version: "hello"',
      "echo v3.260.0": "has no pulumi-language-nodejs beside it or on PATH",
    };
    const binary = path.join(machine.bin, "pulumi");
    for (const [line, reason] of Object.entries(reasons)) {
      await machine.script(machine.bin, "pulumi", line);
      await expect(providePulumi(machine.options)).rejects.toThrow(`PATH: ${binary} ${reason}`);
    }
    await chmod(binary, 0o644);
    await expect(providePulumi(machine.options)).rejects.toThrow("PATH: no pulumi on PATH");
  });
});

describe("the download", () => {
  test("is taken when PATH has nothing, and from the cache the next time, unless that source is not allowed", async () => {
    const install = jest.fn(machine.download(...programs));
    const options = { ...machine.options, install };
    const first = await providePulumi(options);
    expect(first).toMatchObject({ version: pinnedVersion, source: "download" });
    expect(await machine.cached()).toEqual(whole);
    expect(await providePulumi(options)).toMatchObject({ binary: first.binary, source: "download" });
    expect(install).toHaveBeenCalledTimes(1);
    expect(machine.lines.at(-1)).toBe(`pulumi ${pinnedVersion} (cached download)`);
    await machine.installGo();
    const env = { ...machine.env, DATAPIPES_PULUMI_SOURCES: "path, go" };
    expect(await providePulumi({ ...machine.options, env })).toMatchObject({ source: "go" });
  });

  test("leaves nothing when it fails half-way, and Go is used", async () => {
    await machine.installGo();
    const install: Install = async (...given) => {
      await machine.download("pulumi")(...given);
      throw new Error("connection reset");
    };
    expect(await providePulumi({ ...machine.options, install })).toMatchObject({ source: "go" });
    expect(machine.lines).toContain("download failed: connection reset");
    expect((await machine.cached()).filter((name) => name.startsWith("staging"))).toEqual([]);
  });

  test("of another version, or without the language host, is refused and leaves nothing", async () => {
    const install: Install = (_, root) => machine.installCli("3.300.0", path.join(root, "bin"));
    const other = providePulumi({ ...machine.options, install });
    await expect(other).rejects.toThrow(`version 3.300.0 came instead of ${pinnedVersion}`);
    const half = providePulumi({ ...machine.options, install: machine.download("pulumi") });
    await expect(half).rejects.toThrow("download: the download holds no pulumi-language-nodejs");
    expect(await machine.cached()).toEqual(["bin"]);
  });

  test("that hangs is ended with everything it started", async () => {
    const trace = path.join(machine.root, "trace");
    const script = `echo alive > ${trace}; (while sleep 0.05; do echo alive >> ${trace}; done) & wait`;
    const install: Install = async (_version, _root, env, signal) => {
      await runChild("/bin/sh", ["-c", script], { env, signal });
    };
    const limits = { stalledAfterSeconds: 1, deadlineSeconds: 60, watchEverySeconds: 0.05 };
    const context = {
      version: pinnedVersion,
      folder: new CacheFolder(machine.folder),
      env: { PATH: "/usr/bin:/bin" },
      signal: new AbortController().signal,
      report: () => undefined,
    };
    await expect(fillByDownload(context, install, limits)).rejects.toThrow("nothing came for 1 s");
    const atEnd = await readFile(trace, "utf8");
    await sleep(200);
    expect(await readFile(trace, "utf8")).toBe(atEnd);
    expect(await machine.cached()).toEqual(["bin"]);
  });
});

describe("the Go build", () => {
  test("makes both programs, adds the script of the dynamic plugin, and is cached while it runs", async () => {
    await machine.installGo();
    const cli = await providePulumi(machine.options);
    const directories = [path.join(machine.folder, "bin")];
    expect(cli).toMatchObject({ version: pinnedVersion, source: "go", directories });
    expect(cli.environment({ PATH: "/some/where", PULUMI_HOME: "/home" })).toEqual({
      PATH: [...directories, "/some/where"].join(path.delimiter),
      PULUMI_HOME: "/home",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    });
    const built = [...whole, "bin/pulumi-resource-pulumi-nodejs"];
    expect(await machine.cached()).toEqual(expect.arrayContaining(built));
    await providePulumi(machine.options);
    expect(await machine.builds()).toEqual(["pulumi-language-nodejs", "pulumi"]);
    expect(machine.lines.at(-1)).toBe(`pulumi ${pinnedVersion} (cached Go build)`);
    await writeFile(cli.binary, "#!/bin/sh\nexit 9\n");
    const lines = [...machine.lines];
    expect(await providePulumi({ ...machine.options, quiet: true })).toMatchObject({ source: "go" });
    expect([await machine.builds(), machine.lines]).toMatchObject([{ length: 4 }, lines]);
  });

  test("keeps the half that an interrupted run finished, and removes what it left behind", async () => {
    await machine.installGo();
    await machine.script(path.join(machine.folder, "bin"), "pulumi-language-nodejs", "exit 0");
    await machine.script(path.join(machine.folder, "staging-old"), "pulumi", "exit 1");
    await providePulumi(machine.options);
    expect(await machine.builds()).toEqual(["pulumi"]);
    expect((await machine.cached()).filter((name) => name.startsWith("staging"))).toEqual([]);
  });

  test("says which Go it needs, and does not keep a CLI that does not run", async () => {
    await machine.installGo({ version: "1.24.1" });
    await expect(providePulumi(machine.options)).rejects.toThrow(
      /is go1\.24\.1, Go 1\.\d+\.\d+ is needed, and GOTOOLCHAIN=local forbids fetching a newer one/,
    );
    await machine.installGo({ program: "exit 7" });
    await expect(providePulumi(machine.options)).rejects.toThrow("Go build: does not run: exit code 7");
    await machine.installGo();
    expect(await providePulumi(machine.options)).toMatchObject({ source: "go" });
  });

  test("that is interrupted ends its children and leaves no partial files", async () => {
    await machine.script(path.join(machine.folder, "bin"), "pulumi-language-nodejs", "exit 0");
    await machine.installGo({ seconds: 60 });
    const run = start(["version"], { DATAPIPES_PULUMI_SOURCES: "go" });
    await until(async () => (await machine.builds()).length > 0);
    run.child.kill("SIGINT");
    expect(await run.ended).toMatchObject({ code: null });
    expect(run.child.signalCode).toBe("SIGINT");
    expect(await machine.cached()).toEqual(["bin", "bin/pulumi-language-nodejs"]);
  });

  test("is of the pinned version", async () => {
    const module = await readFile("tools/pulumi-cli/go/cli/go.mod", "utf8");
    expect(module).toContain(`\tgithub.com/pulumi/pulumi/pkg/v3 v${pinnedVersion} `);
  });
});

describe("a lock", () => {
  const never = new AbortController().signal;
  const done = () => Promise.resolve("done");
  const lock = () => path.join(machine.root, "lock");
  const heldBy = (pid: number, host = hostname()) =>
    writeFile(lock(), JSON.stringify({ pid, host, token: "t" }));

  test("lets two runs at the same time do one build, and the one that waits says so", async () => {
    await machine.installGo({ seconds: 0.2 });
    const first = providePulumi(machine.options);
    await until(async () => (await machine.cached()).includes("lock"));
    const clis = await Promise.all([first, providePulumi(machine.options)]);
    expect(clis[0].binary).toBe(clis[1].binary);
    expect(await machine.builds()).toEqual(["pulumi-language-nodejs", "pulumi"]);
    expect(machine.lines).toContain("another run is providing the Pulumi CLI, waiting for it");
    expect(await machine.cached()).not.toContain("lock");
  });

  test("of a process that has ended is taken, by one after the other", async () => {
    await heldBy(spawnSync(process.execPath, ["--version"]).pid);
    const most: number[] = [];
    let holders = 0;
    const turn = () =>
      withLock(lock(), never, async () => {
        most.push(++holders);
        await sleep(5);
        holders -= 1;
      });
    await Promise.all([turn(), turn()]);
    expect(most).toEqual([1, 1]);
  });

  test("of another machine is waited for, unless it has no heartbeat or waiting is interrupted", async () => {
    await heldBy(1, "another");
    await expect(withLock(lock(), AbortSignal.timeout(50), done)).rejects.toThrow(/abort/);
    const longAgo = new Date(Date.now() - 120_000);
    await utimes(lock(), longAgo, longAgo);
    await expect(withLock(lock(), never, done)).resolves.toBe("done");
  });
});

describe("when nothing works", () => {
  const failureWith = async (sources?: string): Promise<string> => {
    const env = { ...machine.env, ...(sources !== undefined && { DATAPIPES_PULUMI_SOURCES: sources }) };
    const cli = await providePulumi({ ...machine.options, env }).catch((reason: unknown) => String(reason));
    return typeof cli === "string" ? cli : "It did not fail.";
  };

  test("one message lists what was tried, each with its reason, and what to install", async () => {
    await machine.installCli("3.100.0");
    expect((await failureWith()).split("\n")).toEqual([
      "PulumiUnavailableError: No Pulumi CLI could be provided. Tried:",
      `  - PATH: ${machine.bin}/pulumi is version 3.100.0, and >=3.254.0 <4 is needed`,
      "  - download: no network here",
      "  - Go build: no go on PATH",
      expect.stringMatching(
        /^Install the Pulumi CLI, 3\.254\.0 or newer, or Go, 1\.\d+\.\d+ or newer, and try again\.$/,
      ),
    ]);
    expect(await failureWith("path")).not.toContain("download");
    expect(await failureWith("path,brew")).toContain(
      'DATAPIPES_PULUMI_SOURCES contains "brew"; expected some of path, download, go',
    );
  });

  test("a cache that cannot be written is reported", async () => {
    await writeFile(machine.cache, "a file where the folder should be");
    expect(await failureWith()).toMatch(/cache: .*(EEXIST|ENOTDIR)/);
  });
});

test("`npm run pulumi` runs the CLI where npm was called, with its arguments, stdin, exit code and one signal", async () => {
  await machine.script(machine.bin, "pulumi-language-nodejs", "exit 0");
  await machine.script(
    machine.bin,
    "pulumi",
    'if [ "$1" = version ]; then echo v3.260.0; exit; fi',
    "trap 'echo interrupted' INT",
    'read line; echo "$# $2 $line $PWD"; /bin/sleep 0.3; /bin/sleep 0.3; exit 42',
  );
  const run = start(["up", "a b", "--yes"], { npm_lifecycle_event: "pulumi", INIT_CWD: machine.bin });
  run.child.stdin.end("typed\n");
  run.child.stdout.once("data", () => {
    run.child.kill("SIGINT");
    run.child.kill("SIGINT");
  });
  const stdout = `3 a b typed ${machine.bin}\ninterrupted\n`;
  expect(await run.ended).toEqual({ code: 42, stdout, stderr: "pulumi 3.260.0 (on PATH)\n" });
});

/** Starts the script of `npm run pulumi`. */
function start(args: readonly string[], env: NodeJS.ProcessEnv) {
  const main = path.resolve("tools/pulumi-cli/main.ts");
  const child = spawn(process.execPath, ["--require", require.resolve("ts-node/register"), main, ...args], {
    env: { ...machine.env, ...env },
  });
  onEnd(() => Promise.resolve(child.kill("SIGKILL")));
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const ended = new Promise<typeof output & { code: number | null }>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => {
      resolve({ code, ...output });
    });
  });
  return { child, ended };
}
