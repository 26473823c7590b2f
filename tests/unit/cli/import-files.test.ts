import { lstatSync } from "node:fs";
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { requireFree, writeFiles } from "../../../provider/src/cli/import/files";
import { temporaryFolder } from "../../kit/cleanup";

const FILES = { "index.ts": "program", "import.json": "pipes" };
const NAMES = Object.keys(FILES);

/** What may be at a path, by how it gets there. */
const TAKEN: Readonly<Record<string, (file: string) => Promise<void>>> = {
  "a file": (file) => writeFile(file, "mine"),
  "a folder": (file) => mkdir(file).then(() => undefined),
  "a link to a folder": (file) => symlink(".", file),
  "a dangling link": (file) => symlink("nowhere", file),
  "a link into a folder that does not exist": (file) => symlink("no/where", file),
  "a link to itself": (file) => symlink(path.basename(file), file),
  "a link to a file": async (file) => {
    await writeFile(`${file}.target`, "mine");
    await symlink(`${path.basename(file)}.target`, file);
  },
};

/** Everything in a folder: the texts of files, the targets of links. */
async function contentOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const texts = names.map(async (name) => {
    const file = path.join(folder, name);
    const stats = lstatSync(file);
    if (stats.isSymbolicLink()) return [name, `-> ${await readlink(file)}`] as const;
    return [name, stats.isDirectory() ? "folder" : await readFile(file, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

const PLACES = NAMES.flatMap((name) => Object.entries(TAKEN).map(([what, take]) => ({ name, what, take })));

test.each(PLACES)(
  "writes $name over $what only with --force, and over no folder",
  async ({ name, what, take }) => {
    const folder = await temporaryFolder("import");
    const file = path.join(folder, name);
    await take(file);
    const before = await contentOf(folder);
    const message = `Nothing was written: ${file}`;
    expect(() => {
      requireFree(folder, NAMES, false);
    }).toThrow(message);
    // The name may be taken after that.
    await expect(writeFiles(folder, FILES, false)).rejects.toThrow(message);
    expect(await contentOf(folder)).toEqual(before);

    const isFolder = what.endsWith("a folder");
    const refusal = await writeFiles(folder, FILES, true).then(() => undefined, String);
    expect(refusal).toEqual(
      isFolder ? expect.stringContaining(`cannot replace the folder ${file}`) : undefined,
    );
    // What a link names stays as it is.
    expect(await contentOf(folder)).toEqual(isFolder ? before : { ...before, ...FILES });
  },
);

test("keeps the file that it replaces if the new one cannot be written", async () => {
  const folder = await temporaryFolder("import");
  // Only the temporary file beside it has a name that is too long.
  const name = "a".repeat(252);
  await writeFile(path.join(folder, name), "mine");
  await expect(writeFiles(folder, { [name]: "new" }, true)).rejects.toThrow("ENAMETOOLONG");
  expect(await contentOf(folder)).toEqual({ [name]: "mine" });
});

test("writes into a folder behind a link, and says what is wrong with a link to nowhere", async () => {
  const folder = await temporaryFolder("import");
  await mkdir(path.join(folder, "real"));
  await symlink("real", path.join(folder, "link"));
  await writeFiles(path.join(folder, "link", "new"), FILES, false);
  expect(await contentOf(path.join(folder, "real", "new"))).toEqual(FILES);
  await symlink("nowhere", path.join(folder, "dangling"));
  const writing = writeFiles(path.join(folder, "dangling"), FILES, true);
  await expect(writing).rejects.toThrow(
    /^The files could not be written to .*dangling: EEXIST: file already exists/,
  );
  expect(await contentOf(folder)).toEqual({ dangling: "-> nowhere", link: "-> real", real: "folder" });
});
