import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { MADE, staleFiles } from "./files";
import { repository, type MadeFile } from "./sources";
import { run } from "../run";

const usage = `usage: npm run reference [-- --check]

Makes the arguments, what the classes declare of outputs, docs/reference, the table of provider/README.md and plugin/schema.json from the schemas and
their doc comments.
With --check nothing is written; the exit code is 1 when a file is not as it should be.
`;

async function main(args: readonly string[]): Promise<number> {
  const [option, ...others] = args;
  if (others.length > 0 || (option !== undefined && option !== "--check")) {
    process.stderr.write(usage);
    return 2;
  }
  let isStale = false;
  for (const make of MADE) {
    for (const file of await staleFiles(await make())) {
      isStale = true;
      if (option === "--check") process.stderr.write(`${file.path} is stale: run \`npm run reference\`\n`);
      else await write(file);
    }
  }
  return option === "--check" && isStale ? 1 : 0;
}

async function write({ path: file, text }: MadeFile): Promise<void> {
  const target = path.join(repository, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
  process.stdout.write(`${file} written\n`);
}

run(main);
