import { execFile } from "node:child_process";
import { copyFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { withPulumi } from "../../testkit/cli";
import { temporaryFolder } from "../../testkit/folder";
import { gitlabPipeline, kubernetesObjects, pipelineText, workflow } from "../../tools/pipelines/commands";
import { namesIn, PAGES, pageText, withRuns } from "../../tools/pipelines/pages";
import { PulumiCloud } from "../../tools/pipelines/pulumi-cloud";
import { runPipelines } from "../../tools/pipelines/runs";

const repository = path.resolve(__dirname, "../..");

/** A folder with one file, as a copied pipeline. */
async function folderWith(name: string, text: string): Promise<string> {
  const folder = await temporaryFolder("pipeline");
  await writeFile(path.join(folder, name), text);
  return folder;
}

/** Runs a command, and returns its code and all that it prints. */
const run = (
  file: string,
  args: readonly string[],
  cwd: string,
  env = process.env,
): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const child = execFile(file, args, { cwd, env, timeout: 120_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (child.exitCode ?? -1), output: stdout + stderr });
    });
  });

async function workflowErrors(text: string): Promise<string> {
  const parser = path.join(repository, "tools/pipelines/workflow-errors.mjs");
  const { output } = await run(
    process.execPath,
    [parser, "pulumi.yml"],
    await folderWith("pulumi.yml", text),
  );
  return output;
}

test("GitHub's parser accepts the workflow, and finds a misspelt key and an unknown expression", async () => {
  const text = pipelineText("github-actions/pulumi.yml");
  expect(await workflowErrors(text)).toBe("[]");
  const wrong = text
    .replace("timeout-minutes: 5", "timeout-minute: 5")
    .replaceAll("secrets.PULUMI", "secret.PULUMI");
  const errors = await workflowErrors(wrong);
  expect(errors).toContain("timeout-minute");
  expect(errors).toContain("secret");
});

/** `gitlab-ci-local` checks a pipeline against the JSON schema that GitLab publishes. It needs a method of Node 22. */
const UNION = "Set.prototype.union ??= function (other) { return new Set([...this, ...other]); };";
const WITH_UNION = `data:text/javascript,${encodeURIComponent(UNION)}`;

async function checkedByGitLabSchema(text: string): Promise<{ code: number; output: string }> {
  const folder = await folderWith(".gitlab-ci.yml", text);
  await copyFile(
    path.join(repository, "examples/pipelines/gitlab-ci/comment.mjs"),
    path.join(folder, "comment.mjs"),
  );
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  const git = [
    ["init", "--quiet", "--initial-branch=main"],
    ["remote", "add", "origin", "git@gitlab.example.com:a/b.git"],
    [...identity, "commit", "--quiet", "--allow-empty", "--message=a"],
  ];
  for (const args of git) expect(await run("git", args, folder)).toMatchObject({ code: 0 });
  const command = path.join(repository, "node_modules/gitlab-ci-local/dist/index.js");
  return run(process.execPath, ["--import", WITH_UNION, command, "--list"], folder);
}

test("GitLab's JSON schema accepts the pipeline, and refuses a misspelt key", async () => {
  const text = pipelineText("gitlab-ci/.gitlab-ci.yml");
  const { code, output } = await checkedByGitLabSchema(text);
  expect(output).toContain("json schema validated");
  expect(code).toBe(0);
  const refused = await checkedByGitLabSchema(text.replaceAll("resource_group", "resource_groups"));
  expect(refused.output).toContain("'resource_groups' property is not expected");
  expect(refused.code).toBe(1);
});

/** The members of the definition of Stack that the example uses, from the operator's own definition (v2.9). */
const STACK_MEMBERS = [
  ...[
    "backend",
    "branch",
    "continueResyncOnCommitMatch",
    "destroyOnFinalize",
    "envRefs",
    "gitAuth",
    "projectRepo",
  ],
  ...["refresh", "resyncFrequencySeconds", "retryMaxBackoffDurationSeconds", "serviceAccountName", "stack"],
  "workspaceTemplate",
];

