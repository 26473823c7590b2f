import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { environmentFor } from "../../scripts/pulumi-cli/executable";
import { temporaryFolder } from "./cleanup";
import {
  runCommand,
  runDatapipes,
  runPulumi,
  withoutPulumi,
  withPulumi,
  type Run,
  type RunPlace,
} from "./cli";
import { Deployment, type StoredResource } from "./deployment";
import { keeperVariable, keyServiceEnvironment, withHosts } from "./hosts";
import { makeProject, StackFiles, writeProgram, type ProjectOptions } from "./project";
import { connectionOf, newSimulator, type Simulator } from "./simulator";

const stackName = "dev";
const settled = ["--non-interactive", "--color", "never"];

/** The commands that run a program or a plugin. */
const runsPlugins = (command = ""): boolean => ["up", "preview", "refresh", "destroy"].includes(command);

export interface StackOptions extends ProjectOptions {
  /** The configuration has its account and address. Without it, the configuration is `config` alone. */
  simulator?: Simulator;
  /** Plain configuration, which wins over the simulator's. The namespace `datapipes:` may be left out. */
  config?: Record<string, string>;
  secrets?: Record<string, string>;
  /** Added to the environment, without its own variables of this provider and of Pulumi. */
  env?: Record<string, string>;
  path?: readonly string[];
  /** Starts the processes of each run anew, and makes the stack with the CLI. @default whether no hosts are kept */
  cold?: boolean;
}

export interface RunOptions extends Pick<RunPlace, "until"> {
  /** @default false: a failed run throws an error with its output; `"either"`: the caller checks the code */
  expectFailure?: boolean | "either";
  flags?: readonly string[];
  /** Added to the stack's own environment; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
  /** Without a `pulumi` on the PATH of the processes that the CLI starts. */
  withoutCli?: boolean;
}

interface PreviewOptions extends RunOptions {
  json?: boolean;
  diff?: boolean;
  expectNoChanges?: boolean;
}

/** A stack of the real engine with a project, a home and a backend of its own. `endStarted` removes it. */
export async function newStack(options: StackOptions): Promise<TestStack> {
  const stack = new TestStack(await temporaryFolder("engine"), options);
  await stack.prepare();
  return stack;
}

export async function deployStack(program: string, options: StackOptions = {}) {
  const simulator = options.simulator ?? (await newSimulator());
  const stack = await newStack({ ...options, simulator, program });
  await stack.up();
  return { simulator, stack };
}

export class TestStack {
  readonly project: string;
  readonly env: Record<string, string>;
  private readonly keeper: string | undefined;
  private files: StackFiles | undefined;

  constructor(
    private readonly folder: string,
    private readonly options: StackOptions,
  ) {
    this.project = path.join(folder, "project");
    this.keeper = options.cold === true ? undefined : process.env[keeperVariable];
    this.env = { ...(this.keeper !== undefined && keyServiceEnvironment(this.keeper)), ...options.env };
  }

  async prepare(): Promise<void> {
    const { simulator, config = {}, secrets = {} } = this.options;
    for (const name of ["state", "tmp"]) await mkdir(path.join(this.folder, name));
    await makeProject(this.project, this.options);
    if (this.keeper === undefined) await this.pulumi(["stack", "init", stackName]);
    else this.files = await StackFiles.init(path.join(this.folder, "state"), this.project, stackName);
    await this.setConfig(
      { ...(simulator && connectionOf(simulator)), ...config },
      { ...(simulator && { apiKeySecret: simulator.account.apiKeySecret }), ...secrets },
    );
  }

  async write(program: string): Promise<void> {
    await writeProgram(this.project, this.options.language, program);
  }

  async writeFile(name: string, text: string): Promise<void> {
    await writeFile(path.join(this.project, name), text);
  }

  readonly readFile = (name: string) => readFile(path.join(this.project, name), "utf8");

  async setConfig(plain: Record<string, string>, secrets: Record<string, string> = {}): Promise<void> {
    if (this.files !== undefined) return this.files.set(namespaced(plain), namespaced(secrets));
    const args = (flag: string, values: Record<string, string>) =>
      Object.entries(namespaced(values)).flatMap(([key, value]) => [flag, `${key}=${value}`]);
    const all = [...args("--plaintext", plain), ...args("--secret", secrets)];
    if (all.length > 0) await this.pulumi(["config", "set-all", ...all]);
  }

  async removeConfig(key: string): Promise<void> {
    if (this.files !== undefined) return this.files.remove(keyOfSetting(key));
    await this.pulumi(["config", "rm", keyOfSetting(key)]);
  }

  /** Goes up without a preview, which would only run the program twice. */
  readonly up = (options?: RunOptions) => this.change("up", options);
  readonly refresh = (options?: RunOptions) => this.change("refresh", options);
  readonly destroy = (options?: RunOptions) => this.change("destroy", options);

