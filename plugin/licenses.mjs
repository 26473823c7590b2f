import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;
const LICENSE_OF_README = /^(#+ +licen[cs]e|licen[cs]e\n-+)\n(.+)/ims;

/** The licenses of the packages of a bundle, which most of them require beside their code. */
export async function licensesOf({ outputs }, root) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = new Set(used.flatMap(([file]) => PACKAGE.exec(file) ?? []));
  const texts = await Promise.all([...folders].sort().map((folder) => licenseOf(path.join(root, folder))));
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

async function licenseOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  const files = (await readdir(folder)).filter((file) => LICENSE_FILE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")));
  const all = texts.length > 0 ? texts : [await licenseOfReadme(folder)];
  return [`${name} ${version}, ${license}`, ...all.map((text) => text.trim())].join("\n\n") + "\n";
}

async function licenseOfReadme(folder) {
  const [, , text] = LICENSE_OF_README.exec(await readFile(path.join(folder, "README.md"), "utf8")) ?? [];
  if (text === undefined) throw new Error(`${folder} has no text of its license`);
  return text;
}
