import { readFileSync } from "node:fs";
import path from "node:path";
import { projectFileOf } from "../stack-configuration";

export interface Project {
  /** The folder of the project file, or the folder itself. */
  readonly folder: string;
  readonly hasFile: boolean;
  /** The folder from which Pulumi's plugin process resolves packages. */
  readonly programFolder: string;
  /** The language of a program that needs no package of npm. */
  readonly language?: string | undefined;
}

/** `main` of a project file: the folder of the program, or its file. */
const MAIN = /^main:\s*["']?([^"'\s#]+)/m;
/** `runtime`, or `runtime.name`. */
const OTHER_RUNTIME = /^runtime:[\s{]*(?:name:\s*)?["']?(python|go|dotnet|java|yaml)\b/m;

export function readProject(from: string): Project {
  const file = projectFileOf(from);
  if (file === undefined) return { folder: from, hasFile: false, programFolder: from };
  const folder = path.dirname(file);
  const text = readFileSync(file, "utf8");
  const program = path.resolve(folder, MAIN.exec(text)?.[1] ?? ".");
  return {
    folder,
    hasFile: true,
    programFolder: /\.[cm]?[jt]s$/.test(program) ? path.dirname(program) : program,
    language: OTHER_RUNTIME.exec(text)?.[1],
  };
}
