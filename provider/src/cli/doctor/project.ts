import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { fileFrom } from "../folders";
import { projectFileOf } from "../stack-configuration";
import { failed, ok, warning, type DoctorFinding } from "./finding";
import { isPlugAndPlay } from "./packages";

export interface Project {
  /** The folder of the project file, or the folder itself. */
  readonly folder: string;
  readonly file?: string;
  /** The folder in which Pulumi runs the program and the plugin process. */
  readonly programFolder: string;
  /** The file of the program, where the project file names one. */
  readonly program?: string;
  /** `runtime` of the project file. */
  readonly runtime?: Runtime;
  /** `backend.url` of the project file. */
  readonly backendUrl?: string;
  readonly findings: readonly DoctorFinding[];
}

interface Runtime {
  readonly name: string;
  /** The option `typescript`. */
  readonly typescript?: boolean | undefined;
}

const runtime = z.union([
  z.string().transform((name): Runtime => ({ name })),
  z
    .looseObject({
      name: z.string(),
      options: z
        .looseObject({ typescript: z.boolean().optional().catch(undefined) })
        .optional()
        .catch(undefined),
    })
    .transform(({ name, options }): Runtime => ({ name, typescript: options?.typescript })),
]);

const projectFile = z.looseObject({
  name: z.string().optional().catch(undefined),
  main: z.string().optional().catch(undefined),
  runtime: runtime.optional().catch(undefined),
  backend: z.looseObject({ url: z.string().optional() }).optional().catch(undefined),
});

export function readProject(from: string): Project {
  const file = projectFileOf(from);
  if (file === undefined) {
    const message = `There is no Pulumi.yaml in ${from} or in a folder above it: the settings come from the environment alone.`;
    const fix = "Run the command in the folder of a project, or create one with `pulumi new typescript`.";
    return { folder: from, programFolder: from, findings: [warning("project", message, fix)] };
  }
  const folder = path.dirname(file);
  try {
    const { name, main = ".", backend, ...rest } = projectFile.parse(parse(readFileSync(file, "utf8")));
    return {
      folder,
      file,
      ...programOf(path.resolve(folder, main)),
      ...(rest.runtime !== undefined && { runtime: rest.runtime }),
      ...(backend?.url !== undefined && { backendUrl: backend.url }),
      findings: [ok("project", `The project is ${JSON.stringify(name ?? "")} (${file}).`)],
    };
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    const message = `The project file ${file} cannot be read: ${(reason ?? "").replace(/[.:]?$/, ".")}`;
    const fix = `Correct ${file}.`;
    return { folder, file, programFolder: folder, findings: [failed("project", message, fix)] };
  }
}

/** Pulumi runs a program in its folder, or in the folder of its file. */
const programOf = (main: string): Pick<Project, "programFolder" | "program"> =>
  existsSync(main) && statSync(main).isDirectory()
    ? { programFolder: main }
    : { programFolder: path.dirname(main), program: main };

const PLUG_AND_PLAY = [".pnp.cjs", ".pnp.js"];

/** Finds Yarn's Plug'n'Play: Node finds a package only in processes that Yarn starts, the CLI's included. */
export function checkLinker({ programFolder: folder }: Project): readonly DoctorFinding[] {
  const file = fileFrom(folder, PLUG_AND_PLAY);
  if (file === undefined) return [];
  const message = `The project is installed with Yarn's Plug'n'Play (${file}): Pulumi finds the packages only if Yarn starts it, as in \`yarn exec pulumi up\`.`;
  const finding = isPlugAndPlay() ? warning : failed;
  return [finding("package", message, "yarn config set nodeLinker node-modules && yarn install")];
}
