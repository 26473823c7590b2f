import { readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import schema from "../../plugin/schema.json";
import { root } from "../release/address";
import { isInRegistry } from "../release/registry";
import { command, version, writeTexts, type Sdk } from "./sdk";

const name = schema.language.nodejs.packageName;

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Compiled, so that users need neither the compiler nor the script with which npm would run it at each installation. */
function pack(folder: string): void {
  const modules = path.join(folder, "node_modules");
  symlinkSync(path.join(root, "node_modules"), modules, "junction");
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  command(process.execPath, [compiler, "--project", folder, "--skipLibCheck"], folder);
  unlinkSync(modules);
  const bin = path.join(folder, "bin");
  writeTexts(bin, { name });
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Manifest;
  const { typescript: _compiler, "@types/node": _types, ...dependencies } = manifest.dependencies;
  const published = { ...manifest, main: "index.js", types: "index.d.ts", scripts: undefined, dependencies };
  writeFileSync(path.join(bin, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
}

/** With provenance, for which npm compares the repository of the package with that of the build. */
export const nodejs: Sdk = {
  name,
  pack,
  publish(folder, { dryRun }) {
    const bin = path.join(folder, "bin");
    if (dryRun) command("npm", ["publish", "--dry-run"], bin);
    else if (isInRegistry(`${name}@${version}`))
      process.stdout.write(`${name}@${version} is published already\n`);
    else command("npm", ["publish", "--provenance", "--access", "public"], bin);
  },
};
