import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { format, resolveConfig } from "prettier";
import { repository } from "../reference/files";
import { run } from "../run";
import { pluginSchema } from "./schema";

const FILE = "plugin/schema.json";

const usage = `usage: npm run plugin-schema [-- --check]

Makes ${FILE} from the schemas and doc comments of the provider.
With --check nothing is written; the exit code is 1 when the file is not as it should be.
`;

run(async (args) => {
  const [option, ...others] = args;
  if (others.length > 0 || (option !== undefined && option !== "--check")) {
    process.stderr.write(usage);
    return 2;
  }
  const file = path.join(repository, FILE);
  const json = JSON.stringify(await pluginSchema(), undefined, 2);
  const text = await format(json, { ...(await resolveConfig(file)), parser: "json" });
  if ((await readFile(file, "utf8").catch(() => "")) === text) return 0;
  if (option === "--check") {
    process.stderr.write(`${FILE} is stale: run \`npm run plugin-schema\`\n`);
    return 1;
  }
  await writeFile(file, text);
  process.stdout.write(`${FILE} written\n`);
  return 0;
});
