import { existsSync } from "node:fs";
import path from "node:path";
import { repositoryUrl } from "../release/address";
import { run } from "../run";
import { go } from "./go";
import { java } from "./java";
import { nodejs } from "./nodejs";
import { python } from "./python";
import { packSdk, SDKS } from "./sdk";

const usage = `npm run pack:sdks [-- <language> …]                  generates the SDKs, and makes what is published in plugin/sdks
npm run release:sdks [-- --dry-run] [<language> …]   publishes them; for the workflow, but for --dry-run

The languages are nodejs, python, go and java; without one, all of them. They need Python 3 with pip, Go, and a JDK with Maven.
`;

const ALL = { nodejs, python, go, java };
type Language = keyof typeof ALL;

const isLanguage = (word: string): word is Language => word in ALL;

async function publish(language: Language, options: { readonly dryRun: boolean }): Promise<void> {
  const folder = path.join(SDKS, language);
  if (!existsSync(folder)) throw new Error(`plugin/sdks/${language} is missing: run \`npm run pack:sdks\`.`);
  if (!options.dryRun && repositoryUrl() === undefined)
    throw new Error("Nothing was published: the names of the SDKs need the address in repository.json.");
  await ALL[language].publish(folder, options);
}

run(async ([action = "", ...words]) => {
  const dryRun = action === "publish" && words[0] === "--dry-run";
  const named = dryRun ? words.slice(1) : words;
  if (!["pack", "publish"].includes(action) || !named.every(isLanguage)) {
    process.stderr.write(usage);
    return 2;
  }
  for (const language of named.length > 0 ? named : (Object.keys(ALL) as Language[])) {
    process.stdout.write(`${language}: ${ALL[language].name}\n`);
    await (action === "pack" ? packSdk(language, ALL[language]) : publish(language, { dryRun }));
  }
  return 0;
});
