import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import semver from "semver";
import { ok, type DoctorFinding } from "./finding";
import { readPackage } from "./packages";
import type { Project } from "./project";

/** The first Node that keeps compiled code where `NODE_COMPILE_CACHE` says. */
const NODE_OF_CACHE = "22.1.0";

/** Says what each run does before the program starts, and what would save it. */
export function checkStart(project: Project, node = process.versions.node): readonly DoctorFinding[] {
  if (project.runtime?.name !== "nodejs") return [];
  const check = isTypeChecked(project)
    ? "Each run type-checks the program: PULUMI_NODEJS_TRANSPILE_ONLY=true saves that; run `tsc --noEmit` in your pipeline instead."
    : "Pulumi does not type-check the program.";
  return [ok("start", `${check} ${cache(node)}`)];
}

const isTypeChecked = ({ programFolder, program, runtime }: Project): boolean =>
  runtime?.typescript !== false && isTypeScript(programFolder, program) && !isTranspiled(programFolder);

function cache(node: string): string {
  if (semver.lt(node, NODE_OF_CACHE))
    return `From Node ${NODE_OF_CACHE} on, NODE_COMPILE_CACHE=<folder> would save more.`;
  return (process.env["NODE_COMPILE_CACHE"] ?? "") === ""
    ? "NODE_COMPILE_CACHE=<folder> would let Node keep compiled code between runs."
    : "Node keeps compiled code between runs (NODE_COMPILE_CACHE).";
}

/** As Pulumi looks for the program: the file that the project or its package names, if it exists, else an index. */
function isTypeScript(folder: string, program: string | undefined): boolean {
  const named = program ?? readPackage(folder)?.manifest.main;
  if (named !== undefined && path.extname(named) !== "" && existsSync(path.resolve(folder, named)))
    return /\.[cm]?tsx?$/.test(named);
  const place = named !== undefined && path.extname(named) === "" ? named : ".";
  return !existsSync(path.resolve(folder, place, "index.js"));
}

function isTranspiled(folder: string): boolean {
  const variable = process.env["PULUMI_NODEJS_TRANSPILE_ONLY"] ?? "";
  if (variable !== "") return variable === "true";
  const file = path.join(folder, process.env["PULUMI_NODEJS_TSCONFIG_PATH"] ?? "tsconfig.json");
  // Such files may have comments.
  return existsSync(file) && /"noCheck"\s*:\s*true/.test(readFileSync(file, "utf8"));
}
