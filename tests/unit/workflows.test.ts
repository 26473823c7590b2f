import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { temporaryFolder } from "../kit/cleanup";

interface Job {
  concurrency?: { group: string; "cancel-in-progress"?: unknown };
  steps: { name?: string; run?: string }[];
}

type Workflow = Pick<Job, "concurrency"> & { jobs: Record<string, Job> };

const root = path.resolve(__dirname, "../..");

const read = (file: string): Workflow => parse(readFileSync(path.join(root, file), "utf8")) as Workflow;

const pipeline = read("templates/datapipes-typescript/.github/workflows/pulumi.yml");

/** Runs the preview of a pipeline as GitHub does, with commands that end as `pulumi` and `npx` do. */
async function runPreview(pulumi: string): Promise<{ code: number | null; page: string }> {
  const folder = await temporaryFolder("workflow");
  const npx = 'test -s "$3" && echo "summary of $(cat "$3")"';
  for (const [name, script] of Object.entries({ pulumi, npx }))
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const page = path.join(folder, "page.md");
  const { run = "" } = pipeline.jobs["preview"]?.steps.find(({ name }) => name === "Preview") ?? {};
  const { status } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, GITHUB_STEP_SUMMARY: page },
  });
  return { code: status, page: readFileSync(page, "utf8") };
}

test("the pipeline of the template shows a preview that failed, and its job fails", async () => {
  expect(await runPreview("echo '{}'")).toEqual({ code: 0, page: "summary of {}\n" });
  expect(await runPreview("echo '{}'; exit 1")).toEqual({ code: 1, page: "summary of {}\n" });
  const { code, page } = await runPreview("echo 'error: incorrect passphrase' >&2; exit 255");
  expect(code).toBe(255);
  expect(page).toContain("    error: incorrect passphrase");
});

test("in the template's pipeline, no preview is in `up`'s group, which GitHub does not cancel", () => {
  expect(pipeline.jobs["preview"]?.concurrency).toBeUndefined();
  const alone = { group: "pulumi-up-${{ vars.PULUMI_STACK || 'dev' }}", "cancel-in-progress": false };
  expect(pipeline.jobs["up"]?.concurrency).toEqual(alone);
  expect(pipeline.concurrency?.group).toContain("github.run_id");
});