test("the objects of Kubernetes belong together, and take every secret from one Secret", () => {
  const objects = [...kubernetesObjects("stack.yaml"), ...kubernetesObjects("drift.yaml")];
  const kinds = objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  expect(kinds).toEqual([
    "v1 ServiceAccount",
    "rbac.authorization.k8s.io/v1 ClusterRoleBinding",
    "pulumi.com/v1 Stack",
    "batch/v1 CronJob",
  ]);
  const stack = objects.find(({ kind }) => kind === "Stack");
  expect(Object.keys(stack?.spec ?? {}).sort()).toEqual(STACK_MEMBERS);
  const text =
    pipelineText("kubernetes-operator/stack.yaml") + pipelineText("kubernetes-operator/drift.yaml");
  const references = [...text.matchAll(/(?:secret|secretKeyRef): \{ name: (\S+), key: \S+ \}/g)];
  expect(references.map(([, name]) => name)).toEqual(Array(8).fill("pipes-prod"));
});

test("in GitHub, a job that runs code of the pull request has no right to write, and one stack has one `up` at a time", () => {
  const { jobs } = workflow();
  const rights = Object.entries(jobs).map(([name, { permissions }]) => [name, permissions]);
  const reading = { contents: "read", "id-token": "write" };
  expect(Object.fromEntries(rights)).toEqual({
    preview: reading,
    comment: { "pull-requests": "write" },
    up: reading,
    drift: reading,
  });
  expect(jobs["comment"]?.environment).toBeUndefined();
  expect(JSON.stringify(jobs["comment"])).not.toContain("secrets.");
  expect(jobs["up"]?.concurrency).toMatchObject({ "cancel-in-progress": false });
  const environments = ["preview", "up", "drift"].map((name) => jobs[name]?.environment);
  expect(environments).toEqual(["pulumi-read", "pulumi-write", "pulumi-read"]);
  const uses = Object.values(jobs).flatMap(({ steps }) => steps.flatMap((step) => step.uses ?? []));
  expect(uses.filter((action) => !/^[a-z-]+\/[a-z-]+@v\d+$/.test(action))).toEqual([]);
});

test("in GitLab, `up` and the drift check of a stack wait for each other, and only one job has the token for comments", () => {
  const { preview, comment, up, drift } = gitlabPipeline();
  expect([up?.resource_group, drift?.resource_group]).toEqual(Array(2).fill("pulumi-$PULUMI_STACK"));
  const environments = [preview, comment, up, drift].map((job) => job?.environment?.name);
  expect(environments).toEqual(["pulumi-read", "pulumi-comment", "pulumi-write", "pulumi-read"]);
  expect(comment?.extends).toBeUndefined();
});

/** The environment of a script that talks to Pulumi Cloud. */
const withCloud = async ({ url }: PulumiCloud, home: string): Promise<NodeJS.ProcessEnv> => ({
  ...(await withPulumi({ PATH: process.env["PATH"], HOME: home, PULUMI_HOME: path.join(home, "home") })),
  PULUMI_BACKEND_URL: url,
  PULUMI_SKIP_UPDATE_CHECK: "true",
});

test("a job of GitLab logs in to Pulumi Cloud with its own short-lived token", async () => {
  const cloud = await PulumiCloud.start();
  const [aws = "", login = ""] = gitlabPipeline()[".pulumi"]?.before_script ?? [];
  const folder = await folderWith("login.sh", [aws, login].join("\n"));
  const token = ['{"alg":"RS256"}', "{}", "signature"]
    .map((part) => Buffer.from(part).toString("base64url"))
    .join(".");
  const { code, output } = await run("bash", ["-eo", "pipefail", "login.sh"], folder, {
    ...(await withCloud(cloud, folder)),
    PULUMI_ORGANIZATION: "your-organization",
    PULUMI_ID_TOKEN: token,
  });
  expect(output).toContain("Logged in");
  expect(code).toBe(0);
  const [exchange] = cloud.writes;
  expect(exchange).toMatchObject({
    path: "/api/oauth/token",
    body: { audience: "urn:pulumi:org:your-organization", subject_token: token },
  });
});

