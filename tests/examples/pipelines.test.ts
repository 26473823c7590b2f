import { readFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { pinnedVersion } from "../../scripts/pulumi-cli/release";
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
  "%s pins the version of the CLI that is tested",
  (file) => {
    const [, version] =
      /(?:pulumi-version: |pulumi\/pulumi\S*:)(\d+\.\d+\.\d+)\b/.exec(pipelineText(file)) ?? [];
    expect(version).toBe(pinnedVersion);
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

test("the objects of Kubernetes are YAML, and take every secret from one Secret", () => {
  const texts = ["stack.yaml", "drift.yaml"].map((file) => pipelineText(`kubernetes-operator/${file}`));
  const documents = texts.flatMap((text) => parseAllDocuments(text));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const references = [...texts.join("").matchAll(/(?:secret|secretKeyRef): \{ name: (\S+), key: \S+ \}/g)];
  expect(new Set(references.map(([, name]) => name))).toEqual(new Set(["pipes-prod"]));
});

interface WorkflowJob {
  readonly environment?: string;
  readonly permissions: Record<string, string>;
  readonly concurrency?: object;
}

const { jobs } = parse(pipelineText(GITHUB)) as { jobs: Record<string, WorkflowJob> };

test("in GitHub, one job may write comments, and one has the environment that may write", () => {
  const jobsThat = (may: (job: WorkflowJob) => boolean) =>
    Object.entries(jobs).flatMap(([name, job]) => (may(job) ? [name] : []));
  const written = Object.values(jobs).flatMap(({ permissions }) =>
    Object.keys(permissions).filter((name) => permissions[name] === "write"),
  );
  expect(new Set(written)).toEqual(new Set(["id-token", "pull-requests"]));
  expect(jobsThat(({ permissions }) => "pull-requests" in permissions)).toEqual(["comment"]);
  expect(jobsThat(({ environment }) => environment === "pulumi-write")).toEqual(["up"]);
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
