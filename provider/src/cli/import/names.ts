/** Logical names that every shell and every URN can contain as they are, and of which a reader sees each character. */
const PLAIN_NAME =
  /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}](?:[\p{L}\p{N}\p{M} ._-]{0,98}[\p{L}\p{N}\p{M}])?$/u;

/** What a key of the configuration does not have, or what a reader cannot see in it. */
const BETWEEN_WORDS = /(?:[^\p{ID_Start}\p{N}]|\p{Default_Ignorable_Code_Point})+/gu;

/** How many characters of an ID follow a name that is taken; services build names with as many. */
export const ID_CHARACTERS = 8;
const MAX_LENGTH = 60;

/** Names of which each is given once. */
export class UniqueNames {
  readonly #taken: Set<string>;

  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken);
  }

  /** The name if it is free, else the other one; numbers follow the other one if both are taken. */
  take(name: string, other: string): string {
    let free = this.#taken.has(name) ? other : name;
    for (let number = 2; this.#taken.has(free); number += 1) free = `${other}${number}`;
    this.#taken.add(free);
    return free;
  }
}

export interface NamedPipe {
  readonly id: string;
  readonly name?: unknown;
  readonly createdAt?: unknown;
}

/** The names of one pipe in the program. */
export interface ProgramNames {
  readonly logicalName: string;
  /** Letters and digits: what the keys of its credentials begin with, and its name in the file of `pulumi import`. */
  readonly prefix: string;
}

/**
 * The names of pipes by id. Of pipes with one name, the oldest has the plain name, and the others have the beginning of their ids behind it,
 * so that a pipe created later does not change the names of those before. `taken` are logical names that a stack has.
 */
export function namesOf(
  pipes: readonly NamedPipe[],
  taken: readonly string[] = [],
): ReadonlyMap<string, ProgramNames> {
  const logicalNames = new UniqueNames(taken);
  const prefixes = new UniqueNames();
  return new Map(
    pipes
      .toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1))
      .map(({ id, name }) => {
        // Ids are UUIDs: letters and digits.
        const start = id.replaceAll("-", "").slice(0, ID_CHARACTERS);
        const text = typeof name === "string" ? name.normalize().trim() : "";
        const plain = inCamelCase(text);
        const prefix = prefixes.take(plain === "" ? `pipe${start}` : plain, `${plain}${start}`);
        const readable = PLAIN_NAME.test(text) ? text : prefix;
        return [id, { prefix, logicalName: logicalNames.take(readable, `${readable}-${start}`) }];
      }),
  );
}

const inCamelCase = (text: string): string =>
  text
    .replaceAll(BETWEEN_WORDS, " ")
    .trim()
    .replace(/^./u, (letter) => letter.toLowerCase())
    .replaceAll(/ (.)/gu, (_, letter: string) => letter.toUpperCase())
    .slice(0, MAX_LENGTH)
    // Another case of a letter may have a mark, and the last character may be cut in half.
    .replaceAll(/[^\p{L}\p{N}]/gu, "");

const ageOf = ({ createdAt, id }: NamedPipe): string =>
  `${typeof createdAt === "string" ? createdAt : ""} ${id}`;
