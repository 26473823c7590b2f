import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

// The templates are no workspaces, because their names are variables, so changesets leaves them alone.

const root = path.resolve(__dirname, "../..");
const RANGE = /("pulumi-datapipes(?:-simulator)?": )"([^"]+)"/g;

const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");

const [[, , range = ""] = []] = [...textOf("examples/quickstart/package.json").matchAll(RANGE)];
for (const template of readdirSync(path.join(root, "templates"))) {
  const file = path.join("templates", template, "package.json");
  const filled = textOf(file).replaceAll(RANGE, (_, key: string) => `${key}"${range}"`);
  writeFileSync(path.join(root, file), filled);
}
