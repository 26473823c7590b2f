import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { temporaryFolder } from "../../testkit/folder";

const root = path.resolve(__dirname, "../..");
const own = ".github/workflows";
const ofTemplate = "templates/datapipes-typescript/.github/workflows";

interface Concurrency {
  group: string;
  "cancel-in-progress"?: unknown;
}

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

type Permissions = Record<string, string>;

interface Job {
  "timeout-minutes"?: number;
  permissions?: Permissions;
  environment?: string;
  concurrency?: Concurrency;
  steps: Step[];
}

interface Workflow {
  on: Record<string, unknown>;
  permissions?: Permissions;
  concurrency?: Concurrency;
  jobs: Record<string, Job>;
}

const filesIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder)).map((file) => path.posix.join(folder, file));

const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");
const workflowOf = (file: string): Workflow => parse(textOf(file)) as Workflow;
const stepsOf = (file: string): Step[] => Object.values(workflowOf(file).jobs).flatMap(({ steps }) => steps);

const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
const files = filesIn(own);
const all = [...files, ...filesIn(ofTemplate)];

/** Why a person could not run a step as it is; undefined if one can. */
function defectOf(command: string): string | undefined {
  const [, script] = /^npm run ([\w:-]+)(?: -- [\w. -]+)?$/.exec(command) ?? [];
  if (script !== undefined) return script in scripts ? undefined : `no script ${script}`;
  return ["npm ci", "npm ci --ignore-scripts", "npm test"].includes(command)
    ? undefined
    : "not one npm script";
}

test("the repository has workflows for pull requests, for the night, for security and for releases", () => {
  expect(files.map((file) => path.basename(file))).toEqual([
    "ci.yml",
    "nightly.yml",
    "release.yml",
    "security.yml",
  ]);
});

test.each(files)("every command of %s is one npm script, which a person can run, too", (file) => {
  const commands = stepsOf(file).flatMap(({ run }) => run ?? []);
  expect(commands.flatMap((run) => defectOf(run) ?? [])).toEqual([]);
});

test("a command that is no script, that is two, or that takes text of an event is found", () => {
  expect(defectOf("npm run nothing")).toBe("no script nothing");
  for (const run of [
    "npx jest",
    "npm ci && npm test",
    "npm run lint -- ${{ github.head_ref }}",
    "npm test\nnpm ci",
  ])
    expect(defectOf(run)).toBe("not one npm script");
  expect(defectOf("npm run laws -- --runs 5000")).toBeUndefined();
});

test.each(all)("%s may only read, unless a job says more", (file) => {
  expect(workflowOf(file).permissions).toEqual({ contents: "read" });
});

test("only four jobs may write, and each of them only what it needs", () => {
  const more = all.flatMap((file) =>
    Object.entries(workflowOf(file).jobs).flatMap(([name, { permissions }]) =>
      permissions === undefined ? [] : [[`${path.basename(file)} ${name}`, permissions] as const],
    ),
  );
  expect(Object.fromEntries(more)).toEqual({
    "release.yml publish": { contents: "read", "id-token": "write" },
    "release.yml request": { contents: "write", "pull-requests": "write" },
    "release.yml tag": { contents: "write" },
    "security.yml codeql": { contents: "read", "security-events": "write" },
  });
  expect(workflowOf(`${own}/release.yml`).jobs["publish"]?.environment).toBe("npm");
});

test.each(all)(
  "every job of %s has a timeout, and runs of one branch do not run beside each other",
  (file) => {
    const { jobs, concurrency } = workflowOf(file);
    expect(Object.values(jobs).filter((job) => job["timeout-minutes"] === undefined)).toEqual([]);
    expect(concurrency?.group).toMatch(/\w/);
  },
);

test.each(all)("every action of %s is named by its commit, with the version beside it", (file) => {
  const lines = textOf(file)
    .split("\n")
    .filter((line) => /^\s*(- )?uses:/.test(line));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

test.each(all)("only jobs of %s that push keep the token in the working copy", (file) => {
  const keeping = Object.entries(workflowOf(file).jobs)
    .filter(([, { steps }]) =>
      steps.some(
        (step) => step.uses?.startsWith("actions/checkout@") && step.with?.["persist-credentials"] !== false,
      ),
    )
    .map(([, { permissions }]) => permissions?.["contents"]);
  expect(keeping.filter((contents) => contents !== "write")).toEqual([]);
});

test("the workflows have no secrets, and none runs with the rights of the target of a pull request", () => {
  for (const file of files) {
    expect(textOf(file)).not.toContain("secrets.");
    expect(Object.keys(workflowOf(file).on)).not.toContain("pull_request_target");
  }
});

test("an action has the same commit wherever it is used", () => {
  const uses = all.flatMap((file) => stepsOf(file).flatMap((step) => step.uses ?? []));
  const commits = new Set(uses);
  expect([...new Set([...commits].map((use) => use.split("@")[0]))]).toHaveLength(commits.size);
});

/** Runs the preview of the template's pipeline as GitHub does, with commands that end as `pulumi` and `npx` do. */
async function runPreview(
  commands: Readonly<Record<string, string>>,
): Promise<{ code: number; page: string }> {
  const folder = await temporaryFolder("workflow");
  for (const [name, script] of Object.entries(commands))
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const page = path.join(folder, "page.md");
  const steps = workflowOf(`${ofTemplate}/pulumi.yml`).jobs["preview"]?.steps ?? [];
  const { run = "" } = steps.find(({ name }) => name === "Preview") ?? {};
  const { status } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, GITHUB_STEP_SUMMARY: page },
  });
  return { code: status ?? -1, page: readFileSync(page, "utf8") };
}

test("the pipeline of the template shows a preview that failed, and its job fails", async () => {
  const npx = 'test -s "$4" && echo "summary of $(cat "$4")"';
  const refused = await runPreview({ pulumi: "echo '{}'; exit 1", npx });
  expect(refused).toEqual({ code: 1, page: "summary of {}\n" });
  const without = await runPreview({ pulumi: "echo 'error: incorrect passphrase' >&2; exit 255", npx });
  expect(without.code).toBe(255);
  expect(without.page).toContain("    error: incorrect passphrase");
  const green = await runPreview({ pulumi: "echo '{}'", npx });
  expect(green).toEqual({ code: 0, page: "summary of {}\n" });
});

test("in the pipeline of the template, no preview is in the group of `up`, which GitHub does not cancel", () => {
  const { concurrency, jobs } = workflowOf(`${ofTemplate}/pulumi.yml`);
  expect(jobs["preview"]?.concurrency).toBeUndefined();
  expect(jobs["up"]?.concurrency).toEqual({ group: "pulumi-up-dev", "cancel-in-progress": false });
  expect(concurrency?.group).toContain("github.run_id");
});
