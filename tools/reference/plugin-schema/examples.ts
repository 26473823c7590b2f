import { parseAllDocuments } from "yaml";
import { formatted, textOf } from "../sources";
import { PACKAGE } from "./types";

/** The npm package that Pulumi generates from the schema. */
export const NODEJS_PACKAGE = "pulumi-datapipes-sdk";

/** A program in YAML, as far as examples need it. */
export interface Program {
  readonly config?: Readonly<Record<string, { readonly secret?: boolean }>>;
  readonly resources: Readonly<Record<string, { readonly type: string; readonly properties: object }>>;
}

/** An example: what it shows, and its program in YAML. Those in other languages follow from it. */
export interface Example {
  readonly title: string;
  readonly yaml: string;
  readonly program: Program;
}

/** The examples of a type of resource: the documents of one file, each with its title in a comment. */
export async function examplesOf(type: string): Promise<readonly Example[]> {
  const text = await textOf(`tools/reference/plugin-schema/examples/${type}.yaml`);
  return text.split(/^---\n/m).map((document) => {
    const [comment = "", ...lines] = document.trimEnd().split("\n");
    const [parsed] = parseAllDocuments(document);
    return { title: comment.replace(/^# /, ""), yaml: lines.join("\n"), program: parsed?.toJS() as Program };
  });
}

/** The examples as Pulumi's schema holds them in a description. */
export const exampleSection = (examples: readonly Example[]): string =>
  ["{{% examples %}}", "## Example Usage", ...examples.map(oneExample), "{{% /examples %}}"].join("\n\n");

const oneExample = (example: Example): string =>
  [
    "{{% example %}}",
    `### ${example.title}`,
    `\`\`\`typescript\n${typescriptOf(example)}\n\`\`\``,
    `\`\`\`yaml\n${example.yaml}\n\`\`\``,
    "{{% /example %}}",
  ].join("\n\n");

/** The program of an example in TypeScript. */
export function typescriptOf({ program }: Example): string {
  const settings = Object.keys(program.config ?? {});
  const head = [
    ...(settings.length > 0 ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    `import * as ${PACKAGE} from "${NODEJS_PACKAGE}";`,
    "",
    ...(settings.length > 0 ? ["const config = new pulumi.Config();"] : []),
  ];
  const resources = Object.entries(program.resources).map(
    ([name, { type, properties }]) =>
      `const ${name} = new ${type.replace(":", ".")}("${name}", ${literal(properties, program)});`,
  );
  return formatted("example.ts", [...head, ...resources].join("\n")).trimEnd();
}

/** A value as TypeScript has it. `${name}` in YAML is a value of the configuration. */
function literal(value: unknown, program: Program): string {
  const [, name] = typeof value === "string" ? (/^\$\{(\w+)\}$/.exec(value) ?? []) : [];
  if (name !== undefined)
    return `config.${program.config?.[name]?.secret === true ? "requireSecret" : "require"}("${name}")`;
  if (Array.isArray(value)) return `[${value.map((element) => literal(element, program)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([member, inner]) => `${member}: ${literal(inner, program)}`);
  return `{ ${members.join(", ")} }`;
}
