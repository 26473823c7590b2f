import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { temporaryFolder } from "../kit/cleanup";
import { runCommand, type Run } from "../kit/cli";
import { documentFiles } from "../kit/documents";
import { newStack, type TestStack } from "../kit/stack";
import { installedSimulator } from "./installed-project";
import { startRegistry } from "../kit/registry/registry";
import { output, repository } from "../kit/tarballs";

const CHANGESET = '---\n"pulumi-datapipes": minor\n---\n\nThe release is rehearsed.\n';
const AUTHOR = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@example.com"];

let stack: TestStack;
/** A clone of the last commit, in which a release is made. */
let clone: string;
let npm: NodeJS.ProcessEnv;

/** Runs a command that must succeed. */
async function run(cwd: string, command: string, ...args: string[]): Promise<Run> {
  // Users select a stack; tests name it.
  const env = { ...stack.place().env, ...npm, PULUMI_STACK: undefined };
  const result = await runCommand(command, args, { cwd, env });
  if (result.code !== 0) throw new Error(`${result.command} ended with ${result.code}:\n${result.output}`);
  return result;
}

const manifestIn = async (folder: string) =>
  JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as { version: string };

beforeAll(async () => {
  npm = await startRegistry();
  stack = await newStack({ program: "" });
  clone = await temporaryFolder("release");
  await output("git", ["clone", "--quiet", repository, clone], repository);
  await run(clone, "npm", "ci", "--ignore-scripts");
});

/** What a maintainer and the release workflow do, in their order. */
test("`npm run version` prepares a release, and `npm run release` publishes and tags it", async () => {
  await writeFile(path.join(clone, ".changeset/rehearsal.md"), CHANGESET);
  await run(clone, "npm", "run", "version");
  const { version } = await manifestIn(path.join(clone, "provider"));
  expect(version).not.toBe((await manifestIn(path.join(repository, "provider"))).version);
  const changelog = await readFile(path.join(clone, "provider/CHANGELOG.md"), "utf8");
  expect(changelog).toContain(`## ${version}\n`);
  expect(changelog).toContain("The release is rehearsed.");
  const documents = documentFiles().map((file) => readFile(path.join(clone, file), "utf8").catch(() => ""));
  expect((await Promise.all(documents)).filter((text) => text.includes("unreleased.md)"))).toEqual([]);
  await run(clone, "git", "add", "--all");
  await run(clone, "git", ...AUTHOR, "commit", "--quiet", "--message=chore: release");
  // The provenance needs GitHub.
  for (const folder of ["provider", "simulator"])
    await run(path.join(clone, folder), "npm", "pkg", "delete", "publishConfig.provenance");
  await run(clone, "npm", "run", "release");
  const tags = (await run(clone, "git", "tag", "--points-at", "HEAD")).stdout.trim().split("\n");
  expect(tags).toEqual([`pulumi-datapipes-simulator@${version}`, `pulumi-datapipes@${version}`]);
});

/** The steps of docs/guides/get-started.md. */
test("a user makes a project with the published packages, as the guide says", async () => {
  const { version } = await manifestIn(path.join(clone, "provider"));
  const project = path.join(stack.project, "pipes");
  const template = path.join(clone, "templates/datapipes-typescript");
  const settings = ["--config", "kafkaPassword=any"];
  await run(
    stack.project,
    "pulumi",
    "new",
    template,
    "--dir",
    "pipes",
    "--stack",
    "trial",
    "--yes",
    ...settings,
  );
  await run(project, "npm", "install", "--save-dev", "pulumi-datapipes-simulator");
  const installed = path.join(project, "node_modules/pulumi-datapipes");
  expect((await manifestIn(installed)).version).toBe(version);
  expect((await run(project, "npx", "pulumi-datapipes-simulator", "--help")).stdout).toContain("Usage");
  npm = { ...npm, ...(await installedSimulator(project)) };
  expect((await run(project, "npx", "pulumi-datapipes", "doctor")).stdout).toContain("No problems found.");
  await run(project, "npm", "test");
  await run(project, "pulumi", "up", "--yes");
  expect((await run(project, "npx", "pulumi-datapipes", "status")).stdout).toContain("orders");
  await run(project, "pulumi", "destroy", "--yes");
});
