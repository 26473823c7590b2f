import { fieldsOf } from "../../provider/src/lifecycle/comparison/fields";
import { ARGUMENTS } from "../../provider/src/program/functions/argument-schemas";
import { configurationKey, SCOPE_SETTINGS, SETTING_ENTRIES } from "../../provider/src/settings/settings";
import type { MadeFile } from "../made-files";
import { doc } from "./arguments/comments";
import { capitalized, uncapitalized } from "./arguments/types";
import type { Declarations } from "./declarations";
import { formattedFiles, functionSources } from "./sources";

const PROGRAM = "provider/src/program";

const MADE_FROM = (source: string): string => `// \`npm run reference\` makes this file from ${source}.`;

/** The files of the program that are made from the table of settings, and from the queries and their arguments. */
export async function programFiles(): Promise<readonly MadeFile[]> {
  const sources = await functionSources();
  return formattedFiles([
    { path: `${PROGRAM}/provider-args.ts`, text: providerArguments() },
    { path: `${PROGRAM}/functions/args.ts`, text: functionArguments(sources) },
    { path: `${PROGRAM}/functions/data-functions.ts`, text: dataFunctions(sources) },
  ]);
}

function providerArguments(): string {
  const text =
    "The settings of an explicit {@link Provider}. Those that you leave out come from the stack's configuration or the environment.";
  const members = SETTING_ENTRIES.flatMap(([name, { description, default: byDefault, parse }]) => {
    const kind = typeof parse(byDefault ?? "");
    const type = kind === "number" || kind === "boolean" ? kind : "string";
    const value = type === "string" ? JSON.stringify(byDefault) : byDefault;
    const said = `${description} Default: \`${configurationKey(name)}\`.`;
    return [
      ...doc(said, byDefault === undefined ? [] : [`@default ${value}`]),
      `  ${name}?: Optional<${type}>;`,
    ];
  });
  return [
    MADE_FROM("the table of settings"),
    'import type { Optional } from "./argument-types";',
    "",
    ...doc(text, [], ""),
    "export interface ProviderArgs {",
    ...members,
    "}",
    "",
  ].join("\n");
}

/** The name of the arguments of a function: those that name a service alone are shared. */
const baseOf = (name: string): string =>
  Object.keys(ARGUMENTS[name] ?? {}).length === SCOPE_SETTINGS.length ? "Service" : capitalized(name);

function functionArguments(sources: Declarations): string {
  const bases = [...new Set(Object.keys(ARGUMENTS).map(baseOf))].sort((a, b) => b.localeCompare(a));
  const declarations = bases.flatMap((base) => {
    const root = `${uncapitalized(base)}Arguments`;
    const name = Object.keys(ARGUMENTS).find((one) => baseOf(one) === base) ?? "";
    const schema = ARGUMENTS[name];
    const text = sources.commentOf(root)?.text;
    if (schema === undefined || text === undefined) throw new Error(`${root} has no doc comment`);
    const isScope = (field: string): boolean => (SCOPE_SETTINGS as readonly string[]).includes(field);
    const fields = fieldsOf(schema, new Set()).filter((field) => base === "Service" || !isScope(field.name));
    const interfaceOf = (form: "" | "Output"): readonly string[] => [
      "",
      ...doc(form === "" ? text : text.replace(/\.$/, "; for the Output form."), [], ""),
      `export interface ${base}${form}Args${base === "Service" ? "" : ` extends Service${form}Args`} {`,
      ...fields.flatMap((field) => {
        const said = sources.commentAt(root, [field.name])?.text;
        if (said === undefined) throw new Error(`${root}: ${field.name} has no doc comment`);
        const plain = field.required ? ": string" : "?: string | undefined";
        const output = field.required ? ": pulumi.Input<string>" : "?: Optional<string>";
        return [...doc(said), `  ${field.name}${form === "" ? plain : output};`];
      }),
      "}",
    ];
    return [...interfaceOf(""), ...interfaceOf("Output")];
  });
  return [
    MADE_FROM("the schemas of the arguments of data functions"),
    'import type * as pulumi from "@pulumi/pulumi";',
    'import type { Optional } from "../argument-types";',
    ...declarations,
    "",
  ].join("\n");
}

const resultOf = (name: string): string => `${capitalized(name)}Result`;

function dataFunctions(sources: Declarations): string {
  const names = Object.keys(ARGUMENTS);
  const types = [...new Set(names.map(baseOf))].flatMap((base) => [`${base}Args`, `${base}OutputArgs`]);
  return [
    MADE_FROM("the queries and their comments"),
    'import type * as pulumi from "@pulumi/pulumi";',
    `import type { ${types.sort().join(", ")} } from "./args";`,
    `import type { ${names.map(resultOf).sort().join(", ")} } from "./results";`,
    'import { runFunction, whenKnown } from "./run-function";',
    ...names.flatMap((name) => formsOf(name, sources)),
    "",
  ].join("\n");
}

/** The two forms of a function. */
function formsOf(name: string, sources: Declarations): readonly string[] {
  const [base, result] = [baseOf(name), resultOf(name)];
  const text = sources.commentAt("QUERIES", [name])?.text;
  if (text === undefined) throw new Error(`the query ${name} has no doc comment`);
  const [what, byDefault] =
    base === "Service"
      ? ["which service; default: the configured one", " = {}"]
      : ["which pipe, and of which service", ""];
  const tags = ["", `@param args ${what}`, "@param opts `provider` for another account"];
  const mocks = `In unit tests, mock the call by its token \`datapipes:index:${name}\`.`;
  return [
    "",
    ...doc(`${text} ${mocks}`, tags, "").map((line) => line.trimEnd()),
    `export const ${name} = (args: ${base}Args${byDefault}, opts?: pulumi.InvokeOptions): Promise<${result}> =>`,
    `  runFunction("${name}", args, opts);`,
    "",
    `/** {@link ${name}} for arguments that are outputs: it waits until they are known. */`,
    `export const ${name}Output = (args: ${base}OutputArgs${byDefault}, opts?: pulumi.InvokeOutputOptions): pulumi.Output<${result}> =>`,
    `  whenKnown("${name}", args, opts);`,
  ];
}
