import { execFileSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { repository, textOf, type MadeFile } from "../made-files";
import { RESOURCES, type Described } from "./catalogue";
import { Declarations } from "./declarations";

/** Files as Prettier formats them. Jest cannot load Prettier itself. */
export function formattedFiles(files: readonly MadeFile[]): readonly MadeFile[] {
  const args = [path.join(__dirname, "format.mjs")];
  const input = JSON.stringify(files);
  const output = execFileSync(process.execPath, args, { cwd: repository, input, encoding: "utf8" });
  return JSON.parse(output) as readonly MadeFile[];
}

/** The source text of the schemas of a resource, with those that resources share. */
export async function schemasOf({ folder }: Described): Promise<Declarations> {
  const own = (await readdir(path.join(repository, RESOURCES_FOLDER, folder))).filter(isSchemaFile);
  return declarationsIn([...own.map((file) => `${RESOURCES_FOLDER}/${folder}/${file}`), SHARED_SCHEMAS]);
}

/** The source text of the schemas that resources share. */
export const sharedSchemas = (): Promise<Declarations> => declarationsIn([SHARED_SCHEMAS]);

const RESOURCES_FOLDER = "provider/src/resources";
const PROGRAM_FOLDER = "provider/src/program";
const SHARED_SCHEMAS = `${RESOURCES_FOLDER}/schema-types.ts`;
const isSchemaFile = (file: string): boolean => /(^|-)schema\.ts$/.test(file);

/** The declarations of a resource: its class and its arguments. */
export const declarationsOf = ({ folder }: Described): Promise<Declarations> =>
  declarationsIn([...classFilesOf(folder), `${PROGRAM_FOLDER}/argument-types.ts`]);

/** The class of a resource, and its arguments. */
export const classFilesOf = (folder: string): readonly [classFile: string, args: string] => [
  `${PROGRAM_FOLDER}/${folder}/${folder}.ts`,
  `${PROGRAM_FOLDER}/${folder}/args.ts`,
];

/** The queries behind the data functions, and the schemas of their arguments. */
export const functionSources = (): Promise<Declarations> =>
  declarationsIn(["queries", "argument-schemas"].map((name) => `provider/src/program/functions/${name}.ts`));

/** The declarations of the data functions, and the arguments of resources, of which their results have parts. */
export async function functionDeclarations(): Promise<Declarations> {
  const folder = `${PROGRAM_FOLDER}/functions`;
  const functions = await readdir(path.join(repository, folder));
  return declarationsIn([
    ...functions.map((file) => `${folder}/${file}`),
    ...RESOURCES.map((resource) => classFilesOf(resource.folder)[1]),
  ]);
}

/** The declarations of some files. */
export async function declarationsIn(names: readonly string[]): Promise<Declarations> {
  return new Declarations(await Promise.all(names.map(async (name) => ({ name, text: await textOf(name) }))));
}
