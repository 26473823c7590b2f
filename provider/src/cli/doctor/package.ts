import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { fileFrom } from "../folders";
import { failed, ok, type DoctorFinding } from "./finding";
import type { Project } from "./project";

const NAME = "pulumi-datapipes";

const manifest = z.looseObject({
  version: z.string(),
  engines: z.looseObject({ node: z.string().default("*") }).default({ node: "*" }),
});

/** The package that Node finds by this name from a folder. */
export function installedPackage(name: string, from: string) {
  const file = resolved(`${name}/package.json`, from);
  if (file === undefined) return undefined;
  return { folder: path.dirname(file), ...manifest.parse(JSON.parse(readFileSync(file, "utf8"))) };
}

/** The file that Node loads by this name in a folder. */
function resolved(name: string, from: string): string | undefined {
  try {
    return createRequire(path.join(from, "index.js")).resolve(name);
  } catch {
    return undefined;
  }
}

/** The lock files of package managers, with their commands. */
const MANAGERS = {
  "package-lock.json": "npm install",
  "pnpm-lock.yaml": "pnpm add",
  "yarn.lock": "yarn add",
  "bun.lock": "bun add",
};

/** The command that adds a package to the project of a folder. */
export function addCommand(specification: string, folder: string): string {
  const lockFile = path.basename(fileFrom(folder, Object.keys(MANAGERS)) ?? "package-lock.json");
  return `${MANAGERS[lockFile as keyof typeof MANAGERS]} ${specification}`;
}

/** Checks that Pulumi's plugin process finds the package, and its module that the state of every resource names. */
export function checkPackage({ programFolder }: Project): DoctorFinding {
  const found = installedPackage(NAME, programFolder);
  const add = addCommand(NAME, programFolder);
  if (found === undefined) {
    const message = `${NAME} cannot be found from ${programFolder}, where Pulumi's plugin process looks for it.`;
    return failed("package", message, add);
  }
  const { folder, version } = found;
  if (resolved(`${NAME}/runtime`, programFolder) === undefined) {
    const message = `${NAME} ${version} (${folder}) is incomplete: ${NAME}/runtime does not resolve.`;
    const repair = `Remove ${folder}, then run \`${add}\`. In a checkout, run \`npm run build\`.`;
    return failed("package", message, repair);
  }
  return ok("package", `${NAME} ${version} resolves from ${programFolder} (${folder}).`);
}
