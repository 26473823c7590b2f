import { spawn } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { withPulumi } from "../../testkit/cli";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import { newStack, type TestStack } from "../../testkit/stack";
import { onEnd } from "../../testkit/started";
import { Ids, normalized } from "../recordings/normalize";
import type { Job, Step, Values } from "./commands";
import { GitHubComments } from "./github-comments";
import { account } from "../recordings/recorder";

const repository = path.resolve(__dirname, "../..");

export interface JobRun {
  /** That of the first step that failed, else 0. */
  readonly code: number;
  /** What the runner shows, without what differs from run to run. */
  readonly log: string;
}

/** A copied project with its stack, and the machine that runs its pipelines. */
export class PipelineProject {
  readonly comments = new GitHubComments();
  readonly #ids = new Ids([account.organizationId, ...account.serviceIds]);

  private constructor(
    readonly simulator: Simulator,
    readonly stack: TestStack,
    private readonly machine: string,
  ) {}

  static async start(): Promise<PipelineProject> {
    const simulator = await newSimulator({ accounts: [account] });
    const stack = await newStack({
      cold: true,
      copyOf: path.join(repository, "tools/recordings/project"),
      config: {
        baseUrl: simulator.url,
        organizationId: account.organizationId,
        serviceId: account.serviceIds[0] ?? "",
      },
      secrets: { "pipes:kafkaPassword": "demo-password" },
      env: { PULUMI_CONFIG_PASSPHRASE: PASSPHRASE },
    });
    const machine = await mkdtemp(path.join(tmpdir(), "datapipes-runner-"));
    onEnd(() => rm(machine, { recursive: true, force: true }));
    const project = new PipelineProject(simulator, stack, machine);
    await project.#prepare();
    return project;
  }

  /** What the copied files need beside the project, and what stands for `npm ci` and `git clone`. */
  async #prepare(): Promise<void> {
    await copyFile(
      path.join(repository, "examples/pipelines/gitlab-ci/comment.mjs"),
      path.join(this.stack.project, "comment.mjs"),
    );
    await mkdir(path.join(this.machine, "bin"));
    await this.#standIn("npm", `[ "$1" = ci ] && echo "npm $*" >> "$NPM_CALLS"`);
    await this.#standIn("git", `ln -s "$CLONED" "\${@: -1}"`);
  }

  async #standIn(name: string, script: string): Promise<void> {
    const file = path.join(this.machine, "bin", name);
    await writeFile(file, `#!/bin/bash\n${script}\n`);
    await chmod(file, 0o755);
  }

  /** Replaces the program: one pipe, or that and more. */
  write(program: string): Promise<void> {
    return this.stack.write(`const config = new pulumi.Config();\n${program}`);
  }

  /** The values of variables and secrets, by their names. */
  values(): Values {
    const { env } = this.stack.place();
    return {
      PULUMI_STACK: env["PULUMI_STACK"] ?? "",
      PULUMI_BACKEND_URL: env["PULUMI_BACKEND_URL"] ?? "",
      PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
      DATAPIPES_API_KEY_ID: account.apiKeyId,
      DATAPIPES_API_KEY_SECRET: account.apiKeySecret,
    };
  }

  /** Runs a job as its system does: a step after a failed one does not run. */
  async run(job: Job, options: { readonly cwd?: string } = {}): Promise<JobRun> {
    const texts: string[] = [];
    let code = 0;
    for (const step of job.steps) {
      const run = await this.#step(job, step, options.cwd ?? this.stack.project);
      texts.push(run.log);
      code = run.code;
      if (code !== 0) break;
    }
    return { code, log: this.shown(texts.join("")) };
  }

  async #step(job: Job, step: Step, cwd: string): Promise<JobRun> {
    if (step.kind === "program") {
      await this.comments.run(step.script, cwd, job.env["PULUMI_STACK"] ?? "");
      return { code: 0, log: "" };
    }
    const [shell = "bash", ...flags] = job.shell;
    const file = path.join(this.machine, "step.sh");
    await writeFile(file, step.script);
    const env = await this.#environment({ ...job.env, ...step.env });
    return ended(spawn(shell, [...flags, file], { cwd, env, stdio: ["ignore", "pipe", "pipe"] }));
  }

  /** What the machine has, and what the pipeline sets. */
  async #environment(own: Values): Promise<NodeJS.ProcessEnv> {
    const { PATH, HOME, TMPDIR } = process.env;
    const { PULUMI_HOME } = this.stack.place().env;
    const env = await withPulumi({ PATH, HOME, TMPDIR, PULUMI_HOME });
    return {
      ...env,
      PATH: `${path.join(this.machine, "bin")}${path.delimiter}${env["PATH"] ?? ""}`,
      CI: "true",
      // Many runners show colours, which a comment must not have.
      FORCE_COLOR: "1",
      // The settings of the user who runs the tests are not those of a runner.
      NPM_CONFIG_USERCONFIG: this.#file("npmrc"),
      NPM_CALLS: this.#file("npm-calls"),
      CLONED: this.stack.project,
      GITHUB_STEP_SUMMARY: this.#file("step-summary.md"),
      ...own,
    };
  }

  #file(name: string): string {
    return path.join(this.machine, name);
  }

  /** An empty folder, as that of a new container. */
  emptyFolder(): Promise<string> {
    return mkdtemp(this.#file("work-"));
  }

  /** How often packages were installed. */
  async installations(): Promise<number> {
    return (await readFile(this.#file("npm-calls"), "utf8")).trim().split("\n").length;
  }

  /** The pages of all runs that GitHub shows. */
  async stepSummaries(): Promise<string> {
    return this.shown(await readFile(this.#file("step-summary.md"), "utf8"));
  }

  /** A text as it is in every run. */
  shown(text: string): string {
    const place = { url: this.simulator.url, folder: this.stack.project, repository };
    const lines = text.split("\n").filter((line) => !line.startsWith(PROGRESS));
    const plain = lines.map((line) => line.replace(/ \(\d+(?:\.\d+)?m?s\)/, ""));
    return normalized(plain, this.#ids, place).join("\n");
  }
}

const PASSPHRASE = "demo-passphrase";

/** A line that says only that the engine is at work: how many there are depends on the machine. */
const PROGRESS = "@ ";

function ended(child: ReturnType<typeof spawn>): Promise<JobRun> {
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
  const timer = setTimeout(() => child.kill("SIGINT"), 240_000);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? -1, log });
    });
  });
}
