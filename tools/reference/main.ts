import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { repository, staleFiles } from "./files";
import { run } from "../run";

const usage = `usage: npm run reference [-- --check]

Makes docs/reference and the table of provider/README.md from the schemas and their doc comments.
With --check nothing is written; the exit code is 1 when a file is not as it should be.
`;

async function main(args: readonly string[]): Promise<number> {
  const [option, ...others] = args;
  if (others.length > 0 || (option !== undefined && option !== "--check")) {
    process.stderr.write(usage);
    return 2;
  }
  const stale = await staleFiles();
  if (option === "--check") {
    for (const file of stale) process.stderr.write(`${file.path} is stale: run \`npm run reference\`\n`);
    return stale.length > 0 ? 1 : 0;
  }
  for (const file of stale) {
    const target = path.join(repository, file.path);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, file.text);
    process.stdout.write(`${file.path} written\n`);
  }
  return 0;
}

run(main);
