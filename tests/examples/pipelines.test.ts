import { readFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { pinnedVersion } from "../../scripts/pulumi-cli/release";
import { runCommand } from "../kit/cli";
import { temporaryFolder } from "../kit/cleanup";
import { mapValues } from "../kit/json";

const repository = path.resolve(__dirname, "../..");
const pipelines = path.join(repository, "examples/pipelines");

/** The workflow of the template is the example for GitHub, too. */
const GITHUB = "../../templates/datapipes-typescript/.github/workflows/pulumi.yml";

const pipelineText = (file: string): string => readFileSync(path.join(pipelines, file), "utf8");

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
  expect(pipelineText(file)).toMatch(
    /npx pulumi-datapipes status --fail-on Failed,InternalError \|\| status=1\n +exit "\$status"\n/,
  );
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
  const place = { cwd: folder, env: { ...process.env, NODE_OPTIONS: `--import=${WITH_UNION}` } };
  for (const args of git) expect(await runCommand("git", args, place)).toMatchObject({ code: 0 });
  return runCommand("npx", ["--yes", "gitlab-ci-local@4.75.1", "--list"], place);
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

test.each(["stack.yaml", "drift.yaml"])("%s of Kubernetes takes each secret from one Secret", (file) => {
  const documents = parseAllDocuments(pipelineText(`kubernetes-operator/${file}`));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const references = [...JSON.stringify(documents).matchAll(/"secret(?:KeyRef)?":(\{.*?\})/g)];
  expect(references.map(([, reference = ""]) => JSON.parse(reference) as unknown)).toEqual([
    { name: "pipes-prod", key: "gitToken" },
    { name: "pipes-prod", key: "passphrase" },
    { name: "pipes-prod", key: "apiKeyId" },
    { name: "pipes-prod", key: "apiKeySecret" },
  ]);
});

interface WorkflowJob {
  readonly environment?: string;
  readonly permissions: Record<string, string>;
  readonly concurrency?: object;
}

const { jobs } = parse(pipelineText(GITHUB)) as { jobs: Record<string, WorkflowJob> };

test("in GitHub, only the job `comment` may write comments", () => {
  expect(mapValues(jobs, ({ permissions }) => permissions)).toEqual({
    preview: { contents: "read", "id-token": "write" },
    comment: { "pull-requests": "write" },
    up: { contents: "read", "id-token": "write" },
    drift: { contents: "read", "id-token": "write" },
  });
});

test("in GitHub, only the job `up` has the environment that may write", () => {
  expect(mapValues(jobs, ({ environment }) => environment)).toEqual({
    preview: "pulumi-read",
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

test("in GitLab, only the job `comment` has the environment with the token for comments", () => {
  const environments = [preview, comment, up, drift].map((job) => job?.environment?.name);
  expect(environments).toEqual(["pulumi-read", "pulumi-comment", "pulumi-write", "pulumi-read"]);
  expect(comment?.extends).toBeUndefined();
});
