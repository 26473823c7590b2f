import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { VERSION } from "../../pulumi/version";
import { failed, ok, warning, type DoctorFinding } from "./finding";
import { addCommand, copiesOf, dedupeCommand, installedPackage, type InstalledPackage } from "./packages";
import type { Project } from "./project";

const NAME = "pulumi-datapipes";
/** What the state of every resource makes the plugin process load. */
const RUNTIME = `${NAME}/runtime`;

/** The copy of the package that runs. */
const OWN_FOLDER = realpathSync(path.resolve(__dirname, "../../.."));

/** Checks that Pulumi's plugin process finds the package, and only one copy of it. */
export function checkPackage({ programFolder }: Project): readonly DoctorFinding[] {
  const found = installedPackage(NAME, programFolder);
  const reason = whyUnresolvable(programFolder);
  if (reason === undefined && found !== undefined)
    return [
      ok("package", `${NAME} ${found.version} resolves from ${programFolder} (${found.folder}).`),
      ...runningCopy(found),
      ...nestedCopies(found, programFolder),
    ];
  if (found === undefined) {
    const message = `${NAME} cannot be found from ${programFolder}, where Pulumi's plugin process looks for it.`;
    return [failed("package", message, addCommand(NAME, programFolder))];
  }
  const message = `${NAME} ${found.version} (${found.folder}) is incomplete: ${RUNTIME} does not resolve (${reason ?? "no reason given"}).`;
  const fix = `Install it again: remove ${found.folder}, then run \`${addCommand(NAME, programFolder)}\`. In a checkout, run \`npm run build\`.`;
  return [failed("package", message, fix)];
}

/** Why the plugin process, which runs in this folder, cannot load the package. */
function whyUnresolvable(folder: string): string | undefined {
  try {
    createRequire(path.join(folder, "index.js")).resolve(RUNTIME);
    return undefined;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

function runningCopy({ version, folder }: InstalledPackage): readonly DoctorFinding[] {
  if (folder === OWN_FOLDER) return [];
  const message = `The project uses ${NAME} ${version} (${folder}), but this command is of another copy, ${VERSION} (${OWN_FOLDER}).`;
  return [warning("package", message, "npx --no datapipes doctor")];
}

function nestedCopies(found: InstalledPackage, programFolder: string): readonly DoctorFinding[] {
  const others = copiesOf(NAME, programFolder).filter(({ folder }) => folder !== found.folder);
  if (others.length === 0) return [];
  const list = others.map(({ version, folder }) => `${version} (${folder})`).join(", ");
  const message = `Other packages of the project have copies of ${NAME} of their own: ${list}. Pulumi's plugin process uses ${found.version} for all resources.`;
  const fix = `Run \`${dedupeCommand(programFolder)}\`; if a copy is left, make all packages require the same version of ${NAME}.`;
  return [warning("package", message, fix)];
}