  preview({ json, diff, expectNoChanges, flags = [], ...options }: PreviewOptions = {}): Promise<Run> {
    const chosen = { "--json": json, "--diff": diff, "--expect-no-changes": expectNoChanges };
    const on = Object.entries(chosen).flatMap(([flag, wanted]) => (wanted === true ? [flag] : []));
    return this.pulumi(["preview", ...on, ...flags], options);
  }

  private change(command: string, { flags = [], ...options }: RunOptions = {}): Promise<Run> {
    return this.pulumi([command, "--yes", "--skip-preview", ...flags], options);
  }

  /** The state; its secrets stay encrypted unless `showSecrets` is set. */
  async export({ showSecrets = false } = {}): Promise<Deployment> {
    if (this.files !== undefined && !showSecrets) return new Deployment(await this.files.export());
    const { stdout } = await this.pulumi(["stack", "export", ...(showSecrets ? ["--show-secrets"] : [])]);
    return new Deployment(stdout);
  }

  async editState(change: (resource: StoredResource) => StoredResource[]): Promise<void> {
    const state = JSON.parse((await this.export()).text) as { deployment: { resources: StoredResource[] } };
    state.deployment.resources = state.deployment.resources.flatMap(change);
    await this.writeFile("state.json", JSON.stringify(state));
    await this.pulumi(["stack", "import", "--file", "state.json"]);
  }

  /** Everything that the engine has written for the stack: state, backups, history and configuration. */
  async storedText(): Promise<string> {
    const files = await readdir(path.join(this.folder, "state"), { recursive: true, withFileTypes: true });
    const stored = files.filter((file) => file.isFile()).map((file) => path.join(file.parentPath, file.name));
    const settings = path.join(this.project, `Pulumi.${stackName}.yaml`);
    return (await Promise.all([...stored, settings].map((file) => readFile(file, "utf8")))).join("\n");
  }

  async outputs(): Promise<Record<string, unknown>> {
    const { stdout } = await this.pulumi(["stack", "output", "--json", "--show-secrets"]);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  pulumi(args: readonly string[], options?: RunOptions): Promise<Run> {
    return this.run(runPulumi, [...args, ...settled], options);
  }

  readonly datapipes = (args: readonly string[], options?: RunOptions) =>
    this.run(runDatapipes, args, options);

  /** A file in Node.js, in the folder of the project, with the CLI on its PATH. */
  node(args: readonly string[], options?: RunOptions): Promise<Run> {
    return this.run((all, place) => runCommand(process.execPath, all, place), args, options);
  }

  /** Any command, in the folder of the project, with the CLI on its PATH. */
  command(name: string, args: readonly string[], options?: RunOptions): Promise<Run> {
    return this.run((all, place) => runCommand(name, all, place), args, options);
  }

  private async run(
    start: (args: readonly string[], place: RunPlace) => Promise<Run>,
    args: readonly string[],
    { expectFailure = false, env: more = {}, withoutCli = false, ...limits }: RunOptions = {},
  ): Promise<Run> {
    const { cwd, env: own } = this.place();
    const given = environmentFor(this.options.path ?? [], await withPulumi({ ...own, ...more }));
    // Hosts that stay have the PATH of the run, as the processes that the CLI starts.
    const place = { cwd, env: withoutCli ? await withoutPulumi(given) : given, ...limits };
    const runIn = (env: NodeJS.ProcessEnv) => start(args, { ...place, env, keepPath: true });
    // The hosts have the packages of this repository.
    const isAttached = this.options.files === undefined && this.options.modules === undefined;
    const isWarm = isAttached && start === runPulumi && runsPlugins(args[0]);
    const run =
      this.keeper !== undefined && isWarm
        ? await withHosts(this.keeper, place, runIn)
        : await runIn(place.env);
    if (expectFailure !== "either" && (run.code !== 0) !== expectFailure)
      throw new Error(`${run.command}\nended with ${run.code}:\n${run.output}`);
    return run;
  }

  place(): { cwd: string; env: NodeJS.ProcessEnv } {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(DATAPIPES|PULUMI)_|^FORCE_COLOR$/.test(name),
    );
    const env = {
      ...Object.fromEntries(inherited),
      NO_COLOR: "1",
      TMPDIR: path.join(this.folder, "tmp"),
      PULUMI_HOME: path.join(this.folder, "home"),
      PULUMI_BACKEND_URL: `file://${path.join(this.folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "",
      PULUMI_STACK: stackName,
      ...this.env,
    };
    return { cwd: this.project, env };
  }
}

const keyOfSetting = (key: string): string => (key.includes(":") ? key : `datapipes:${key}`);

const namespaced = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [keyOfSetting(key), value]));
