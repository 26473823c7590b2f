import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { output, repository } from "../kit/tarballs";
import { temporaryFolder } from "../kit/cleanup";

/** Where users find commands: documents, examples with their pipelines, templates, and the help of the command. */
const PLACES = [
  "README.md",
  "docs",
  "examples",
  "templates",
  "simulator/README.md",
  ".github/ISSUE_TEMPLATE",
  "provider/src/cli/*/command.ts",
];

/** A call through npx, up to what ends a command in Markdown, in a shell, and in YAML. */
const CALL = /\bnpx (pulumi-datapipes(?:-simulator)?(?![\w-])(?:<[^>\n]*>|[^\n`|&;)>])*)/g;

/** Before a comment, a redirection (`2>&1`), the end of a line of a script, or the word that says that commands follow. */
const END = /\s(?:#|\\$|…|2$)/;

/** A pipeline that calls a command without a shell has it in quotes. */
const withoutOpenQuote = (call: string): string =>
  call.split('"').length % 2 === 0 ? call.slice(0, call.lastIndexOf('"')) : call;

/** Each different call of the two commands through npx in the files for users, as written. */
export function documentedCalls(): readonly string[] {
  const files = execFileSync("git", ["ls-files", "-z", ...PLACES], { cwd: repository, encoding: "utf8" });
  const calls = files
    .split("\0")
    .filter((file) => /\.(?:md|txt|sh|ya?ml|ts)$/.test(file))
    .flatMap((file) => [...readFileSync(path.join(repository, file), "utf8").matchAll(CALL)])
    .map(([, call = ""]) => withoutOpenQuote(call.split(END)[0] ?? "").trim());
  return [...new Set(calls)].sort();
}

/** The file of npx of a version of npm, which this installs in a folder of its own. */
export async function npxOf(version: string): Promise<string> {
  const folder = await temporaryFolder("npm", { "package.json": '{ "private": true }' });
  const quietly = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel", "error"];
  await output("npm", ["install", ...quietly, `npm@${version}`], folder);
  return path.join(folder, "node_modules/npm/bin/npx-cli.js");
}

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The output after which a command that does not end by itself is interrupted, as Ctrl-C does. */
  readonly until?: RegExp | undefined;
}

/** Runs a command in a process group of its own. Its input is empty. */
export async function runGroup(command: string, args: readonly string[], { cwd, env, until }: Place) {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  let isInterrupted = false;
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
      if (isInterrupted || until?.test(said.stdout) !== true || child.pid === undefined) return;
      isInterrupted = true;
      process.kill(-child.pid, "SIGINT");
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, isInterrupted, ...said };
}
