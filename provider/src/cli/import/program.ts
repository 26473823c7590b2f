import { isDeepStrictEqual } from "node:util";
import {
  isMap,
  valueAt,
  withValueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/comparison/property-value";
import { kindOfSource } from "../../resources/pipe/loads";
import { grouped } from "../grouped";
import { credentialsOf } from "./credentials";
import { brokenObject, Expression, SPREAD, textCode, type Printed } from "./printer";
import type { ImportedPipe } from "./resources";

/** How the program is divided into files. */
export type Split = "kind" | "service";

export interface ProgramOptions {
  readonly mode: "import" | "adopt";
  readonly withCredentials?: boolean;
  readonly split?: Split;
}

export const PROGRAM = "index.ts";

/** The texts of `index.ts`, and of the files that it imports. */
export function programOf(
  pipes: readonly ImportedPipe[],
  options: ProgramOptions,
): Readonly<Record<string, string>> {
  const comment = commentOf(options);
  const groups = grouped(pipes, fileOf(options.split));
  const texts = [...groups].map(([file, own]): [string, string] => [file, fileText(own, options)]);
  if (options.split === undefined)
    return Object.fromEntries(texts.map(([file, text]) => [file, `${comment}\n${text}`]));
  const imports = [...groups.keys()].map((file) => `import "./${file.replace(/\.ts$/, "")}";\n`);
  return { ...Object.fromEntries(texts), [PROGRAM]: `${comment}\n${imports.join("")}` };
}

function fileOf(split: Split | undefined): (pipe: ImportedPipe) => string {
  if (split === undefined) return () => PROGRAM;
  // Ids of services are UUIDs, and a file has a whole one: the beginnings of two may be the same.
  if (split === "service") return ({ serviceId }) => `service-${serviceId}.ts`;
  return (pipe) => `${kindOf(pipe).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
}

const kindOf = ({ args }: ImportedPipe): string => kindOfSource(args["source"]) ?? "other";

function fileText(pipes: readonly ImportedPipe[], options: ProgramOptions): string {
  const constants = SHARED.flatMap((shared) => constantOf(shared, pipes));
  const hasConfig = options.withCredentials && pipes.some((pipe) => credentialsOf(pipe).length > 0);
  const parts = [
    `${hasConfig ? 'import * as pulumi from "@pulumi/pulumi";\n' : ""}import * as datapipes from "pulumi-datapipes";\n`,
    ...(hasConfig ? ["const config = new pulumi.Config();\n"] : []),
    ...constants.map(({ name, values }) => `const ${name} = ${brokenObject(values)};\n`),
    ...pipes.map((pipe) => pipeCode(pipe, options, constants)),
  ];
  return parts.join("\n");
}

/** Where pipes have many values that are the same in most of them, and the name of the constant that has these. */
const SHARED = [
  { name: "pipeSettings", path: ["settings"] },
  { name: "postgresSettings", path: ["source", "postgres", "settings"] },
  { name: "scalingSettings", path: ["scaling"] },
] as const;

interface Constant {
  readonly name: string;
  readonly path: readonly string[];
  readonly values: PropertyMap;
}

/** The constant of the values that most pipes have; none if fewer than two pipes have all of its members. */
function constantOf(shared: Omit<Constant, "values">, pipes: readonly ImportedPipe[]): readonly Constant[] {
  const maps = pipes.map(({ args }) => valueAt(args, shared.path)).filter(isMap);
  const byValue = grouped(maps.flatMap(Object.entries<PropertyValue>), (entry) => JSON.stringify(entry));
  const repeated = [...byValue.values()].filter(({ length }) => length > 1);
  // The most frequent value of a member comes last, and wins; of several, the first.
  const sorted = repeated.toReversed().toSorted((one, other) => one.length - other.length);
  const constant = { ...shared, values: Object.fromEntries(sorted.flat()) };
  return sorted.length > 0 && maps.filter((map) => hasAll(map, constant)).length > 1 ? [constant] : [];
}

const hasAll = (map: PropertyMap, { values }: Constant): boolean =>
  Object.keys(values).every((name) => map[name] !== undefined);

/** The arguments with the constant, and the values that differ from it. */
function withConstant(args: PropertyMap, constant: Constant): PropertyMap {
  const { name, path, values } = constant;
  const own = valueAt(args, path);
  if (!isMap(own) || !hasAll(own, constant)) return args;
  const others = Object.entries(own).filter(([member, value]) => !isDeepStrictEqual(value, values[member]));
  const constantCode = new Expression(name);
  const members = { [SPREAD]: constantCode, ...Object.fromEntries(others) };
  return withPrinted(args, path, others.length === 0 ? constantCode : members);
}

const withPrinted = (args: PropertyMap, path: readonly string[], value: Printed): PropertyMap =>
  withValueAt(args, path, value as PropertyValue);

function pipeCode(
  pipe: ImportedPipe,
  { mode, withCredentials }: ProgramOptions,
  constants: readonly Constant[],
): string {
  const credentials = withCredentials ? credentialsOf(pipe) : [];
  const shared = constants.reduce(withConstant, pipe.args);
  const args = credentials.reduce((map, { path, value }) => withPrinted(map, path, value), shared);
  const members = { ...(mode === "adopt" && { adopt: pipe.id }), ...pipe.scope, ...args };
  return `new datapipes.Pipe(${textCode(pipe.logicalName)}, ${brokenObject(members)});\n`;
}

const ADOPT = `
 * \`adopt\` is the ID of the existing pipe that the resource adopts when it is new in the stack.
 * After that, you can keep or remove it.
 *`;
const DECLARED = `
 * The API does not return credentials: they are values of the configuration, set
 * with \`pulumi config set --secret <key>\`.`;
const UNDECLARED = `
 * No credentials are declared, because the API does not return them, and each
 * pipe keeps its own. To declare one, run \`pulumi config set --secret <key>\`,
 * and add it to the source, as in \`password: config.requireSecret("<key>")\`.`;

/** What stays true after the first run. */
const commentOf = ({ mode, withCredentials }: ProgramOptions): string =>
  `/**\n * Written by \`datapipes import\`.\n *${mode === "adopt" ? ADOPT : ""}${withCredentials ? DECLARED : UNDECLARED}\n */`;
