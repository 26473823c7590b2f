import { VERSION } from "../../provider/src/pulumi/version";
import { downloadUrlOf } from "./plugin-schema/languages";
import { parameterTable } from "./settings";

/** Pages that Pulumi's registry shows beside what it makes of the schema. They are written by hand, with blocks that are made. */
export const REGISTRY_PAGES = ["docs/_index.md", "docs/installation-configuration.md"];

/** What the pages need of the plugin's schema. */
export interface PublishedSchema {
  readonly name: string;
  readonly repository: string;
  readonly pluginDownloadURL?: string;
  readonly resources: Readonly<Record<string, { readonly description: string }>>;
  readonly language: {
    readonly nodejs: { readonly packageName: string };
    readonly python: { readonly packageName: string };
    readonly go: { readonly importBasePath: string };
    readonly java: { readonly basePackage: string };
  };
}

export function registryBlocks(schema: PublishedSchema): ReadonlyMap<string, string> {
  return new Map([
    ["unreleased", schema.pluginDownloadURL === undefined ? unreleased(schema) : ""],
    ["example", chooser(programsOf(schema))],
    ["packages", packagesOf(schema)],
    ["install", chooser(commandsOf(schema))],
    ["plugin", block("sh", installOf(schema))],
    ["parameters", parameterTable()],
    ["links", linksOf(schema)],
  ]);
}

/** Both pages say so until the repository has an owner. */
const unreleased = ({ repository }: PublishedSchema): string =>
  `**Nothing is released yet**: the commands below find nothing. Until the first release, [install from a clone](${repository}/blob/main/docs/installation-configuration.md#before-the-first-release).`;

type Choices = readonly (readonly [language: string, content: string])[];

const block = (info: string, code: string): string => `\`\`\`${info}\n${code.trimEnd()}\n\`\`\``;

/** The same in each language, as the registry's shortcodes say it. */
const chooser = (choices: Choices): string =>
  [
    `{{< chooser language "${choices.map(([language]) => language).join(",")}" >}}`,
    ...choices.flatMap(([language, content]) => [
      `{{% choosable language ${language} %}}`,
      content,
      "{{% /choosable %}}",
    ]),
    "{{< /chooser >}}",
  ].join("\n\n");

const FENCE = /^```(\w+)\n([\s\S]*?)^```$/gm;

/** The first example of a pipe in all languages that the schema has it in. */
function programsOf({ resources }: PublishedSchema): Choices {
  const [first = ""] = resources["datapipes:index:Pipe"]?.description.split("{{% /example %}}", 1) ?? [];
  return [...first.matchAll(FENCE)].map(([, language = "", code = ""]) => [language, block(language, code)]);
}

const installOf = ({ name, repository }: PublishedSchema): string =>
  `pulumi plugin install resource ${name} v${VERSION} --server ${downloadUrlOf(repository)}`;

/** Maven knows a package by its group and its name. */
const artifactOf = ({ name, language }: PublishedSchema) => ({
  group: language.java.basePackage,
  artifact: name,
});

function packagesOf(schema: PublishedSchema): string {
  const { nodejs, python, go } = schema.language;
  const { group, artifact } = artifactOf(schema);
  const link = (text: string, url: string): string => `[\`${text}\`](https://${url})`;
  return [
    `- JavaScript and TypeScript: ${link(nodejs.packageName, `www.npmjs.com/package/${nodejs.packageName}`)}`,
    `- Python: ${link(python.packageName, `pypi.org/project/${python.packageName.replaceAll("_", "-")}/`)}`,
    `- Go: ${link(go.importBasePath, `pkg.go.dev/${go.importBasePath}`)}`,
    `- Java: ${link(`${group}:${artifact}`, `central.sonatype.com/artifact/${group}/${artifact}`)}`,
    "- C#: the command below generates the SDK into your project; NuGet has none",
    "- YAML and HCL: need no SDK; no test of this repository runs a program in HCL",
  ].join("\n");
}

function commandsOf(schema: PublishedSchema): Choices {
  const { nodejs, python, go } = schema.language;
  const { group, artifact } = artifactOf(schema);
  const generate = `${installOf(schema)}\npulumi package add ${schema.name}@${VERSION}`;
  const maven = `<dependency>
  <groupId>${group}</groupId>
  <artifactId>${artifact}</artifactId>
  <version>${VERSION}</version>
</dependency>`;
  const gradle = `implementation "${group}:${artifact}:${VERSION}"`;
  const hcl = `# In your program; then run \`pulumi install\`.
terraform {
  required_providers {
    ${schema.name} = {
      source  = "pulumi/${schema.name}"
      version = "${VERSION}"
    }
  }
}`;
  return [
    ["typescript", block("sh", `npm install ${nodejs.packageName}@${VERSION}`)],
    ["python", block("sh", `pip install ${python.packageName}==${VERSION}`)],
    ["go", block("sh", `go get ${go.importBasePath}@v${VERSION}`)],
    ["csharp", block("sh", generate)],
    ["java", `Maven:\n\n${block("xml", maven)}\n\nGradle:\n\n${block("groovy", gradle)}`],
    ["yaml", block("sh", installOf(schema))],
    ["hcl", block("hcl", hcl)],
  ];
}

const GUIDES: Readonly<Record<string, string>> = {
  "get-started": "Get started",
  "take-over-a-pipe": "Take over existing pipes",
  "read-a-preview": "Read a preview",
  "rotate-credentials": "Rotate credentials",
  "delete-or-retain": "Delete or retain",
  "move-to-another-language": "Move a stack to another language",
  troubleshoot: "Troubleshoot",
};

/** The registry shows the pages elsewhere, so their links are absolute. */
const linksOf = ({ repository }: PublishedSchema): string =>
  [
    ...Object.entries(GUIDES).map(
      ([file, title]) => `- [${title}](${repository}/blob/main/docs/guides/${file}.md)`,
    ),
    `- [All guides](${repository}/blob/main/docs/guides/README.md)`,
  ].join("\n");
