import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { temporaryFolder } from "../../testkit/started";

interface Limits {
  permissions?: Record<string, string>;
  concurrency?: { group: string; "cancel-in-progress"?: unknown };
}

interface Job extends Limits {
  environment?: string;
  steps: Step[];
}

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

type Workflow = Limits & { on: Record<string, unknown>; jobs: Record<string, Job> };

const root = path.resolve(__dirname, "../..");
const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");

const read = (folder: string, names = /./) =>
  readdirSync(path.join(root, folder))
    .filter((name) => names.test(name))
    .map((name) => {
      const text = textOf(`${folder}/${name}`);
      const workflow = parse(text) as Workflow;
      const jobs = Object.entries(workflow.jobs).map(([job, more]) => ({ place: `${name} ${job}`, ...more }));
      return { name, text, workflow, jobs, steps: jobs.flatMap(({ steps }) => steps) };
    });

const own = read(".github/workflows");
const ofTemplate = read("templates/datapipes-typescript/.github/workflows");
const all = [...own, ...ofTemplate];
const jobs = all.flatMap((file) => file.jobs);

test("workflows may only read, but for eight jobs, each of which may write only what it needs", () => {
  for (const { workflow } of all) expect(workflow.permissions).toEqual({ contents: "read" });
  const more = jobs.filter(({ permissions }) => permissions !== undefined);
  expect(Object.fromEntries(more.map(({ place, permissions }) => [place, permissions]))).toEqual({
    "release.yml publish": { contents: "read", "id-token": "write" },
    "release.yml request": { contents: "write", "pull-requests": "write" },
    "release.yml sdk-go": { contents: "write" },
    "release.yml sdk-npm": { contents: "read", "id-token": "write" },
    "release.yml sdk-python": { contents: "read", "id-token": "write" },
    "release.yml tag": { contents: "write" },
    "security.yml codeql": { contents: "read", "security-events": "write" },
    "site.yml publish": { pages: "write", "id-token": "write" },
  });
  // Whoever may publish needs the approval of an environment.
  const publishing = jobs.filter(({ permissions, steps }) => permissions?.["id-token"] ?? hasSecret(steps));
  expect(Object.fromEntries(publishing.map(({ place, environment }) => [place, environment]))).toEqual({
    "release.yml publish": "npm",
    "release.yml sdk-java": "maven",
    "release.yml sdk-npm": "npm",
    "release.yml sdk-python": "pypi",
    "site.yml publish": "github-pages",
  });
});

test("every action is named by one commit wherever it is used, with the version beside it", () => {
  const files = [...all, ...read("examples/pipelines/github-actions", /\.yml$/)];
  const lines = files.flatMap(({ text }) => text.split("\n").filter((line) => /^\s*(- )?uses:/.test(line)));
  expect(lines.filter((line) => !/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  const commits = new Set(files.flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? [])));
  expect(new Set([...commits].map((use) => use.split("@")[0])).size).toBe(commits.size);
});

test("only jobs that push keep the token in the working copy, one step has secrets, and none the rights of a pull request's target", () => {
  const keeps = ({ uses, with: inputs }: Step) =>
    uses?.startsWith("actions/checkout@") === true && inputs?.["persist-credentials"] !== false;
  const keeping = jobs.filter(({ steps }) => steps.some(keeps));
  expect(keeping.filter(({ permissions }) => permissions?.["contents"] !== "write")).toEqual([]);
  const secret = own.flatMap(({ text }) => text.match(/secrets\.\w+/g) ?? []);
  const [step, ...others] = own.flatMap(({ steps }) => steps.filter((each) => hasSecret([each])));
  expect(others).toEqual([]);
  expect(step?.run).toBe("npm run release:sdks -- java");
  expect(JSON.stringify(step?.env).match(/secrets\.\w+/g)).toEqual(secret);
  for (const { workflow } of own) expect(Object.keys(workflow.on)).not.toContain("pull_request_target");
});

const hasSecret = (steps: readonly Step[]): boolean => JSON.stringify(steps).includes("secrets.");

const pipeline = ofTemplate.find(({ name }) => name === "pulumi.yml")?.workflow;
const ofExample = read("examples/pipelines/github-actions", /\.yml$/)[0]?.workflow;

/** Runs the preview of a pipeline as GitHub does, with commands that end as `pulumi` and `npx` do. */
async function runPreview(
  workflow: Workflow | undefined,
  pulumi: string,
): Promise<{ code: number | null; page: string }> {
  const folder = await temporaryFolder("workflow");
  const npx = 'test -s "$4" && echo "summary of $(cat "$4")"';
  for (const [name, script] of Object.entries({ pulumi, npx }))
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const page = path.join(folder, "page.md");
  const { run = "" } = workflow?.jobs["preview"]?.steps.find(({ name }) => name === "Preview") ?? {};
  const { status } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, GITHUB_STEP_SUMMARY: page },
  });
  return { code: status, page: readFileSync(page, "utf8") };
}

test.each([
  ["the template", pipeline],
  ["the example", ofExample],
])("the pipeline of %s shows a preview that failed, and its job fails", async (_, workflow) => {
  expect(await runPreview(workflow, "echo '{}'")).toEqual({ code: 0, page: "summary of {}\n" });
  expect(await runPreview(workflow, "echo '{}'; exit 1")).toEqual({ code: 1, page: "summary of {}\n" });
  const { code, page } = await runPreview(workflow, "echo 'error: incorrect passphrase' >&2; exit 255");
  expect(code).toBe(255);
  expect(page).toContain("    error: incorrect passphrase");
});

test("in the pipeline of the template, no preview is in the group of `up`, which GitHub does not cancel", () => {
  expect(pipeline?.jobs["preview"]?.concurrency).toBeUndefined();
  const alone = { group: "pulumi-up-dev", "cancel-in-progress": false };
  expect(pipeline?.jobs["up"]?.concurrency).toEqual(alone);
  expect(pipeline?.concurrency?.group).toContain("github.run_id");
});
