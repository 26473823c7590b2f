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

function main(args: readonly string[]): number {
  const [option, ...others] = args;
  if (others.length > 0 || (option !== undefined && option !== "--check")) {
    process.stderr.write(usage);
    return 2;
  }
  const stale = reports().filter(({ path: file, text }) => contentOf(path.join(repository, file)) !== text);
  for (const { path: file, text } of stale) {
    if (option === "--check") process.stderr.write(`${file} is stale: run \`npm run api-report\`\n`);
    else {
      mkdirSync(path.dirname(path.join(repository, file)), { recursive: true });
      writeFileSync(path.join(repository, file), text);
      process.stdout.write(`${file} written\n`);
    }
  }
  return option === "--check" && stale.length > 0 ? 1 : 0;
}

run((args) => Promise.resolve(main(args)));
