import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { providePulumi } from "../../../tools/pulumi-cli/provision";
import { Machine, pinned } from "./machine";

const both = ["pulumi", "pulumi-language-nodejs"] as const;
const whole = ["bin", "bin/pulumi", "bin/pulumi-language-nodejs", "origin"];

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.start();
});
afterEach(async () => {
  await machine.end();
});

describe("a CLI on PATH", () => {
  test("is taken before anything else, and leaves the order of PATH alone", async () => {
    await machine.installCli("3.254.0");
    await machine.script(machine.bin, "pulumi-resource-pulumi-nodejs");
    const cli = await providePulumi(machine.options);
    expect(cli).toMatchObject({
      version: "3.254.0",
      binary: path.join(machine.bin, "pulumi"),
      source: "path",
    });
    expect(cli.directories).toEqual([]);
    expect(machine.lines).toEqual(["pulumi 3.254.0 (on PATH)"]);
    expect(await machine.cached()).toEqual([]);
  });

  test("gets the SDK's folder on PATH when it lacks the script of the dynamic plugin", async () => {
    await machine.installCli("3.254.0");
    const cli = await providePulumi(machine.options);
    expect(cli.directories).toEqual([path.dirname(require.resolve("@pulumi/pulumi/package.json"))]);
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

  test.each([
    ["too old", "echo v3.100.0", "is version 3.100.0, and >=3.254.0 <4 is needed"],
    ["of a later major version", "echo v4.0.0", "is version 4.0.0, and >=3.254.0 <4 is needed"],
    ["broken", "echo kaputt >&2; exit 3", "does not run: kaputt"],
    ["something else", "echo hello", 'does not tell its version: "hello"'],
  ])("that is %s is reported", async (_, line, reason) => {
    await machine.installCli("0.0.0");
    await machine.script(machine.bin, "pulumi", line);
    await expect(providePulumi(machine.options)).rejects.toThrow(
      `PATH: ${path.join(machine.bin, "pulumi")} ${reason}`,
    );
  });

  test("without a language host is reported", async () => {
    await machine.script(machine.bin, "pulumi", "echo v3.260.0");
    await expect(providePulumi(machine.options)).rejects.toThrow(
      "pulumi has no pulumi-language-nodejs beside it or on PATH",
    );
  });
});

describe("the download", () => {
  test("is taken when PATH has nothing, and from the cache the next time", async () => {
    const install = jest.fn(machine.download(...both));
    const options = { ...machine.options, install };
    const first = await providePulumi(options);
    expect(first).toMatchObject({ version: pinned, source: "download" });
    expect(await machine.cached()).toEqual(whole);
    expect(await providePulumi(options)).toMatchObject({ binary: first.binary, source: "download" });
    expect(install).toHaveBeenCalledTimes(1);
    expect(machine.lines.at(-1)).toBe(`pulumi ${pinned} (cached download)`);
  });

  test("leaves nothing when it fails half-way, and Go is used", async () => {
    await machine.installGo();
    const install = async (version: string, root: string) => {
      await machine.download("pulumi")(version, root, {}, new AbortController().signal);
      throw new Error("connection reset");
    };
    const cli = await providePulumi({ ...machine.options, install });
    expect(cli.source).toBe("go");
    expect(machine.lines).toContain("download failed: connection reset");
    expect((await machine.cached()).filter((name) => name.startsWith("staging"))).toEqual([]);
  });

  test("that lacks the language host is refused and leaves nothing", async () => {
    const install = machine.download("pulumi");
    await expect(providePulumi({ ...machine.options, install })).rejects.toThrow(
      "download: the download holds no pulumi-language-nodejs",
    );
    expect(await machine.cached()).toEqual(["bin"]);
  });

  test("of another version is refused", async () => {
    const install = async (_: string, root: string) => machine.installCli("3.300.0", path.join(root, "bin"));
    await expect(providePulumi({ ...machine.options, install })).rejects.toThrow(
      `version 3.300.0 came instead of ${pinned}`,
    );
  });
});

describe("the Go build", () => {
  test("makes both programs, adds the script of the dynamic plugin, and is cached", async () => {
    await machine.installGo();
    const cli = await providePulumi(machine.options);
    expect(cli).toMatchObject({
      version: pinned,
      source: "go",
      directories: [path.join(machine.folder, "bin")],
    });
    expect(await machine.builds()).toEqual(["pulumi-language-nodejs", "pulumi"]);
    expect(await machine.cached()).toEqual(
      expect.arrayContaining([...whole, "bin/pulumi-resource-pulumi-nodejs"]),
    );
    await providePulumi(machine.options);
    expect(await machine.builds()).toHaveLength(2);
    expect(machine.lines.at(-1)).toBe(`pulumi ${pinned} (cached Go build)`);
  });

  test("keeps the half that an interrupted run finished, and removes what it left behind", async () => {
    await machine.installGo();
    await machine.script(path.join(machine.folder, "bin"), "pulumi-language-nodejs", "exit 0");
    await machine.script(path.join(machine.folder, "staging-old"), "pulumi", "exit 1");
    await providePulumi(machine.options);
    expect(await machine.builds()).toEqual(["pulumi"]);
    expect((await machine.cached()).filter((name) => name.startsWith("staging"))).toEqual([]);
  });

  test("says which Go it needs when the installed one is too old and may not fetch a newer one", async () => {
    await machine.installGo({ version: "1.24.1" });
    await expect(providePulumi(machine.options)).rejects.toThrow(
      /is go1\.24\.1, Go 1\.\d+\.\d+ is needed, and GOTOOLCHAIN=local forbids fetching a newer one/,
    );
  });

  test("that gives a CLI which does not run is not kept", async () => {
    await machine.installGo({ program: "exit 7" });
    await expect(providePulumi(machine.options)).rejects.toThrow("Go build: does not run: exit code 7");
    await machine.installGo();
    expect(await providePulumi(machine.options)).toMatchObject({ source: "go" });
  });
});

test("the Go module pins the version that is downloaded", async () => {
  const text = await readFile("tools/pulumi-cli/go/cli/go.mod", "utf8");
  expect(text).toContain(`\tgithub.com/pulumi/pulumi/pkg/v3 v${pinned} `);
});

describe("the cache", () => {
  test("that holds a CLI which does not run any more is filled again", async () => {
    await machine.installGo();
    const { binary } = await providePulumi(machine.options);
    await writeFile(binary, "#!/bin/sh\nexit 9\n");
    expect(await providePulumi(machine.options)).toMatchObject({ version: pinned, source: "go" });
    expect(await machine.builds()).toHaveLength(4);
  });

  test("is not used when its source is not allowed", async () => {
    await machine.installGo();
    await providePulumi({ ...machine.options, install: machine.download(...both) });
    const env = { ...machine.env, DATAPIPES_PULUMI_SOURCES: "path, go" };
    expect(await providePulumi({ ...machine.options, env })).toMatchObject({ source: "go" });
    expect(await machine.builds()).toHaveLength(2);
  });

  test("that cannot be written is reported", async () => {
    await mkdir(machine.cache);
    await writeFile(machine.folder, "a file where the folder should be");
    await expect(providePulumi(machine.options)).rejects.toThrow(/cache: .*(EEXIST|ENOTDIR)/);
  });
});

describe("when nothing works", () => {
  test("one message lists what was tried, each with its reason, and what to install", async () => {
    await machine.installCli("3.100.0");
    const error = await providePulumi(machine.options).catch((reason: unknown) => reason);
    expect(String(error).split("\n")).toEqual([
      "PulumiUnavailableError: No Pulumi CLI could be provided. Tried:",
      `  - PATH: ${machine.bin}/pulumi is version 3.100.0, and >=3.254.0 <4 is needed`,
      "  - download: no network here",
      "  - Go build: no go on PATH",
      expect.stringMatching(
        /^Install the Pulumi CLI, 3\.254\.0 or newer, or Go, 1\.\d+\.\d+ or newer, and try again\.$/,
      ),
    ]);
  });

  test("only the allowed sources are tried", async () => {
    const env = { ...machine.env, DATAPIPES_PULUMI_SOURCES: "path" };
    const error = await providePulumi({ ...machine.options, env }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ tried: ["PATH: no pulumi on PATH"] });
  });

  test("a source that does not exist is refused", async () => {
    const env = { ...machine.env, DATAPIPES_PULUMI_SOURCES: "path,brew" };
    await expect(providePulumi({ ...machine.options, env })).rejects.toThrow(
      'DATAPIPES_PULUMI_SOURCES contains "brew"; expected some of path, download, go',
    );
  });
});

test("quiet says nothing", async () => {
  await machine.installGo();
  await providePulumi({ ...machine.options, quiet: true });
  expect(machine.lines).toEqual([]);
});

test("the environment differs from its base in PATH and the update check only", async () => {
  await machine.installGo();
  const cli = await providePulumi(machine.options);
  const base = { PATH: "/some/where", PULUMI_HOME: "/home" };
  expect(cli.environment(base)).toEqual({
    PATH: [path.join(machine.folder, "bin"), "/some/where"].join(path.delimiter),
    PULUMI_HOME: "/home",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  });
});

test("a file that may not be run is no CLI", async () => {
  await machine.installCli("3.260.0");
  await chmod(path.join(machine.bin, "pulumi"), 0o644);
  await expect(providePulumi(machine.options)).rejects.toThrow("PATH: no pulumi on PATH");
});
