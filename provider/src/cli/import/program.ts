import { isDeepStrictEqual } from "node:util";
import * as typescript from "prettier/plugins/typescript";
import * as estree from "prettier/plugins/estree";
import { format } from "prettier/standalone";
import {
  isList,
  isMap,
  valueAt,
  type PropertyMap,
  type PropertyPath,
  type PropertyValue,
} from "../../lifecycle/property-value";
import { describeFailure } from "../../lifecycle/validation";
import { printable, printableLines } from "../../messages/printable";
import type { Credential } from "./credentials";
import type { UniqueNames } from "./names";
import type { ImportedPipe } from "./resources";

/** What the program is to contain beside the pipes. */
export interface ProgramOptions {
  readonly mode: "import" | "adopt";
  readonly withCredentials: boolean;
  /** The credentials of each pipe, by the pipe's id. */
  readonly credentials: ReadonlyMap<string, readonly Credential[]>;
  /** Ids of organizations and services that the configuration does not give, with the names of their constants. */
  readonly constants: ReadonlyMap<string, string>;
  readonly variables: UniqueNames;
  /** The commands that bring the pipes under Pulumi. */
  readonly commands: readonly string[];
  /** Called after each pipe. */
  readonly written: (count: number) => void;
}

/** The command that sets a credential; `datapipes import` prints one for each key. */
export const SET_SECRET = "pulumi config set --secret";

/** A text that long is a constant if several pipes have it: a certificate, not the address of a broker. */
const MIN_CONSTANT_LENGTH = 100;

/** The text of `index.ts`. */
export async function programOf(pipes: readonly ImportedPipe[], options: ProgramOptions): Promise<string> {
  const shared = sharedTexts(pipes, options.variables);
  const constants = [...options.constants, ...shared].map(
    ([text, name]) => `const ${name} = ${textCode(text)};`,
  );
  const needsConfig = declaredCredentials(options).length > 0;
  const imports = ['import * as datapipes from "pulumi-datapipes";'];
  if (needsConfig) imports.unshift('import * as pulumi from "@pulumi/pulumi";');
  const head = [
    header(pipes, options),
    imports.join("\n"),
    ...(needsConfig ? ["const config = new pulumi.Config();"] : []),
    constants.join("\n"),
  ];
  const parts = [await formatted(head.filter((part) => part !== "").join("\n\n"))];
  for (const [index, pipe] of pipes.entries()) {
    parts.push(await formatted(pipeCode(pipe, options, new Map([...options.constants, ...shared]))));
    options.written(index + 1);
  }
  return parts.join("\n");
}

/** The credentials that the program declares. */
export const declaredCredentials = ({
  withCredentials,
  credentials,
}: Pick<ProgramOptions, "withCredentials" | "credentials">) =>
  withCredentials ? [...credentials.values()].flat().filter(({ isUpdatable }) => isUpdatable) : [];

const formatted = (code: string): Promise<string> =>
  format(code, { parser: "typescript", plugins: [typescript, estree], printWidth: 100 });

function header(pipes: readonly ImportedPipe[], { mode, withCredentials, commands }: ProgramOptions): string {
  const services = new Set(pipes.map(({ serviceId }) => serviceId)).size;
  const lines = [
    `${count(pipes.length, "pipe")} of ${count(services, "service")}, written by \`datapipes import\`.`,
    "",
    mode === "import"
      ? "The stack does not manage the pipes yet. These commands bring them under Pulumi without a change:"
      : "Each pipe names the existing pipe that it adopts. These commands bring them under Pulumi without a change:",
    "",
    ...commands.filter((command) => !command.includes(SET_SECRET)).map((command) => `    ${command}`),
    "",
    mode === "adopt" ? "After that, `adopt` may stay or go." : IMPORT_FIRST,
    withCredentials
      ? `The API does not return credentials. Set them with \`${SET_SECRET} <key>\` first: the first update sends them.`
      : "The API does not return credentials. A pipe keeps those that it has until the program declares others.",
  ];
  return blockComment(lines);
}

/** A comment whose text cannot end it. */
const blockComment = (lines: readonly string[]): string =>
  `/**\n${lines.map((line) => ` * ${printableLines(line).replaceAll(/\n/g, " ").replaceAll("*/", "*\\/")}`.trimEnd()).join("\n")}\n */`;

/** A comment of one line. */
const lineComment = (text: string): string => `// ${printable(text)}`;

/** For programs of the mode "import". */
export const IMPORT_FIRST =
  "Do not run `pulumi up` before `pulumi import`: it would create each pipe a second time.";

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;

type Constants = ReadonlyMap<string, string>;