test("the script for Pulumi Deployments sets them up with the real CLI, the secret encrypted", async () => {
  const cloud = await PulumiCloud.start();
  const folder = await folderWith("settings.sh", pipelineText("pulumi-deployments/settings.sh"));
  const { code, output } = await run("bash", ["settings.sh"], folder, {
    ...(await withCloud(cloud, folder)),
    PULUMI_ACCESS_TOKEN: "demo-access-token",
    STACK: "your-organization/pipes/prod",
    REPOSITORY: "your-organization/pipes",
    DATAPIPES_API_KEY_ID: "key-4f1a",
    DATAPIPES_API_KEY_SECRET: "demo-key-secret",
  });
  expect(output).not.toMatch(SECRETS);
  expect(output).not.toContain("error:");
  expect(code).toBe(0);
  const [settings, schedule] = cloud.writes.map(({ body }) => body);
  expect(settings).toMatchObject({
    gitHub: { deployCommits: true, previewPullRequests: true, repository: "your-organization/pipes" },
    operationContext: {
      environmentVariables: { DATAPIPES_API_KEY_SECRET: { secret: "demo-key-secret" } },
      preRunCommands: ["npm ci"],
    },
    sourceContext: { git: { branch: "main" } },
  });
  expect(schedule).toMatchObject({ scheduleCron: "23 3 * * *" });
});

/** The exit code of each run. */
const CODES: Readonly<Record<string, number>> = {
  "github up: rate limit": 0,
  "github drift: no drift": 0,
  "gitlab drift: no drift": 0,
  "kubernetes drift: no drift": 0,
  "github preview: green change": 0,
  "gitlab preview: green change": 0,
  "gitlab up: green change": 0,
  "github preview: refused replacement": 1,
  "gitlab preview: refused replacement": 1,
  "github preview: wrong passphrase": 1,
  "gitlab preview: wrong passphrase": 1,
  "github drift: drift": 7,
  "gitlab drift: drift": 7,
  "kubernetes drift: drift": 7,
  "github preview: API down": 0,
  "github up: API down": 1,
  "github drift: API down": 1,
  "gitlab drift: API down": 1,
  "kubernetes drift: API down": 1,
};

const SECRETS = /demo-(?:password|passphrase|key-secret|git-token|id-token|comment-token)/;

test("every command of the pipelines ends on the real CLI as the pages show", async () => {
  const { runs, comments, stepSummaries, installations, jobs } = await runPipelines();
  const codes = [...runs].map(([name, { code }]) => [name, code]);
  expect(Object.fromEntries(codes)).toEqual(CODES);
  // One comment, which each push changes.
  expect(comments.github).toHaveLength(1);
  expect(comments.gitlab).toHaveLength(1);
  expect(stepSummaries).toContain("`orders` → `orders (paused)`");
  expect(installations).toBe(jobs);
  const texts = [...runs.values()].map(({ text }) => text);
  expect([...texts, stepSummaries].filter((text) => SECRETS.test(text))).toEqual([]);
  for (const page of PAGES) {
    const text = await pageText(page);
    expect(withRuns(text, runs)).toBe(text);
  }
});

test("the pages show a green change, a refused replacement, a drift, a rate limit and an API that is down", async () => {
  const shown = (await Promise.all(PAGES.map(pageText))).flatMap(namesIn);
  for (const situation of ["green change", "refused replacement", "drift: drift", "rate limit", "API down"])
    expect(shown.join("\n")).toContain(situation);
  expect(shown.filter((name) => !(name in CODES))).toEqual([]);
});
