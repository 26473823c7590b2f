import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { temporaryFolder } from "../../../testkit/folder";
import type { Install } from "../../../tools/pulumi-cli/download";
import { providePulumi } from "../../../tools/pulumi-cli/provision";
import { pinnedVersion } from "../../../tools/pulumi-cli/release";

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

  /** Provides a CLI, as the tests and `npm run pulumi` do. */
  provide(install: Install = () => Promise.reject(new Error("no network here")), sources = "") {
    const env = { ...this.env, ...(sources !== "" && { DATAPIPES_PULUMI_SOURCES: sources }) };
    return providePulumi({ env, install, report: (line) => this.lines.push(line) });
  }

  async script(directory: string, name: string, ...lines: string[]): Promise<void> {
    await mkdir(directory, { recursive: true });
    const file = path.join(directory, name);
    await writeFile(file, ["#!/bin/sh", ...lines, ""].join("\n"));
    await chmod(file, 0o755);
  }

  /** A Go that "compiles" programs that print the pinned version, and notes each build. */
  async installGo(): Promise<void> {
    await this.script(
      this.bin,
      "go",
      'if [ "$1" = env ]; then echo go1.99.0; echo local; exit 0; fi',
      'for last; do :; done; while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done',
      `echo "\${last##*/}" >> "${this.root}/builds"; /bin/sleep 0.2`,
      `printf '#!/bin/sh\\necho v${pinnedVersion}\\n' > "$out"; /bin/chmod +x "$out"`,
    );
  }

  /** What the Go of `installGo` built so far, in order. */
  async builds(): Promise<string[]> {
    return (await readFile(path.join(this.root, "builds"), "utf8")).trim().split("\n");
  }

  /** Every file and folder of the cache folder of the pinned version. */
  async cached(): Promise<string[]> {
    const folder = path.join(this.cache, `pulumi-${pinnedVersion}`);
    return (await readdir(folder, { recursive: true }).catch(() => [])).sort();
  }
}
