import { isDeepStrictEqual } from "node:util";
import {
  isList,
  isMap,
  valueAt,
  type PropertyMap,
  type PropertyPath,
  type PropertyValue,
} from "../../lifecycle/property-value";
import { describeFailure } from "../../lifecycle/validation";
import type { Constants } from "./constants";
import type { Credential, Login } from "./credentials";
import { lineComment, nameCode, textCode } from "./literals";
import type { ImportedPipe } from "./resources";

/** How pipes are written. */
export interface PipeCode {
  readonly mode: "import" | "adopt";
  readonly withCredentials: boolean;
  /** The credentials of each pipe, by the pipe's id. */
  readonly credentials: ReadonlyMap<string, readonly Credential[]>;
  /** Ids of organizations and services that the configuration does not give, with the names of their constants. */
  readonly scopes: ReadonlyMap<string, string>;
  readonly constants: Constants;
  /** The logins that are constants, with their names. */
  readonly logins: ReadonlyMap<Login, string>;
}

export function pipeCode(pipe: ImportedPipe, options: PipeCode): string {
  const { mode, scopes } = options;
  const { variable, logicalName, id, inputs } = pipe;
  const scope = ["organizationId", "serviceId"].flatMap((name) => {
    const value = inputs[name];
    const constant = typeof value === "string" ? scopes.get(value) : undefined;
    if (constant === undefined) return [];
    return [constant === name ? name : `${name}: ${constant}`];
  });
  const members = [
    ...(mode === "adopt" ? [`adopt: ${textCode(id)}`] : []),
    ...scope,
    ...new ArgumentsWriter(pipe, options).members(pipe.args, []),
  ];
  return `const ${variable} = new datapipes.Pipe(${textCode(logicalName)}, {\n${members.join(",\n")}\n});`;
}

/** Writes the arguments of a pipe, with its credentials and with comments. */
class ArgumentsWriter {
  readonly #credentials: readonly Credential[];

  constructor(
    private readonly pipe: ImportedPipe,
    private readonly options: PipeCode,
  ) {
    this.#credentials = options.credentials.get(pipe.id) ?? [];
  }

  members(map: PropertyMap, path: readonly string[]): readonly string[] {
    const members = Object.entries(map).map(([name, value]) => {
      const inner = [...path, name];
      const constant = this.options.constants.at(inner, value)?.name;
      const comment = constant === undefined ? commentOn(name) : "";
      return `${comment}${nameCode(name)}: ${constant ?? this.#code(value, inner)}`;
    });
    const credentials = this.#credentials.filter((credential) => isParent(path, credential.path));
    const declared = credentials.filter(({ isUpdatable }) => isUpdatable && this.options.withCredentials);
    const comments = [
      ...credentials.filter((credential) => !declared.includes(credential)).map(commentOnCredential),
      ...this.pipe.undeclared
        .filter((failure) => isDeepStrictEqual(path, this.#writtenObject(failure.path)))
        .map(commentOnValue),
    ];
    const all = [
      ...members,
      ...declared.map(({ name, login }) => `${name}: ${this.options.logins.get(login) ?? login.code}`),
    ];
    return comments.length === 0
      ? all
      : [...all.slice(0, -1), `${all.at(-1) ?? ""},\n${comments.join("\n")}\n`];
  }

  #code(value: PropertyValue, path: readonly string[]): string {
    if (isList(value))
      return `[${value.map((element) => this.#code(element, [...path, ...ELEMENT])).join(", ")}]`;
    if (isMap(value)) return `{${isExpanded(path) ? "\n" : " "}${this.members(value, path).join(",\n")}}`;
    return typeof value === "string" ? textCode(value) : JSON.stringify(value);
  }

  /** The innermost object on a path that is written with the pipe: the others would be empty, or are constants. */
  #writtenObject(path: PropertyPath): PropertyPath {
    const { args } = this.pipe;
    const parents = path.map((_, index) => path.slice(0, path.length - 1 - index));
    const isConstant = (parent: PropertyPath): boolean =>
      parent.some((_, index) => {
        const outer = parent.slice(0, index + 1).map(String);
        return this.options.constants.at(outer, valueAt(args, outer)) !== undefined;
      });
    return parents.find((parent) => isMap(valueAt(args, parent)) && !isConstant(parent)) ?? [];
  }
}

/** Added to the path of a list: its elements fill lines. */
const ELEMENT = ["", "", ""];

/** A source has one member a line, also where one line could hold all of them. */
const isExpanded = ([first, ...others]: readonly string[]): boolean =>
  first === "source" && others.length < 2;

/** What precedes a field, or the constant of its value, in which there are no comments. */
export const commentOn = (field: string, isConstant = false): string =>
  field === "reversePrivateEndpointIds"
    ? "// Ids of reverse private endpoints, which the API cannot list.\n"
    : field === "schemaRegistry" && isConstant
      ? "// The API does not return credentials, and no update can set them: leave them out.\n"
      : "";

/** The header says what such a comment is for. */
function commentOnCredential({ name, login, isUpdatable, isReturned }: Credential): string {
  const declaration = `//   ${name}: ${login.code},`;
  if (isUpdatable && !isReturned) return declaration;
  const unknown = isReturned
    ? `// ${name} is a credential: no file may contain it`
    : `// The API does not return ${name}`;
  return isUpdatable
    ? `${unknown}. The pipe keeps what it has until you declare:\n${declaration}`
    : `${unknown}, and no update can set this field: leave it out.`;
}

const commentOnValue = (failure: ImportedPipe["undeclared"][number]): string =>
  lineComment(`Not declared: ${describeFailure(failure)}`);

const isParent = (parent: readonly string[], path: PropertyPath): boolean =>
  path.length === parent.length + 1 && parent.every((name, index) => name === path[index]);