function pipeCode(pipe: ImportedPipe, options: ProgramOptions, all: Constants): string {
  const { mode, constants } = options;
  const { variable, logicalName, id, inputs } = pipe;
  const scope = ["organizationId", "serviceId"].flatMap((name) => {
    const value = inputs[name];
    const constant = typeof value === "string" ? constants.get(value) : undefined;
    if (constant === undefined) return [];
    return [constant === name ? name : `${name}: ${constant}`];
  });
  const writer = new ArgumentsWriter(pipe, options, all);
  const members = [
    ...(mode === "adopt" ? [`adopt: ${textCode(id)}`] : []),
    ...scope,
    ...writer.members(pipe.args, []),
  ];
  return `const ${variable} = new datapipes.Pipe(${textCode(logicalName)}, {\n${members.join(",\n")}\n});`;
}

/** Writes the arguments of a pipe, with its credentials and with comments. */
class ArgumentsWriter {
  readonly #credentials: readonly Credential[];

  constructor(
    private readonly pipe: ImportedPipe,
    private readonly options: ProgramOptions,
    private readonly constants: Constants,
  ) {
    this.#credentials = options.credentials.get(pipe.id) ?? [];
  }

  members(map: PropertyMap, path: readonly string[]): readonly string[] {
    const members = Object.entries(map).map(([name, value]) => {
      const comment = name === "reversePrivateEndpointIds" ? COMMENT_ON_ENDPOINTS : "";
      return `${comment}${nameCode(name)}: ${this.#code(value, [...path, name])}`;
    });
    const credentials = this.#credentials.filter((credential) => isParent(path, credential.path));
    const declared = credentials.filter(({ isUpdatable }) => isUpdatable && this.options.withCredentials);
    const comments = [
      ...credentials.filter((credential) => !declared.includes(credential)).map(commentOnCredential),
      ...this.pipe.undeclared
        .filter((failure) => isDeepStrictEqual(path, nearestObject(this.pipe.args, failure.path)))
        .map(commentOnValue),
    ];
    const all = [...members, ...declared.map(({ name, code }) => `${name}: ${code}`)];
    return comments.length === 0
      ? all
      : [...all.slice(0, -1), `${all.at(-1) ?? ""},\n${comments.join("\n")}\n`];
  }

  #code(value: PropertyValue, path: readonly string[]): string {
    if (isList(value))
      return `[${value.map((element) => this.#code(element, [...path, ...ELEMENT])).join(", ")}]`;
    if (isMap(value))
      return `{${path.length <= EXPANDED_DEPTH ? "\n" : " "}${this.members(value, path).join(",\n")}}`;
    return typeof value === "string" ? (this.constants.get(value) ?? textCode(value)) : JSON.stringify(value);
  }
}

/** Added to the path of a list: its elements fill lines. */
const ELEMENT = ["", ""];
/** Objects so deep have one member a line, also where one line could hold all of them. */
const EXPANDED_DEPTH = 2;

const COMMENT_ON_ENDPOINTS = "// Ids of reverse private endpoints, which the API cannot list.\n";

function commentOnCredential({ name, code, isUpdatable, isReturned }: Credential): string {
  const unknown = isReturned
    ? `// ${name} is a credential: no file may contain it`
    : `// The API does not return ${name}`;
  return isUpdatable
    ? `${unknown}. The pipe keeps what it has until you declare:\n//   ${name}: ${code.replaceAll("config.", "new pulumi.Config().")},`
    : `${unknown}, and no update can set this field: leave it out.`;
}

const commentOnValue = (failure: ImportedPipe["undeclared"][number]): string =>
  lineComment(`Not declared: ${describeFailure(failure)}`);

/** The innermost object on a path that the program has: the others would be empty. */
const nearestObject = (args: PropertyMap, path: PropertyPath): PropertyPath =>
  path
    .map((_, index) => path.slice(0, path.length - 1 - index))
    .find((parent) => isMap(valueAt(args, parent))) ?? [];

const isParent = (parent: readonly string[], path: PropertyPath): boolean =>
  path.length === parent.length + 1 && parent.every((name, index) => name === path[index]);

/** Long texts that several pipes have, with the names of their constants. */
function sharedTexts(pipes: readonly ImportedPipe[], variables: UniqueNames): ReadonlyMap<string, string> {
  const fields = new Map<string, { readonly name: string; readonly pipes: number }>();
  for (const { args } of pipes) {
    for (const [text, name] of longTexts(args))
      fields.set(text, { name, pipes: (fields.get(text)?.pipes ?? 0) + 1 });
  }
  const shared = [...fields].filter(([, { pipes: number }]) => number > 1);
  return new Map(shared.map(([text, { name }]) => [text, variables.take(name)]));
}

const longTexts = (map: PropertyMap): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(map).flatMap(([name, value]): [string, string][] => {
      if (isMap(value)) return [...longTexts(value)];
      return typeof value === "string" && value.length >= MIN_CONSTANT_LENGTH ? [[value, name]] : [];
    }),
  );

/** The name of a member. Names of the API document need no quotes. */
const nameCode = (name: string): string => (/^[A-Za-z]\w*$/.test(name) ? name : textCode(name));

/** A text as a literal. What a reader could not see in it is escaped. */
const textCode = (text: string): string =>
  JSON.stringify(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
