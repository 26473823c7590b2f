import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "../../testkit/started";
import { root } from "../../tools/release/address";
import { author } from "../../tools/release/request";
import { rangeOf } from "../../tools/release/version";
import { commitModule } from "../../tools/sdks/go";

const textOf = (...file: string[]): string => readFileSync(path.join(root, ...file), "utf8");

test("both packages have one version, and the template asks for the same versions as the examples", () => {
  const { fixed } = JSON.parse(textOf(".changeset/config.json")) as { fixed: string[][] };
  expect(fixed).toEqual([["pulumi-datapipes", "pulumi-datapipes-simulator"]]);
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
