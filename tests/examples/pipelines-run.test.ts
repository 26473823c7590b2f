import path from "node:path";
import { withPulumi } from "../../testkit/cli";
import { gitlabPipeline, pipelineText } from "../../tools/pipelines/commands";
import { namesIn, PAGES, pageText, withRuns } from "../../tools/pipelines/pages";
import { PulumiCloud } from "../../tools/pipelines/pulumi-cloud";
import { runPipelines } from "../../tools/pipelines/runs";
import { folderWith, run } from "./run";

const SECRETS = /demo-(?:password|passphrase|key-secret|git-token|id-token|comment-token)/;

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
