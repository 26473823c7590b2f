import { isIdentifierName, isKeyword, isStrictBindReservedWord } from "@babel/helper-validator-identifier";
import { camelCase, upperFirst, words } from "es-toolkit/string";

/** Names that a module of a program cannot declare, or that the generated program uses. */
const RESERVED = ["pulumi", "datapipes", "config", "exports", "require", "module", "await"];

/** Whether a variable of this name would hide a global one, such as `process` or `console`. */
const isGlobal = (name: string): boolean => name in globalThis;

/** Logical names that every shell and every URN can contain as they are, and of which a reader sees each character. */
const PLAIN_NAME =
  /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}](?:[\p{L}\p{N}\p{M} ._-]{0,98}[\p{L}\p{N}\p{M}])?$/u;

/** What an identifier cannot have, or what a reader cannot see in it. */
const BETWEEN_WORDS = /(?:[^\p{ID_Start}\p{N}]|\p{Default_Ignorable_Code_Point})+/gu;

/** How many characters of an id follow a name that is taken. */
const ID_CHARACTERS = 8;
const MAX_VARIABLE = 60;

/** Names of which each is given once. */
export class UniqueNames {
  readonly #taken: Set<string>;

  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken);
  }

  /** The first of the names that is free; numbers follow the last one if none is. */
  take(...names: readonly [string, ...string[]]): string {
    const free = names.find((name) => !this.#taken.has(name)) ?? this.#numbered(names.at(-1) ?? "");
    this.#taken.add(free);
    return free;
  }

  #numbered(name: string, number = 2): string {
    const numbered = `${name}${number}`;
    return this.#taken.has(numbered) ? this.#numbered(name, number + 1) : numbered;
  }
}

export interface NamedPipe {
  readonly id: string;
  readonly name?: unknown;
  readonly createdAt?: unknown;
}

/** The names of one pipe in the program. */
export interface ProgramNames {
  readonly variable: string;
  readonly logicalName: string;
}

/** The names that a program has for variables. */
export const variableNames = (): UniqueNames => new UniqueNames(RESERVED);

/**
 * The names of pipes by id. Of pipes with one name, the oldest has the plain name, and the others have the beginning of their ids behind it,
 * so that a pipe created later does not change the names of those before. `taken` are logical names that a stack has.
 */
export function namesOf(
  pipes: readonly NamedPipe[],
  variables: UniqueNames,
  taken: readonly string[] = [],
): ReadonlyMap<string, ProgramNames> {
  const logicalNames = new UniqueNames(taken);
  return new Map(
    pipes.toSorted(byAge).map((pipe) => {
      const { id, name } = pipe;
      // Ids are UUIDs: letters and digits.
      const start = id.replaceAll("-", "").slice(0, ID_CHARACTERS);
      const text = typeof name === "string" ? name.normalize() : "";
      const plain = variableOf(text);
      const variable = variables.take(
        plain ?? `pipe${upperFirst(start)}`,
        `${plain ?? "pipe"}${upperFirst(start)}`,
      );
      const isPlain = PLAIN_NAME.test(text);
      const logicalName = logicalNames.take(
        isPlain ? text : variable,
        `${isPlain ? text : variable}-${start}`,
      );
      return [id, { variable, logicalName }];
    }),
  );
}

/** The words of a text: letters and digits. */
export const wordsOf = (text: string): readonly string[] => words(text.replaceAll(BETWEEN_WORDS, " "));

const inCamelCase = (text: string): string =>
  camelCase(text.replaceAll(BETWEEN_WORDS, " ")).slice(0, MAX_VARIABLE);

/** The beginning of an identifier, in camelCase. */
export function identifierOf(text: string): string | undefined {
  const name = inCamelCase(text);
  return isIdentifierName(name) ? name : undefined;
}

/** A text as an identifier in camelCase; undefined if it has no letter and no digit for one. */
function variableOf(text: string): string | undefined {
  const plain = inCamelCase(text);
  if (plain === "") return undefined;
  const isUsable = isIdentifierName(plain) && !isKeyword(plain) && !isStrictBindReservedWord(plain, true);
  if (isUsable && !RESERVED.includes(plain) && !isGlobal(plain)) return plain;
  const name = isIdentifierName(plain) ? `${plain}Pipe` : camelCase(`pipe ${plain}`);
  return isIdentifierName(name) ? name : undefined;
}

function byAge(one: NamedPipe, other: NamedPipe): number {
  const [a, b] = [one, other].map(
    ({ createdAt, id }) => `${typeof createdAt === "string" ? createdAt : ""} ${id}`,
  );
  return a === b ? 0 : (a ?? "") < (b ?? "") ? -1 : 1;
}
