import { appendFileSync } from "node:fs";
import { run } from "../run";
import { currentPlan } from "./plan";
import { releasePlugin } from "./plugin";
import { publish } from "./registry";
import { requestRelease, tagRelease } from "./request";
import { makeVersion } from "./version";

const usage = `npm run release:plan      says whether the workflow would publish, open a pull request, or do nothing
npm run release:version   makes the next version of the changesets in the working tree
npm run release:request   the same, and opens the pull request of the release; for the workflow
npm run release:publish   publishes what the registry does not have; for the workflow
npm run release:tag       tags the commit with the version; for the workflow
npm run release:plugin    adds the archives of the native plugin to GitHub's release of the tag; for the workflow
`;

const today = (): string => new Date().toISOString().slice(0, 10);

const commands: Readonly<Record<string, () => Promise<void> | void>> = {
  plan,
  version: () => makeVersion(today()),
  request: async () => {
    await makeVersion(today());
    requestRelease();
  },
  publish,
  tag: tagRelease,
  plugin: releasePlugin,
};

async function plan(): Promise<void> {
  const { action, reason } = await currentPlan();
  process.stdout.write(`${action}: ${reason}\n`);
  const outputs = process.env["GITHUB_OUTPUT"];
  if (outputs !== undefined) appendFileSync(outputs, `action=${action}\n`);
}

run(async ([name = "", ...others]) => {
  const command = commands[name];
  if (command === undefined || others.length > 0) {
    process.stderr.write(usage);
    return 2;
  }
  await command();
  return 0;
});
