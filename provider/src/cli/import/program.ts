import { isDeepStrictEqual } from "node:util";
import type { Field } from "../../lifecycle/comparison/fields";
import {
  isMap,
  valueAt,
  withValueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/comparison/property-value";
import { kindOfSource } from "../../resources/pipe/loads";
import { pipeFields } from "../../resources/pipe/schema";
import { SOURCE_KINDS } from "../../resources/pipe/source-schema";
import { grouped } from "../grouped";
import { credentialsOf } from "./credentials";
import { UniqueNames } from "./names";
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
  const scopes = scopesOf(pipes);
  const constants = SHARED.flatMap((shared) => constantOf(shared, pipes));
  const hasConfig = options.withCredentials && pipes.some((pipe) => credentialsOf(pipe).length > 0);
  const parts = [
    `${hasConfig ? 'import * as pulumi from "@pulumi/pulumi";\n' : ""}import * as datapipes from ` +
      `"pulumi-datapipes";\n`,
    ...(hasConfig ? ["const config = new pulumi.Config();\n"] : []),
    ...(scopes.size === 0
      ? []
      : [[...scopes].map(([id, name]) => `const ${name} = ${textCode(id)};\n`).join("")]),
    ...constants.map(({ name, values }) => `const ${name} = ${brokenObject(values)};\n`),
    ...pipes.map((pipe) => pipeCode(pipe, options, { scopes, constants })),
  ];
  return parts.join("\n");
}

/** The names of the constants for the IDs that several pipes declare, by ID. */
function scopesOf(pipes: readonly ImportedPipe[]): ReadonlyMap<string, string> {
  const names = new UniqueNames();
  const byId = grouped(
    pipes.flatMap(({ scope }) => Object.entries(scope)),
    ([, id]) => id,
  );
  const repeated = [...byId].filter(([, { length }]) => length > 1);
  return new Map(repeated.map(([id, [[name] = [""]]]) => [id, names.take(name, name)]));
}

/** Where pipes have values that are the same in several of them, or in most of them, and the name of the constant that has these. */
interface Shared {
  readonly name: string;
  readonly path: readonly string[];
  readonly byMost?: true;
}

const SHARED: readonly Shared[] = [
  { name: "pipeSettings", path: ["settings"] },
  { name: "postgresSettings", path: ["source", "postgres", "settings"] },
  { name: "scalingSettings", path: ["scaling"] },
  ...SOURCE_KINDS.map((kind): Shared => ({ name: `${kind}Source`, path: ["source", kind], byMost: true })),
  { name: "destination", path: ["destination"], byMost: true },
];

interface Constant extends Shared {
  readonly values: PropertyMap;
}

/** The constant of the most frequent values; none if fewer than two pipes have all of its members. */
function constantOf(shared: Shared, pipes: readonly ImportedPipe[]): readonly Constant[] {
  const maps = pipes.map(({ args }) => valueAt(args, shared.path)).filter(isMap);
  const least = shared.byMost ? Math.max(2, maps.length / 2) : 2;
  const entries = membersOf(shared.path).flatMap(
    ({ name }): readonly (readonly [string, PropertyValue])[] => {
      const values = maps.map((map) => map[name]).filter(isScalar);
      const [most = []] = [...grouped(values, (value) => JSON.stringify(value)).values()].toSorted(
        (one, other) => other.length - one.length,
      );
      return most.length < least ? [] : [[name, most[0]]];
    },
  );
  const constant = { ...shared, values: Object.fromEntries(entries) };
  return entries.length > 0 && maps.filter((map) => hasAll(map, constant)).length > 1 ? [constant] : [];
}

/** The members of an object, in the order of the reference. */
const membersOf = (path: readonly string[]): readonly Field[] =>
  path.reduce<readonly Field[]>(
    (fields, step) => fields.find(({ name }) => name === step)?.members ?? [],
    pipeFields,
  );

const isScalar = (value: PropertyValue): boolean => value !== undefined && typeof value !== "object";

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
  {
    scopes,
    constants,
  }: { readonly scopes: ReadonlyMap<string, string>; readonly constants: readonly Constant[] },
): string {
  const credentials = withCredentials ? credentialsOf(pipe) : [];
  const declared = credentials.reduce((map, { path, value }) => withPrinted(map, path, value), pipe.args);
  const args = constants.reduce(withConstant, declared);
  const scope = Object.entries(pipe.scope).map(([name, id]): [string, Printed] => {
    const constant = scopes.get(id);
    return [name, constant === undefined ? id : new Expression(constant)];
  });
  const members = { ...(mode === "adopt" && { adopt: pipe.id }), ...Object.fromEntries(scope), ...args };
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
