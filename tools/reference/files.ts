import { readFile } from "node:fs/promises";
import path from "node:path";
import { API_PAGE, apiPage } from "./api-page";
import { RESOURCES, type Described } from "./catalogue";
import { Declarations } from "./declarations";
import { refilled } from "./markdown";
import { resourcePage } from "./resource-page";
import { settingPage, settingTable } from "./settings";

/** The folder that all paths of this tool start from. */
export const repository = path.resolve(__dirname, "../..");

/** Files written by hand, with blocks between marks that are made. */
const WITH_BLOCKS = ["provider/README.md"];

/** A file as it should be. */
export interface MadeFile {
  readonly path: string;
  readonly text: string;
}

/** All that is made from the schemas and their doc comments. */
export async function madeFiles(): Promise<readonly MadeFile[]> {
  const pages = await Promise.all(RESOURCES.map(pageOf));
  const settings = { path: "docs/reference/configuration.md", text: settingPage() };
  const filled = await Promise.all(
    WITH_BLOCKS.map(async (file) => ({ path: file, text: refilled(await textOf(file), blocks()) })),
  );
  const api = { path: API_PAGE, text: await apiPage(repository) };
  return [...pages, settings, api, ...filled];
}

/** Those of the files that are not as they should be. */
export async function staleFiles(): Promise<readonly MadeFile[]> {
  const made = await madeFiles();
  const present = await Promise.all(made.map(({ path: file }) => textOf(file).catch(() => undefined)));
  return made.filter(({ text }, index) => text !== present[index]);
}

/** The declarations of a resource, read from its files. */
export async function declarationsOf({ sources }: Described): Promise<Declarations> {
  return new Declarations(
    await Promise.all(sources.map(async (name) => ({ name, text: await textOf(name) }))),
  );
}

async function pageOf(resource: Described): Promise<MadeFile> {
  return { path: resource.page, text: resourcePage(resource, await declarationsOf(resource)) };
}

const blocks = (): ReadonlyMap<string, string> => new Map([["configuration", settingTable()]]);

const textOf = (file: string): Promise<string> => readFile(path.join(repository, file), "utf8");
