import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "../../../testkit/folder";
import type { Install } from "../../../tools/pulumi-cli/download";
import type { ProvideOptions } from "../../../tools/pulumi-cli/provision";
import { pinnedVersion } from "../../../tools/pulumi-cli/release";

/** Waits for a condition, and not for ever. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error("the condition did not come true");
    await sleep(10);
  }
}

/** A machine made of shell scripts, on a closed network: nothing of the real one is on its PATH. */
export class Machine {
  readonly bin: string;
  readonly cache: string;
  readonly lines: string[] = [];

  private constructor(readonly root: string) {
    this.bin = path.join(root, "bin");
    this.cache = path.join(root, "cache");
  }

  static async start(): Promise<Machine> {
    const machine = new Machine(await temporaryFolder("pulumi-cli"));
    await mkdir(machine.bin);
    return machine;
  }

  get env(): NodeJS.ProcessEnv {
    return { PATH: this.bin, DATAPIPES_TOOLS_CACHE: this.cache };
  }

  /** The folder of the pinned version in the cache. */
  get folder(): string {
    return path.join(this.cache, `pulumi-${pinnedVersion}`);
  }

  get options(): ProvideOptions {
    const install: Install = () => Promise.reject(new Error("no network here"));
    return { env: this.env, install, report: (line) => this.lines.push(line) };
  }

  async script(directory: string, name: string, ...lines: string[]): Promise<void> {
    await mkdir(directory, { recursive: true });
    const file = path.join(directory, name);
    await writeFile(file, ["#!/bin/sh", ...lines, ""].join("\n"));
    await chmod(file, 0o755);
  }

  async installCli(version: string, directory = this.bin): Promise<void> {
    await this.script(directory, "pulumi", `echo v${version}`);
    await this.script(directory, "pulumi-language-nodejs", "exit 0");
  }

  /** A Go that "compiles" programs that print the pinned version, and notes each build. */
  async installGo({
    version = "1.99.0",
    seconds = 0,
    program = `echo v${pinnedVersion}`,
  } = {}): Promise<void> {
    await this.script(
      this.bin,
      "go",
      `if [ "$1" = env ]; then echo go${version}; echo local; exit 0; fi`,
      'for last; do :; done; while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done',
      `echo "\${last##*/}" >> "${this.#log}"`,
      `/bin/sleep ${seconds}`,
      `printf '#!/bin/sh\\n%s\\n' '${program}' > "$out"; /bin/chmod +x "$out"`,
    );
  }

  /** What the Go of `installGo` built so far, in order. */
  async builds(): Promise<string[]> {
    const text = await readFile(this.#log, "utf8").catch(() => "");
    return text.split("\n").filter((line) => line !== "");
  }

  /** Every file and folder of the cache folder of the pinned version. */
  async cached(): Promise<string[]> {
    return (await readdir(this.folder, { recursive: true }).catch(() => [])).sort();
  }

  /** A download that brings these programs. */
  download(...names: string[]): Install {
    return async (version, root) => {
      for (const name of names) await this.script(path.join(root, "bin"), name, `echo v${version}`);
    };
  }

  get #log(): string {
    return path.join(this.root, "builds");
  }
}
