import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { releaseCommand } from "../../../tools/release/plugin";

test("makes the release of a tag that exists with all files, and completes a release that an earlier try has made", () => {
  const files = ["a.tar.gz", "SHA256SUMS"];
  const create = releaseCommand("v1.2.3", files, { exists: false });
  expect(create.slice(0, 6)).toEqual(["release", "create", "v1.2.3", ...files, "--verify-tag"]);
  const upload = ["release", "upload", "v1.2.3", ...files, "--clobber"];
  expect(releaseCommand("v1.2.3", files, { exists: true })).toEqual(upload);
});

test("the workflow tags, then packs the plugin, then adds its archives to the release of the tag", () => {
  const file = path.resolve(__dirname, "../../../.github/workflows/release.yml");
  const { jobs } = parse(readFileSync(file, "utf8")) as { jobs: { tag: { steps: { run?: string }[] } } };
  expect(jobs.tag.steps.flatMap(({ run }) => run ?? [])).toEqual([
    "npm ci --ignore-scripts",
    "npm run release:tag",
    "npm run pack:plugin",
    "npm run release:plugin",
  ]);
});
