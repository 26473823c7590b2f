import { runWithOption } from "../run";
import { fillFiles, repositoryUrl } from "./address";

const usage = `npm run repository [-- --check]

Writes the address in repository.json into each package.json, as repository, homepage and bugs, and the names of SDKs that follow from it into programs.
--check compares only.
`;

function main(check: boolean): number {
  const files = fillFiles({ check });
  if (check && files.length > 0) {
    process.stderr.write(`${files.join(" and ")} differ from repository.json: run \`npm run repository\`.\n`);
    return 1;
  }
  const state = repositoryUrl() ?? "repository.json has no address yet, so the packages name none";
  process.stdout.write(`${state}${files.length > 0 ? `: ${files.join(", ")} written` : ""}\n`);
  return 0;
}

runWithOption("--check", usage, (check) => Promise.resolve(main(check)));
