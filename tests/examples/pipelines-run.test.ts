import path from "node:path";
import { runCommand } from "../../testkit/cli";
import { temporaryFolder } from "../../testkit/started";
import { gitlabPipeline, pipelineText } from "../../tools/pipelines/commands";
import { staleFiles } from "../../tools/made-files";
import { namesIn, pagesWith } from "../../tools/pipelines/pages";
import { PulumiCloud } from "../../tools/pipelines/pulumi-cloud";
import { runPipelines } from "../../tools/pipelines/runs";

const SECRETS = /demo-(?:password|passphrase|key-secret|git-token|id-token|comment-token)/;

/** Runs a script that talks to Pulumi Cloud, and returns what it writes there. */
async function runWithCloud(name: string, text: string, env: Record<string, string>) {
  const cloud = await PulumiCloud.start();
  const home = await temporaryFolder("pipeline", { [name]: text });
  const own = { PATH: process.env["PATH"], HOME: home, PULUMI_HOME: path.join(home, "home") };
  const settings = { PULUMI_BACKEND_URL: cloud.url, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const place = { cwd: home, env: { ...own, ...settings, ...env } };
  const { code, output } = await runCommand("bash", ["-eo", "pipefail", name], place);
  expect({ code, output }).toEqual({ code: 0, output: expect.not.stringMatching(/error:/) as string });
  return { output, writes: cloud.writes };
}

test("a job of GitLab logs in to Pulumi Cloud with its own short-lived token", async () => {
  const [aws = "", login = ""] = gitlabPipeline()[".pulumi"]?.before_script ?? [];
  const token = ['{"alg":"RS256"}', "{}", "signature"]
    .map((part) => Buffer.from(part).toString("base64url"))
    .join(".");
  const env = { PULUMI_ORGANIZATION: "your-organization", PULUMI_ID_TOKEN: token };
  const { output, writes } = await runWithCloud("login.sh", [aws, login].join("\n"), env);
  expect(output).toContain("Logged in");
  const body = { audience: "urn:pulumi:org:your-organization", subject_token: token };
  expect(writes[0]).toMatchObject({ path: "/api/oauth/token", body });
});

test("the script for Pulumi Deployments sets them up with the real CLI, the secret encrypted", async () => {
  const script = pipelineText("pulumi-deployments/settings.sh");
  const { output, writes } = await runWithCloud("settings.sh", script, {
    PULUMI_ACCESS_TOKEN: "demo-access-token",
    STACK: "your-organization/pipes/prod",
    REPOSITORY: "your-organization/pipes",
    DATAPIPES_API_KEY_ID: "key-4f1a",
    DATAPIPES_API_KEY_SECRET: "demo-key-secret",
  });
  expect(output).not.toMatch(SECRETS);
  const [settings, schedule] = writes.map(({ body }) => body);
  expect(settings).toMatchObject({
    gitHub: { deployCommits: true, previewPullRequests: true, repository: "your-organization/pipes" },
    operationContext: {
      environmentVariables: { DATAPIPES_API_KEY_SECRET: { secret: "demo-key-secret" } },
      preRunCommands: ["npm ci", "npx --no datapipes doctor --stack your-organization/pipes/prod"],
    },
    sourceContext: { git: { branch: "main" } },
  });
  expect(schedule).toMatchObject({ scheduleCron: "23 3 * * *" });
});

/** The exit code of each situation. */
const CODES: Readonly<Record<string, number>> = {
  "rate limit": 0,
  "no drift": 0,
  "green change": 0,
  "refused replacement": 1,
  "revoked key": 1,
  drift: 7,
  "API down": 1,
};
/** What the doctor finds before a preview. The comment has it in place of the preview. */
const OF_DOCTOR: Readonly<Record<string, RegExp>> = {
  "github preview: revoked key": /no preview.*\n\n {4}✘ .* 401.* does not know this key/,
  "gitlab preview: revoked key": /no preview.*\n\n {4}✘ .* 401.* does not know this key/,
  "github preview: API down": /no preview.*\n\n {4}✘ .*ECONNREFUSED/,
};

test("every command of the pipelines ends on the real CLI as the pages show", async () => {
  const { runs, comments, stepSummaries, installations, jobs } = await runPipelines();
  expect(runs.size).toBe(19);
  for (const [name, { code }] of runs) expect([name, code]).toEqual([name, CODES[name.split(": ")[1] ?? ""]]);
  for (const [name, finding] of Object.entries(OF_DOCTOR)) expect(runs.get(name)?.text).toMatch(finding);
  // One comment, which each push changes.
  expect([comments.github.length, comments.gitlab.length]).toEqual([1, 1]);
  expect(stepSummaries).toContain("`orders` → `orders (paused)`");
  expect(installations).toBe(jobs);
  const texts = [...runs.values()].map(({ text }) => text);
  expect([...texts, stepSummaries].filter((text) => SECRETS.test(text))).toEqual([]);
  const pages = await pagesWith(runs);
  expect(await staleFiles(pages)).toEqual([]);
  const shown = pages.flatMap(namesIn).join("\n");
  const situations = "green change, refused replacement, drift: drift, revoked key, rate limit, API down";
  for (const situation of situations.split(", ")) expect(shown).toContain(situation);
});
