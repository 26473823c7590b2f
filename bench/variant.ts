import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";
import { DEFAULT_ACCOUNT } from "../simulator/src/index";
import type { Deployment } from "../testkit/deployment";
import { newSimulator, type Simulator, type SimulatorOptions } from "../testkit/simulator";
import { newStack, type RunOptions, type TestStack } from "../testkit/stack";
import type { OperationName } from "./options";
import type { Shape } from "./programs/pipes";

/**
 * The compared providers: one that does nothing, one that does nothing with as much state as this package, this package, and a usual dynamic provider.
 */
export const VARIANTS = ["floor", "stateful", "ours", "usual"] as const;
/** The name of a compared provider. */
export type VariantName = (typeof VARIANTS)[number];

/** The cost of one process. */
export interface Usage {
  readonly role: "program" | "plugin";
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** The cost of one run of the CLI. */
export interface Sample {
  readonly wallMs: number;
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
/** A small machine takes long for the largest stack of the slowest variant. */
const RUN_SECONDS = 3_600;
/** A second service, for figures per service. */
const ACCOUNT = {
  ...DEFAULT_ACCOUNT,
  serviceIds: [...DEFAULT_ACCOUNT.serviceIds.slice(0, 1), "5c6a2f0e-7d0b-4d4c-8f5e-2b1f4f1d0c02"],
};

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
    const usageFile = path.join(this.stack.project, "usage.jsonl");
    await rm(usageFile, { force: true });
    this.simulator.control.clearRequests();
    const begun = performance.now();
    await call({
      seconds: RUN_SECONDS,
      env: {
        DATAPIPES_RATE_LIMIT: "off",
        NODE_OPTIONS: `--require ${path.join(this.stack.project, "probe.js")}`,
        BENCH_USAGE: usageFile,
        ...(profile !== undefined && { BENCH_PROFILE: profile }),
        ...env,
      },
    });
    const wallMs = performance.now() - begun;
    const usages = (await linesOf(usageFile)).map((line) => JSON.parse(line) as Usage);
    const of = (role: Usage["role"]) => usages.find((usage) => usage.role === role);
    return { wallMs, program: of("program"), plugin: of("plugin"), requests: this.#counted() };
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

/** A program compiled to JavaScript, so that no run includes the compiler. */
async function compiled(file: string): Promise<string> {
  const compilerOptions = {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    esModuleInterop: true,
  };
  return ts.transpileModule(await readFile(file, "utf8"), { compilerOptions }).outputText;
}
