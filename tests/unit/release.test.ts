import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import getReleasePlan from "@changesets/get-release-plan";
import { temporaryFolder } from "../../testkit/started";
import { root } from "../../tools/release/address";
import { author } from "../../tools/release/request";
import { rangeOf } from "../../tools/release/version";
import { commitModule } from "../../tools/sdks/go";

const textOf = (...file: string[]): string => readFileSync(path.join(root, ...file), "utf8");

test("both packages have one version, also after a change of one of them", async () => {
  const manifests = ["package.json", "provider/package.json", "simulator/package.json"];
  const files = [...manifests, ".changeset/config.json"].map((file) => [file, textOf(file)] as const);
  const change = '---\n"pulumi-datapipes": minor\n---\n\nA change of the provider alone.\n';
  const folder = await temporaryFolder("release");
  for (const [file, text] of [...files, [".changeset/change.md", change] as const]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const { releases } = await getReleasePlan(folder);
  expect(releases.map(({ name }) => name).sort()).toEqual(["pulumi-datapipes", "pulumi-datapipes-simulator"]);
  for (const side of ["oldVersion", "newVersion"] as const)
    expect(new Set(releases.map((release) => release[side])).size).toBe(1);
});

test("the template asks for the same versions as the examples", () => {
  const template = textOf("templates/datapipes-typescript/package.json");
  expect(rangeOf(template)).toBe(rangeOf(textOf("examples/quickstart/package.json")));
});

test("the commit of the SDK for Go has it beside the released files, and changes neither the branch nor the working copy", async () => {
  const cwd = await temporaryFolder("repository", { "README.md": "" });
  const packed = await temporaryFolder("go-sdk");
  mkdirSync(path.join(packed, "sdk"));
  writeFileSync(path.join(packed, "sdk/go.mod"), "module m\n");
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
  git("init", "--quiet");
  git("add", "README.md");
  git(...author, "commit", "--quiet", "--message", "release");
  const [head, commit] = [git("rev-parse", "HEAD"), commitModule(packed, "SDK", cwd)];
  expect(git("ls-tree", "-r", "--name-only", commit).split("\n")).toEqual(["README.md", "sdk/go.mod"]);
  expect(git("rev-parse", `${commit}^`, "HEAD").split("\n")).toEqual([head, head]);
  expect(git("status", "--porcelain")).toBe("");
});
