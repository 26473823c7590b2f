import { readFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { runCommand } from "../kit/cli";
import { temporaryFolder } from "../kit/cleanup";

const repository = path.resolve(__dirname, "../..");
const pipelines = path.join(repository, "examples/pipelines");

/** The workflow of the template is the example for GitHub, too. */
const GITHUB = "../../templates/datapipes-typescript/.github/workflows/pulumi.yml";

const pipelineText = (file: string): string => readFileSync(path.join(pipelines, file), "utf8");

const run = (command: string, args: readonly string[], cwd: string, env = process.env) =>
  runCommand(command, args, { cwd, env });

const GITLAB = "gitlab-ci/.gitlab-ci.yml";
const KUBERNETES = "kubernetes-operator/drift.yaml";

test.each([GITHUB, GITLAB, KUBERNETES, "kubernetes-operator/stack.yaml", "pulumi-deployments/settings.sh"])(
  "%s pins the version of the CLI",
  (file) => {
    expect(pipelineText(file)).toMatch(/(?:pulumi-version: |pulumi\/pulumi\S*:)3\.259\.0\b/);
  },
);

test.each([GITHUB, GITLAB, KUBERNETES])("the nightly job of %s fails for a pipe that has failed", (file) => {
  const text = pipelineText(file);
  expect(text).toContain("npx pulumi-datapipes status --fail-on Failed,InternalError || status=1");
});

/** `gitlab-ci-local` checks a pipeline against the JSON schema that GitLab publishes. It needs a method of Node 22. */
const UNION = "Set.prototype.union ??= function (other) { return new Set([...this, ...other]); };";
const WITH_UNION = `data:text/javascript,${encodeURIComponent(UNION)}`;

async function checkedByGitLabSchema(text: string): Promise<{ code: number; output: string }> {
  const folder = await temporaryFolder("pipeline", { ".gitlab-ci.yml": text });
  const script = path.join(pipelines, "gitlab-ci/comment.mjs");
  await copyFile(script, path.join(folder, "comment.mjs"));
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  const git = [
    ["init", "--quiet", "--initial-branch=main"],
    ["remote", "add", "origin", "git@gitlab.example.com:a/b.git"],
    [...identity, "commit", "--quiet", "--allow-empty", "--message=a"],
  ];
  for (const args of git) expect(await run("git", args, folder)).toMatchObject({ code: 0 });
  const env = { ...process.env, NODE_OPTIONS: `--import=${WITH_UNION}` };
  return run("npx", ["--yes", "gitlab-ci-local@4.75.1", "--list"], folder, env);
}

test("GitLab's JSON schema accepts the pipeline, and refuses a misspelt key", async () => {
  const text = pipelineText(GITLAB);
  const { code, output } = await checkedByGitLabSchema(text);
  expect(output).toContain("json schema validated");
  expect(code).toBe(0);
  const refused = await checkedByGitLabSchema(text.replaceAll("resource_group", "resource_groups"));
  expect(refused.output).toContain("'resource_groups' property is not expected");
  expect(refused.code).toBe(1);
});

/** The members of the definition of Stack that the example uses, from the operator's own definition (v2.9). */
const STACK_MEMBERS = [
  "backend",
  "branch",
  "continueResyncOnCommitMatch",
  "destroyOnFinalize",
  "envRefs",
  "gitAuth",
  "projectRepo",
  "refresh",
  "resyncFrequencySeconds",
  "retryMaxBackoffDurationSeconds",
  "serviceAccountName",
  "stack",
  "workspaceTemplate",
];

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: Record<string, unknown>;
}

const kubernetesObjects = (file: string): readonly KubernetesObject[] =>
  parseAllDocuments(pipelineText(`kubernetes-operator/${file}`)).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJSON() as KubernetesObject;
  });

const STACK_AND_DRIFT = ["stack.yaml", "drift.yaml"];

test("the objects of Kubernetes have members of their definitions", () => {
  const objects = STACK_AND_DRIFT.flatMap(kubernetesObjects);
  expect(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
    "v1 ServiceAccount",
    "rbac.authorization.k8s.io/v1 ClusterRoleBinding",
    "pulumi.com/v1 Stack",
    "batch/v1 CronJob",
  ]);
  const stack = objects.find(({ kind }) => kind === "Stack");
  expect(Object.keys(stack?.spec ?? {}).sort()).toEqual(STACK_MEMBERS);
});

test("the objects of Kubernetes take every secret from one Secret", () => {
  const text = STACK_AND_DRIFT.map((file) => pipelineText(`kubernetes-operator/${file}`)).join("");
  const references = [...text.matchAll(/(?:secret|secretKeyRef): \{ name: (\S+), key: \S+ \}/g)];
  expect(references.map(([, name]) => name)).toEqual(Array(8).fill("pipes-prod"));
});

interface WorkflowJob {
  readonly environment?: string;
  readonly permissions: Record<string, string>;
  readonly concurrency?: object;
}

const { jobs } = parse(pipelineText(GITHUB)) as { jobs: Record<string, WorkflowJob> };

test("in GitHub, each job has only the permissions that it needs", () => {
  const permissions = Object.entries(jobs).map(([name, job]) => [name, job.permissions]);
  const reading = { contents: "read", "id-token": "write" };
  expect(Object.fromEntries(permissions)).toEqual({
    preview: reading,
    comment: { "pull-requests": "write" },
    up: reading,
    drift: reading,
  });
});

test("in GitHub, each job has only the environment that it needs", () => {
  const environments = Object.entries(jobs).map(([name, { environment }]) => [name, environment]);
  expect(Object.fromEntries(environments)).toEqual({
    preview: "pulumi-read",
    comment: undefined,
    up: "pulumi-write",
    drift: "pulumi-read",
  });
});

test("in GitHub, nothing cancels an `up` that runs", () => {
  expect(jobs["up"]?.concurrency).toMatchObject({ "cancel-in-progress": false });
});

test("in GitHub, the job that may write comments has no secrets", () => {
  expect(JSON.stringify(jobs["comment"])).not.toContain("secrets.");
});

interface GitLabJob {
  readonly extends?: string;
  readonly environment?: { readonly name: string };
  readonly resource_group?: string;
}

const { preview, comment, up, drift } = parse(pipelineText(GITLAB)) as Record<string, GitLabJob>;

test("in GitLab, runs of a stack wait for each other", () => {
  expect(up?.resource_group).toBe("pulumi-$PULUMI_STACK");
  expect(drift?.resource_group).toBe("pulumi-$PULUMI_STACK");
});

test("in GitLab, one job has the token for comments", () => {
  const environments = [preview, comment, up, drift].map((job) => job?.environment?.name);
  expect(environments).toEqual(["pulumi-read", "pulumi-comment", "pulumi-write", "pulumi-read"]);
  expect(comment?.extends).toBeUndefined();
});
