import { driftCronJob, githubJob, gitlabJob, type Job, type Values } from "./commands";
import { GitLabComments } from "./gitlab-comments";
import { stableLog } from "./log";
import { PipelineProject, type JobRun } from "./project";

/** How a job of a pipeline ended, and what it shows. */
export interface PipelineRun {
  readonly code: number;
  /** What people look at: the comment, the summary of the run or the log. */
  readonly text: string;
}

/** What the runs of all pipelines have left behind. */
export interface PipelineRuns {
  readonly runs: ReadonlyMap<string, PipelineRun>;
  /** The comments on the pull request and on the merge request at the end, by those who run the pipelines. */
  readonly comments: Readonly<Record<"github" | "gitlab", readonly string[]>>;
  /** The pages of the runs of GitHub, one after the other. */
  readonly stepSummaries: string;
  readonly installations: number;
  readonly jobs: number;
}

/** A pipe that the pull requests change. */
const orders = (wait: number, topics = "orders"): string => `
new datapipes.Pipe("orders", {
  source: {
    kafka: { brokers: "kafka:9092", topics: "${topics}", credentials: { username: "loader", password: config.requireSecret("kafkaPassword") } },
  },
  destination: { table: "orders", columns: [{ name: "order_id", type: "UInt64" }] },
  fieldMappings: [{ sourceField: "$.id", destinationField: "order_id" }],
  settings: { streamingMaxInsertWaitMs: ${wait} },
});`;

/** Runs the jobs of all pipelines in one project, in the order of a team that works with it. */
export async function runPipelines(): Promise<PipelineRuns> {
  const project = await PipelineProject.start();
  const runner = new Runner(project, await GitLabComments.start());
  const { simulator } = project;

  await project.write(orders(5000));
  simulator.control.fault({ operationId: "createPipe", kind: "rate-limit", times: 2, resetSeconds: 1 });
  await runner.github("up", "rate limit");
  await runner.drift("no drift");

  await project.write(orders(2000));
  await runner.preview("green change");
  await runner.gitlab("up", "green change");

  await project.write(orders(2000, "orders-v2"));
  await runner.preview("refused replacement");
  await runner.preview("revoked key", { DATAPIPES_API_KEY_SECRET: "demo-key-secret-of-before" });

  await project.write(orders(2000));
  const [pipe] = simulator.control.state().pipes;
  simulator.control.editPipe(pipe?.id ?? "", { name: "orders (paused)" });
  await runner.drift("drift");

  await project.write(orders(1000));
  await simulator.close();
  await runner.github("preview", "API down");
  await runner.github("up", "API down");
  await runner.drift("API down");
  return runner.result();
}

class Runner {
  readonly #runs = new Map<string, PipelineRun>();
  #installing = 0;

  constructor(
    private readonly project: PipelineProject,
    private readonly gitlabComments: GitLabComments,
  ) {}

  async result(): Promise<PipelineRuns> {
    const { project, gitlabComments } = this;
    return {
      runs: this.#runs,
      comments: { github: project.comments.ofBot, gitlab: gitlabComments.ofBot },
      stepSummaries: await project.stepSummaries(),
      installations: await project.installations(),
      jobs: this.#installing,
    };
  }

  /** The previews of GitHub and GitLab, each with its comment. */
  async preview(name: string, other?: Values): Promise<void> {
    await this.github("preview", name, other);
    await this.gitlab("preview", name, other);
  }

  /** The drift checks of GitHub, GitLab and Kubernetes. */
  async drift(name: string): Promise<void> {
    await this.github("drift", name);
    await this.gitlab("drift", name);
    const job = driftCronJob({ ...this.project.values(), GIT_TOKEN: "demo-git-token" });
    const run = await this.#run(job, await this.project.emptyFolder());
    this.#keep(`kubernetes drift: ${name}`, run, run.log);
  }

  /** A job of GitHub, and the comment on the pull request after it. */
  async github(job: "preview" | "up" | "drift", name: string, other?: Values): Promise<void> {
    const { project } = this;
    const values = githubValues({ ...project.values(), ...other });
    const run = await this.#run(githubJob(job, values));
    if (job !== "preview") {
      this.#keep(`github ${job}: ${name}`, run, run.log);
      return;
    }
    await project.run(githubJob("comment", values));
    this.#keep(`github preview: ${name}`, run, project.comments.ofBot.at(-1));
  }

  /** A job of GitLab, and the comment on the merge request after it. */
  async gitlab(job: "preview" | "up" | "drift", name: string, other?: Values): Promise<void> {
    const { project, gitlabComments } = this;
    const values = {
      ...project.values(),
      ...other,
      AWS_ROLE_ARN: "arn:aws:iam::000000000000:role/pipes",
      AWS_ID_TOKEN: "demo-id-token",
    };
    const run = await this.#run(gitlabJob(job, values));
    if (job !== "preview") {
      this.#keep(`gitlab ${job}: ${name}`, run, run.log);
      return;
    }
    const comment = await project.run(gitlabJob("comment", { ...values, ...gitlabComments.variables }));
    if (comment.code !== 0) throw new Error(`the job comment failed: ${comment.log}`);
    this.#keep(`gitlab preview: ${name}`, run, gitlabComments.ofBot.at(-1));
  }

  #run(job: Job, cwd?: string): Promise<JobRun> {
    this.#installing += 1;
    return this.project.run(job, cwd === undefined ? {} : { cwd });
  }

  #keep(name: string, { code }: JobRun, text = ""): void {
    this.#runs.set(name, { code, text: stableLog(this.project.shown(text)) });
  }
}

/** The expressions of the workflow. */
function githubValues(values: Values): Values {
  const of = (name: string): string => values[name] ?? "";
  return {
    "vars.PULUMI_STACK || 'prod'": of("PULUMI_STACK"),
    "vars.PULUMI_BACKEND_URL": of("PULUMI_BACKEND_URL"),
    "secrets.PULUMI_CONFIG_PASSPHRASE": of("PULUMI_CONFIG_PASSPHRASE"),
    "vars.DATAPIPES_API_KEY_ID": of("DATAPIPES_API_KEY_ID"),
    "secrets.DATAPIPES_API_KEY_SECRET": of("DATAPIPES_API_KEY_SECRET"),
  };
}
