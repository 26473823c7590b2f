/** Each text begins with so many characters of its own, and is searched for by them first. */
const PREFIX_LENGTH = 4;

/**
 * Texts to search for, in the order of their characters: of thousands, as of connection strings that begin with the same 100 characters, few
 * are compared with a part of a text.
 */
export class SortedTexts {
  readonly #texts: string[] = [];
  readonly #prefixes = new Set<string>();
  #longest = 0;

  /** The length of the longest one. */
  get longest(): number {
    return this.#longest;
  }

  add(texts: readonly string[]): void {
    for (const text of texts) {
      const count = this.#countUpTo(text);
      if (this.#texts[count - 1] !== text) this.#texts.splice(count, 0, text);
      this.#prefixes.add(text.slice(0, PREFIX_LENGTH));
      this.#longest = Math.max(this.#longest, text.length);
    }
  }

  /** The length of the longest one that a text has at this index, or 0. */
  longestAt(text: string, index: number): number {
    let part = this.#partOf(text, index);
    while (part !== "") {
      const nearest = this.#texts[this.#countUpTo(part) - 1] ?? "";
      if (part.startsWith(nearest)) return nearest.length;
      // Whatever else the part begins with, the nearest one begins with it, too.
      part = part.slice(0, commonLength(nearest, part));
    }
    return 0;
  }

  /** How many characters of the text at this index one of them begins with, or 0. */
  commonAt(text: string, index: number): number {
    const part = this.#partOf(text, index);
    if (part === "") return 0;
    const count = this.#countUpTo(part);
    const neighbours = this.#texts.slice(Math.max(0, count - 1), count + 1);
    return Math.max(...neighbours.map((neighbour) => commonLength(neighbour, part)));
  }

  #partOf(text: string, index: number): string {
    const isPossible = this.#prefixes.has(text.slice(index, index + PREFIX_LENGTH));
    return isPossible ? text.slice(index, index + this.#longest) : "";
  }

  /** How many of them are not after a text. */
  #countUpTo(text: string): number {
    let [low, high] = [0, this.#texts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#texts[middle] ?? "") <= text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function commonLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let length = 0;
  while (length < end && one[length] === other[length]) length += 1;
  return length;
}
