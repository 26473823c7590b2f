import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { minVersion } from "semver";
import schema from "../../plugin/schema.json";
import { peerDependencies } from "../../provider/package.json";
import { root } from "../release/address";
import { author, hasTag } from "../release/request";
import { command, version, writeTexts, type Sdk } from "./sdk";

/** Go finds the module in this folder of the repository, and its version by a tag that begins with it. */
const MODULE_FOLDER = "sdk";

/** The oldest SDK of Pulumi that the package for TypeScript takes. */
const pulumi = minVersion(peerDependencies["@pulumi/pulumi"])?.version ?? "";

const { importBasePath } = schema.language.go;
const name = importBasePath.slice(0, importBasePath.indexOf(`/${MODULE_FOLDER}/`) + MODULE_FOLDER.length + 1);

function pack(folder: string): void {
  const module = path.join(folder, MODULE_FOLDER);
  writeTexts(module, { name });
  writeFileSync(path.join(module, "go.mod"), `module ${name}\n\ngo 1.22\n`);
  const go = (...args: readonly string[]): void => {
    command("go", args, module, { GOWORK: "off", GOFLAGS: "-mod=mod", CGO_ENABLED: "0" });
  };
  go("get", `github.com/pulumi/pulumi/sdk/v3@v${pulumi}`);
  go("mod", "tidy");
  go("vet", "./...");
}

/** A commit that has the SDK beside all of the released commit. No branch has it: only the tag, by which Go finds the module. */
export function commitModule(folder: string, message: string, repository = root): string {
  const git = (args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = repository): string =>
    execFileSync("git", args, { cwd, encoding: "utf8", env: { ...process.env, ...env } }).trim();
  const index = path.join(mkdtempSync(path.join(tmpdir(), "datapipes-index-")), "index");
  const env = {
    GIT_INDEX_FILE: index,
    GIT_DIR: git(["rev-parse", "--absolute-git-dir"]),
    GIT_WORK_TREE: folder,
  };
  git(["read-tree", "HEAD"], env);
  git(["add", "--force", MODULE_FOLDER], env, folder);
  const tree = git(["write-tree"], env);
  return git([...author, "commit-tree", tree, "-p", "HEAD", "-m", message]);
}

export const go: Sdk = {
  name,
  code: path.join(MODULE_FOLDER, "go"),
  pack,
  publish(folder, { dryRun }) {
    const tag = `${MODULE_FOLDER}/v${version}`;
    if (!dryRun && hasTag(tag)) return;
    const commit = commitModule(folder, `chore: SDK for Go of ${version}`);
    if (dryRun)
      command("git", ["show", "--stat=100", "--format=%s", commit, "--", `${MODULE_FOLDER}/*.*`], root);
    else {
      command("git", [...author, "tag", "--annotate", tag, "--message", tag, commit], root);
      command("git", ["push", "origin", tag], root);
    }
  },
};
