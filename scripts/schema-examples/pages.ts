import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { QUERIES } from "../../provider/src/program/functions/queries";
import { provideCompanion, type CompanionName } from "../pulumi-cli/go/companions";
import { providePulumi } from "../pulumi-cli/provision";
import { RESOURCES } from "../reference/catalogue";
import { examplePageOf, yamlExamplesOf, type Example } from "../reference/plugin-schema/examples";
import type { MadeFile } from "../made-files";
import { pluginSchema } from "../reference/plugin-schema/schema";
import { formattedFiles } from "../reference/sources";
import { corrected, type Schema } from "./corrections";

/** What the schema has examples of. */
const EXAMPLE_NAMES = [...RESOURCES.map(({ type }) => type), ...Object.keys(QUERIES)];

/** In the order of the registry; the last is the source. */
const EXAMPLE_LANGUAGES = ["typescript", "python", "go", "csharp", "java", "yaml"] as const;

type Programs = Readonly<Record<string, string>>;

export async function examplePages(): Promise<readonly MadeFile[]> {
  const examples = await Promise.all(EXAMPLE_NAMES.map(yamlExamplesOf));
  const schema = (await pluginSchema()) as Schema;
  const programs = [...(await converted(examples.flat(), schema))];
  const pages = EXAMPLE_NAMES.map((name, index) => {
    const own = examples[index] ?? [];
    return { path: examplePageOf(name), text: pageOf(own, programs.splice(0, own.length), schema) };
  });
  return formattedFiles(pages);
}

const CONVERTERS: readonly CompanionName[] = ["code-generator", "java-and-csharp"];

/** The programs of the examples in every language, as Pulumi's converter writes them. */
async function converted(examples: readonly Example[], schema: Schema): Promise<readonly Programs[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "datapipes-examples-"));
  try {
    const file = path.join(folder, "schema.json");
    await writeFile(file, JSON.stringify(schema));
    const cli = await providePulumi();
    const converters = await Promise.all(CONVERTERS.map((name) => provideCompanion(name, cli)));
    const input = JSON.stringify(examples.map(({ yaml }) => yaml));
    const forms = converters.map(
      (converter) =>
        JSON.parse(execFileSync(converter, [file], { input, encoding: "utf8" })) as readonly Programs[],
    );
    return examples.map(({ yaml }, index) => ({ ...forms[0]?.[index], ...forms[1]?.[index], yaml }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A page as a description of Pulumi's schema holds it. */
const pageOf = (examples: readonly Example[], programs: readonly Programs[], schema: Schema): string =>
  [
    "{{% examples %}}",
    "## Example Usage",
    ...examples.flatMap(({ title, yaml }, index) => [
      "{{% example %}}",
      `### ${title}`,
      ...EXAMPLE_LANGUAGES.map((language) => {
        const program = programs[index]?.[language] ?? "";
        return `\`\`\`${language}\n${corrected(language, program, yaml, schema)}\n\`\`\``;
      }),
      "{{% /example %}}",
    ]),
    "{{% /examples %}}",
  ].join("\n\n");
