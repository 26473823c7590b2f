import { writeFile } from "node:fs/promises";
import path from "node:path";
import { staleFiles } from "../reference/files";
import { repository } from "../reference/sources";
import { run } from "../run";
import { examplePages } from "./pages";

const usage = `usage: npm run schema-examples [-- --check]

Converts the examples of the plugin's schema from YAML to every language, with Pulumi's converter, which Go compiles the first time. Then run
\`npm run reference\`. With --check nothing is written; the exit code is 1 when a file is not as it should be.
`;

async function main(args: readonly string[]): Promise<number> {
  const [option, ...others] = args;
  if (others.length > 0 || (option !== undefined && option !== "--check")) {
    process.stderr.write(usage);
    return 2;
  }
  const stale = await staleFiles(await examplePages());
  for (const { path: file, text } of stale) {
    process.stdout.write(option === undefined ? `${file} written\n` : `${file} is stale\n`);
    if (option === undefined) await writeFile(path.join(repository, file), text);
  }
  return option === undefined || stale.length === 0 ? 0 : 1;
}

run(main);
