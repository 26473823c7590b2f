import { readdir } from "node:fs/promises";
import path from "node:path";
import { repository, textOf, type MadeFile } from "../made-files";
import { argumentFile } from "./arguments/argument-file";
import { classFile } from "./arguments/class-file";
import { RESOURCES, type Described } from "./catalogue";
import { refilled } from "./markdown";
import { MANAGEMENT_API_PAGE, managementApiPage } from "./management-api";
import { resourcePage } from "./resource-page";
import { programFiles } from "./program-files";
import { pluginSchema } from "./plugin-schema/schema";
import { retriesPage } from "./retries";
import { settingPage } from "./settings";
import {
  classFilesOf,
  declarationsOf,
  declarationsIn,
  formattedFiles,
  schemasOf,
  sharedSchemas,
} from "./sources";

/** Files written by hand, with blocks between marks that are made. */
const filesWithBlocks = async (): Promise<readonly string[]> => [
  "docs/_index.md",
  "docs/installation-configuration.md",
  ...(await filesIn("docs/guides", ".md")),
];

/** The paths of the files in a folder that end with `extension`. */
async function filesIn(folder: string, extension: string): Promise<readonly string[]> {
  const names = await readdir(path.join(repository, folder));
  return names.filter((name) => name.endsWith(extension)).map((name) => `${folder}/${name}`);
}

/** What the classes need of the definitions, in a process that loads no schema. */
const OUTPUTS = "provider/src/program/outputs.ts";

/** All that is made from the schemas and their doc comments. The package compiles, and has a page, with the first of them only. */
export const MADE: readonly (() => Promise<readonly MadeFile[]>)[] = [
  outputLists,
  programFiles,
  resourceFiles,
  madePages,
  madeSchema,
];

const PLUGIN_SCHEMA = "plugin/schema.json";

async function madeSchema(): Promise<readonly MadeFile[]> {
  const json = JSON.stringify(await pluginSchema(), undefined, 2);
  return formattedFiles([{ path: PLUGIN_SCHEMA, text: json }]);
}

async function madePages(): Promise<readonly MadeFile[]> {
  const pages = await Promise.all(RESOURCES.map(pageOf));
  const settings = { path: "docs/reference/configuration.md", text: settingPage() };
  const made = await blocks();
  const filled = (await filesWithBlocks()).map(async (file) => ({
    path: file,
    text: refilled(await textOf(file), made),
  }));
  const failures = await declarationsIn(["provider/src/api/http/failures.ts"]);
  const retries = { path: "docs/reference/retries.md", text: retriesPage(failures) };
  const management = { path: MANAGEMENT_API_PAGE, text: managementApiPage() };
  return formattedFiles([
    ...pages,
    settings,
    retries,
    management,
    ...(await Promise.all(filled)),
    await packageReadme(),
  ]);
}

async function pageOf(resource: Described): Promise<MadeFile> {
  const text = resourcePage(resource, await declarationsOf(resource));
  return { path: `docs/reference/${resource.folder}.md`, text };
}

/** The arguments and the class of each resource. */
export async function resourceFiles(): Promise<readonly MadeFile[]> {
  const shared = await sharedSchemas();
  const files = RESOURCES.map(async (resource) => {
    const schemas = await schemasOf(resource);
    const [file, args] = classFilesOf(resource.folder);
    return [
      { path: args, text: argumentFile(resource, schemas, shared) },
      { path: file, text: classFile(resource, schemas, shared) },
    ];
  });
  return formattedFiles((await Promise.all(files)).flat());
}

function outputLists(): Promise<readonly MadeFile[]> {
  const byType = (of: (resource: Described) => unknown): string =>
    JSON.stringify(Object.fromEntries(RESOURCES.map((resource) => [resource.type, of(resource)])));
  const text = `// \`npm run reference\` makes this file from the schemas and definitions of the resources.

/** The outputs of each kind of resource. */
export const OUTPUTS = ${byType(({ outputs }) => outputs)} as const;

/** How a program takes over what exists. */
export const TAKE_OVER = ${byType(({ takeOver }) => takeOver)} as const;
`;
  return Promise.resolve(formattedFiles([{ path: OUTPUTS, text }]));
}

async function blocks(): Promise<ReadonlyMap<string, string>> {
  const files = await filesIn("docs/recordings", ".txt");
  const recordings = files.map(
    async (file) => [path.basename(file, ".txt"), `\`\`\`text\n${await textOf(file)}\`\`\``] as const,
  );
  return new Map(await Promise.all(recordings));
}

/** The README of the package is that of the repository; its links begin one folder below. */
const packageReadme = async (): Promise<MadeFile> => ({
  path: "provider/README.md",
  text: (await textOf("README.md")).replace(/\]\((?![a-z]+:|#)/g, "](../"),
});
