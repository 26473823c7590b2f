import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";
import { DEFAULT_ACCOUNT } from "../simulator/src/index";
import type { Deployment } from "../testkit/deployment";
import { newSimulator, type Simulator, type SimulatorOptions } from "../testkit/simulator";
import { newStack, type RunOptions, type TestStack } from "../testkit/stack";
import type { OperationName } from "./options";
import type { Shape } from "./programs/pipes";
import { VARIANT, type VariantName } from "./variants";

/** The cost of one process. */
export interface Usage {
  readonly role: "program" | "plugin";
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** The cost of one run of the CLI. */
export interface Sample {
  readonly wallMs: number;
  /** The CPU time of all processes, which the CLI and its children are; undefined where the shell does not tell. */
  readonly allCpuMs?: number | undefined;
  readonly program: Usage | undefined;
  readonly plugin: Usage | undefined;
  /** How many requests of each operation of the API. */
  readonly requests: Readonly<Record<string, number>>;
}

/** Settings of one run. */
export interface RunSettings {
  /** Added to the environment of all processes. */
  readonly env?: Record<string, string>;
  /** A folder for CPU profiles. */
  readonly profile?: string | undefined;
}

const PROGRAMS = path.join(__dirname, "programs");
/** A second service, for figures per service. */
const ACCOUNT = {
  ...DEFAULT_ACCOUNT,
  serviceIds: [...DEFAULT_ACCOUNT.serviceIds.slice(0, 1), "5c6a2f0e-7d0b-4d4c-8f5e-2b1f4f1d0c02"],
};

/** Runs a command, and then writes the CPU time of all its processes that have ended. */
const UNDER_TIMES = ["sh", "-c", '"$@"; code=$?; times >"$BENCH_TIMES"; exit $code', "sh"];

/** A stack of one variant, with its own simulator. */
export class VariantStack {
  #shape: Shape = { pipes: 0, iamRole: "role-0", serviceIds: [] };
  #revision = 0;

  private constructor(
    readonly name: VariantName,
    readonly simulator: Simulator,
    readonly stack: TestStack,
  ) {}

  /** A stack without resources. */
  static async start(name: VariantName, options: SimulatorOptions = {}): Promise<VariantStack> {
    const simulator = await newSimulator({ accounts: [ACCOUNT], ...options });
    const stack = await newStack({ simulator, program: "" });
    const variant = new VariantStack(name, simulator, stack);
    for (const file of await readdir(PROGRAMS)) {
      await stack.writeFile(file.replace(/ts$/, "js"), await compiled(path.join(PROGRAMS, file)));
    }
    await stack.writeFile("index.js", `require("./${name}.js");\n`);
    await stack.writeFile("Pulumi.yaml", projectOf(name));
    // The environment sets the rate limit, so that each run can choose another.
    await stack.removeConfig("rateLimit");
    await variant.declare(1);
    return variant;
  }

  /** How many pipes the program declares, and in how many services. */
  async declare(pipes: number, services = 1): Promise<void> {
    const serviceIds = this.simulator.account.serviceIds.slice(0, services);
    this.#shape = { ...this.#shape, pipes, serviceIds };
    await this.stack.writeFile("shape.json", JSON.stringify(this.#shape));
  }

  /** Runs one operation and gives what it cost. */
  async run(operation: OperationName, settings: RunSettings = {}): Promise<Sample> {
    if (operation === "update") {
      this.#shape = { ...this.#shape, iamRole: `role-${(this.#revision += 1)}` };
      await this.declare(this.#shape.pipes, this.#shape.serviceIds.length);
    }
    return this.measure((options) => this.#call(operation, options), settings);
  }

  /** Measures one run of the CLI. */
  async measure(
    call: (options: RunOptions) => Promise<unknown>,
    { env = {}, profile }: RunSettings = {},
  ): Promise<Sample> {
    const { project } = this.stack;
    const [usageFile, timesFile] = [path.join(project, "usage.jsonl"), path.join(project, "times.txt")];
    for (const file of [usageFile, timesFile]) await rm(file, { force: true });
    this.simulator.control.clearRequests();
    const begun = performance.now();
    await call({
      under: UNDER_TIMES,
      env: {
        DATAPIPES_RATE_LIMIT: "off",
        NODE_OPTIONS: `--require ${path.join(project, "probe.js")}`,
        BENCH_USAGE: usageFile,
        BENCH_TIMES: timesFile,
        BENCH_PLUGIN: VARIANT[this.name].plugin.script,
        ...(profile !== undefined && { BENCH_PROFILE: profile }),
        ...env,
      },
    });
    const wallMs = performance.now() - begun;
    const usages = (await linesOf(usageFile)).map((line) => JSON.parse(line) as Usage);
    const of = (role: Usage["role"]) => usages.find((usage) => usage.role === role);
    return {
      wallMs,
      allCpuMs: timesOf(await linesOf(timesFile)),
      program: of("program"),
      plugin: of("plugin"),
      requests: this.#counted(),
    };
  }

  /** The exported state. */
  export(): Promise<Deployment> {
    return this.stack.export();
  }

  #call(operation: OperationName, options: RunOptions): Promise<unknown> {
    switch (operation) {
      case "preview":
        return this.stack.preview({ ...options, expectNoChanges: true });
      case "refresh":
        return this.stack.refresh(options);
      case "destroy":
        return this.stack.destroy(options);
      default:
        return this.stack.up(options);
    }
  }

  #counted(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { operationId } of this.simulator.control.requests()) {
      const name = operationId ?? "unknown";
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }
}

/** The lines of a file, none where there is no file. */
export async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

/** The CPU time of a shell and of its children, in ms, from what its command `times` has printed. */
export function timesOf(lines: readonly string[]): number | undefined {
  const times = [...lines.join(" ").matchAll(/(\d+)m([\d.]+)s/g)];
  if (times.length === 0) return undefined;
  return times.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  );
}

/** The project of a variant: JSON is YAML, too. */
const projectOf = (name: VariantName): string =>
  JSON.stringify({
    name: "datapipes-test",
    runtime: "nodejs",
    plugins: { providers: VARIANT[name].plugin.providers },
  });

/** A program compiled to JavaScript, so that no run includes the compiler. */
async function compiled(file: string): Promise<string> {
  const compilerOptions = {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    esModuleInterop: true,
  };
  return ts.transpileModule(await readFile(file, "utf8"), { compilerOptions }).outputText;
}
