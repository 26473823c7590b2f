import { textOf } from "../../made-files";

const FOLDER = "plugin/examples";

/** A program in YAML, and what it shows. */
export interface Example {
  readonly title: string;
  readonly yaml: string;
}

/** The examples of a resource or a function, from which those in other languages are made: the documents of one file, each with its title in a comment. */
export async function yamlExamplesOf(name: string): Promise<readonly Example[]> {
  const text = await textOf(`${FOLDER}/${name}.yaml`);
  return text.split(/^---\n/m).map((document) => {
    const [comment = "", ...lines] = document.trimEnd().split("\n");
    return { title: comment.replace(/^# /, ""), yaml: lines.join("\n") };
  });
}

/** The page of the same examples in every language, which `npm run schema-examples` makes. */
export const examplePageOf = (name: string): string => `${FOLDER}/${name}.md`;

/** The examples as a description of Pulumi's schema holds them. */
export async function exampleSectionOf(name: string): Promise<string> {
  // A new resource has none before they are made, for which its schema is needed.
  const page = await textOf(examplePageOf(name)).catch(() => "");
  return page.trimEnd();
}
