import { readFileSync } from "node:fs";
import path from "node:path";
import { parse, parseAllDocuments } from "yaml";

const folder = path.resolve(__dirname, "../../examples/pipelines");

export const pipelineText = (file: string): string => readFileSync(path.join(folder, file), "utf8");

/** What a runner does in a step. */
export type Step =
  | { readonly kind: "shell"; readonly script: string; readonly env: Readonly<Record<string, string>> }
  /** A program that the runner gives to `actions/github-script`. */
  | { readonly kind: "program"; readonly script: string };

/** One job of a pipeline, with the command that runs its shell scripts. */
export interface Job {
  readonly shell: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/** The values of expressions such as `secrets.NAME`. An expression without a value is an error. */
export type Values = Readonly<Record<string, string>>;

export interface Workflow {
  readonly env: Record<string, string>;
  readonly jobs: Record<string, WorkflowJob>;
}

interface WorkflowJob {
  readonly environment?: string;
  readonly permissions: Record<string, string>;
  readonly concurrency?: unknown;
  readonly steps: readonly WorkflowStep[];
}

interface WorkflowStep {
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Record<string, string>;
  readonly with?: Record<string, unknown>;
}

/** What only the hosted system can do, by name. The files of a job stay where they are for the next one. */
const HOSTED = new Set([
  "actions/checkout",
  "actions/setup-node",
  "actions/upload-artifact",
  "actions/download-artifact",
  "aws-actions/configure-aws-credentials",
  "pulumi/actions",
  "pulumi/auth-actions",
]);

/** The workflow of GitHub Actions. */
export const workflow = (): Workflow => parse(pipelineText("github-actions/pulumi.yml")) as Workflow;

export function githubJob(name: string, values: Values): Job {
  const { env, jobs } = workflow();
  const steps = jobs[name]?.steps ?? [];
  return {
    shell: ["bash", "--noprofile", "--norc", "-eo", "pipefail"],
    env: evaluated(env, values),
    steps: steps.flatMap((step) => githubStep(step, values)),
  };
}

function githubStep({ run, uses = "", env = {}, with: inputs }: WorkflowStep, values: Values): Step[] {
  if (run !== undefined) return [{ kind: "shell", script: run, env: evaluated(env, values) }];
  const [action = ""] = uses.split("@");
  if (action === "actions/github-script") return [{ kind: "program", script: String(inputs?.["script"]) }];
  if (!HOSTED.has(action)) throw new Error(`no test knows what ${uses} does`);
  return [];
}

const EXPRESSION = /\$\{\{ (.*?) \}\}/g;

const evaluated = (env: Readonly<Record<string, string>>, values: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).map(([name, text]) => [
      name,
      text.replace(EXPRESSION, (_, expression: string) => {
        const value = values[expression];
        if (value === undefined) throw new Error(`the expression ${expression} has no value`);
        return value;
      }),
    ]),
  );

interface GitLabJob {
  readonly extends?: string;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
  readonly environment?: { readonly name: string };
  readonly resource_group?: string;
}

export type GitLabPipeline = Readonly<Record<string, GitLabJob>> & {
  readonly variables: Record<string, string>;
};

export const gitlabPipeline = (): GitLabPipeline =>
  parse(pipelineText("gitlab-ci/.gitlab-ci.yml")) as GitLabPipeline;

/** A job of GitLab CI: its script and the one before it run in one shell. */
export function gitlabJob(name: string, values: Values): Job {
  const pipeline = gitlabPipeline();
  const own = pipeline[name] ?? {};
  const { before_script: before = [], script = [] } = { ...pipeline[own.extends ?? ""], ...own };
  return {
    shell: ["bash", "-eo", "pipefail"],
    env: { ...pipeline.variables, ...values },
    steps: [{ kind: "shell", script: [...before, ...script].join("\n"), env: {} }],
  };
}

/** An object of Kubernetes, as far as the tests use it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: Record<string, unknown>;
}

export const kubernetesObjects = (file: string): readonly KubernetesObject[] =>
  parseAllDocuments(pipelineText(`kubernetes-operator/${file}`)).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJSON() as KubernetesObject;
  });

interface Container {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

/** The container of the CronJob of Kubernetes. `values` are those of its Secret, and of what stands for an example. */
export function driftCronJob(values: Values): Job {
  const [cronJob] = kubernetesObjects("drift.yaml");
  const spec = cronJob?.spec as {
    jobTemplate: { spec: { template: { spec: { containers: [Container] } } } };
  };
  const [{ command, args, env }] = spec.jobTemplate.spec.template.spec.containers;
  return {
    // The last word, `-c`, takes the script as a text.
    shell: command.slice(0, -1),
    env: Object.fromEntries(env.map(({ name, value = "" }) => [name, values[name] ?? value])),
    steps: [{ kind: "shell", script: args.join("\n"), env: {} }],
  };
}
