import { isMap, valueAt } from "../../lifecycle/property-value";
import { SOURCE_KINDS } from "../../resources/pipe/source-schema";
import { grouped } from "../grouped";
import { credentialsOf } from "./credentials";
import { UniqueNames } from "./names";
import {
  blockComment,
  brokenObject,
  codeOf,
  Expression,
  isObject,
  textCode,
  type Members,
  type Printed,
} from "./printer";
import type { ImportedPipe } from "./resources";

/** How the program is divided into files. */
export type Split = "kind" | "service";

export interface ProgramOptions {
  readonly mode: "import" | "adopt";
  readonly withCredentials: boolean;
  readonly split?: Split;
}

/** The command that sets a credential; `datapipes import` prints one for each key. */
export const SET_SECRET = "pulumi config set --secret";

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

const kindOf = ({ args: { source } }: ImportedPipe): string =>
  SOURCE_KINDS.find((kind) => isMap(source) && source[kind] !== undefined) ?? "other";

function fileText(pipes: readonly ImportedPipe[], options: ProgramOptions): string {
  const settings = sharedSettings(pipes);
  const declarations = [...settings].map(([value, name]) => {
    const start = `const ${name} = `;
    return `${start}${codeOf(JSON.parse(value) as Printed, "", start.length)};\n`;
  });
  const hasConfig = options.withCredentials && pipes.some((pipe) => credentialsOf(pipe).length > 0);
  const parts = [
    `${hasConfig ? 'import * as pulumi from "@pulumi/pulumi";\n' : ""}import * as datapipes from "pulumi-datapipes";\n`,
    ...(hasConfig ? ["const config = new pulumi.Config();\n"] : []),
    ...(declarations.length > 0 ? [declarations.join("")] : []),
    ...pipes.map((pipe) => pipeCode(pipe, options, settings)),
  ];
  return parts.join("\n");
}

/** Where a pipe has settings. */
const SETTINGS = [["settings"], ["source", "postgres", "settings"]] as const;

interface Settings {
  readonly pipe: ImportedPipe;
  readonly path: readonly string[];
  readonly json: string;
}

const settingsOf = (pipe: ImportedPipe): readonly Settings[] =>
  SETTINGS.filter((path) => isMap(valueAt(pipe.args, path))).map((path) => {
    return { pipe, path, json: JSON.stringify(valueAt(pipe.args, path)) };
  });

/** The names of constants by the JSON of the settings that several pipes have. */
function sharedSettings(pipes: readonly ImportedPipe[]): ReadonlyMap<string, string> {
  const names = new UniqueNames();
  const shared = [...grouped(pipes.flatMap(settingsOf), ({ json }) => json)].filter(
    ([, all]) => all.length > 1,
  );
  return new Map(
    shared.map(([json, all]) => {
      const [kind = "", ...others] = new Set(all.map(({ pipe }) => kindOf(pipe)));
      return [json, names.take(others.length === 0 ? `${kind}Settings` : "sharedSettings")];
    }),
  );
}

function pipeCode(
  pipe: ImportedPipe,
  { mode, withCredentials }: ProgramOptions,
  constants: ReadonlyMap<string, string>,
): string {
  const constantOf = ({ json }: Settings): string => constants.get(json) ?? "";
  const shared = settingsOf(pipe).filter((each) => constants.has(each.json));
  const replaced = [
    ...shared.map((each) => ({ path: each.path, value: new Expression(constantOf(each)) })),
    ...(withCredentials ? credentialsOf(pipe) : []),
  ];
  const args = replaced.reduce<Members>((map, { path, value }) => withMember(map, path, value), pipe.args);
  const members = { ...(mode === "adopt" && { adopt: pipe.id }), ...pipe.scope, ...args };
  return `new datapipes.Pipe(${textCode(pipe.logicalName)}, ${brokenObject(members)});\n`;
}

function withMember(members: Members, [name = "", ...rest]: readonly string[], value: Printed): Members {
  const member = members[name];
  const inner = rest.length === 0 ? value : withMember(isObject(member) ? member : {}, rest, value);
  return { ...members, [name]: inner };
}

const ADOPT = `
\`adopt\` names the pipe that a resource takes over when it is new in the stack.
After that, it may stay or go.
`;
const DECLARED = `
The API does not return credentials: they are values of the configuration, set
with \`pulumi config set --secret <key>\`.`;
const UNDECLARED = `
No credentials are declared, because the API does not return them, and each
pipe keeps its own. To declare one, run \`pulumi config set --secret <key>\`,
and add it to the source, as in \`password: config.requireSecret("<key>")\`.`;

/** What stays true after the first run. */
const commentOf = ({ mode, withCredentials }: ProgramOptions): string =>
  blockComment(
    `Written by \`datapipes import\`.\n${mode === "adopt" ? ADOPT : ""}${withCredentials ? DECLARED : UNDECLARED}`,
  );
