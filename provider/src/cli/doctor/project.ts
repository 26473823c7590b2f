import { readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { z } from "zod";
import { projectFileOf } from "../stack-configuration";

export interface Project {
  readonly name?: string | undefined;
  /** The folder of the project file, or the folder itself. */
  readonly folder: string;
  readonly hasFile: boolean;
  /** The folder from which Pulumi's plugin process resolves packages. */
  readonly programFolder: string;
  /** The language of a program that needs no package of npm. */
  readonly language?: string | undefined;
}

/** What doctor needs of a project file. YAML includes JSON. */
const projectFile = z.looseObject({
  name: z.string().optional(),
  /** The folder of the program, or its file. */
  main: z.string().default("."),
  runtime: z.union([z.string(), z.looseObject({ name: z.string() }).transform(({ name }) => name)]),
});

const NPM_RUNTIMES = ["nodejs", "bun"];

export function readProject(from: string): Project {
  const file = projectFileOf(from);
  if (file === undefined) return { folder: from, hasFile: false, programFolder: from };
  const folder = path.dirname(file);
  const { name, main = ".", runtime = "nodejs" } = contentOf(file) ?? {};
  const program = path.resolve(folder, main);
  return {
    name,
    folder,
    hasFile: true,
    programFolder: /\.[cm]?[jt]s$/.test(program) ? path.dirname(program) : program,
    language: NPM_RUNTIMES.includes(runtime) ? undefined : runtime,
  };
}

/** Undefined if the file is no project: the check of the stack shows what the Pulumi CLI says of it. */
function contentOf(file: string): z.infer<typeof projectFile> | undefined {
  try {
    return projectFile.parse(load(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}
