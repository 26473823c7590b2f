import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run } from "../run";
import { reports } from "./report";

const usage = `usage: npm run api-report [-- --check]

Writes docs/api: everything that programs can use of the packages, so that a review shows each change of it.
With --check nothing is written; the exit code is 1 when a report is stale.
`;

const repository = path.resolve(__dirname, "../..");

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** The lines that only one of two texts has. */
function changesBetween(before: string, after: string): string {
  const [old, current] = [before, after].map((text) => new Set(text.split("\n")));
  const removed = [...(old ?? [])].filter((line) => current?.has(line) !== true);
  const added = [...(current ?? [])].filter((line) => old?.has(line) !== true);
  return [...removed.map((line) => `- ${line}\n`), ...added.map((line) => `+ ${line}\n`)].join("");
}

function main(args: readonly string[]): number {
  const [option, ...others] = args;
  if (others.length > 0 || (option !== undefined && option !== "--check")) {
    process.stderr.write(usage);
    return 2;
  }
  const stale = reports().filter(({ path: file, text }) => contentOf(path.join(repository, file)) !== text);
  for (const { path: file, text } of stale) {
    if (option === "--check") {
      const changes = changesBetween(contentOf(path.join(repository, file)) ?? "", text);
      process.stderr.write(`${file} is stale: run \`npm run api-report\`\n${changes}`);
    } else {
      mkdirSync(path.dirname(path.join(repository, file)), { recursive: true });
      writeFileSync(path.join(repository, file), text);
      process.stdout.write(`${file} written\n`);
    }
  }
  return option === "--check" && stale.length > 0 ? 1 : 0;
}

run((args) => Promise.resolve(main(args)));
