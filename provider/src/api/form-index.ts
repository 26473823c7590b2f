/** Forms that a text is searched for begin with at least so many characters of their own. */
const HEAD_LENGTH = 4;

/**
 * Many texts, of which the longest is to be found that begins at a place of another text. Connection strings of one account begin with the
 * same hundred characters, so no place may be compared with each of them: they are sorted, and a place is compared with few.
 */
export class FormIndex {
  /** In the order of their characters, each once. */
  readonly forms: readonly string[];
  /** How long the longest one is. */
  readonly longest: number;
  /** For each form the number of the longest other one that it begins with, or -1. */
  readonly #beginsWith: readonly number[];
  readonly #heads: ReadonlySet<string>;

  constructor(forms: Iterable<string>) {
    // The default order of `sort` is that of `<`, which the search goes by.
    this.forms = [...new Set(forms)].sort();
    this.longest = this.forms.reduce((longest, { length }) => Math.max(longest, length), 0);
    this.#heads = new Set(this.forms.map((form) => form.slice(0, HEAD_LENGTH)));
    this.#beginsWith = beginnings(this.forms);
  }

  get size(): number {
    return this.forms.length;
  }

  /** The length of the longest form that begins at this place, or 0. */
  longestAt(text: string, at: number): number {
    if (!this.#heads.has(text.slice(at, at + HEAD_LENGTH))) return 0;
    // All forms that begin at this place stand before what stands there, and what is between begins with them.
    let number = this.#lastNotAfter(text.slice(at, at + this.longest));
    while (number >= 0 && !text.startsWith(this.forms[number] ?? "", at))
      number = this.#beginsWith[number] ?? -1;
    return this.forms[number]?.length ?? 0;
  }

  /** How many characters at this place are the beginning of a form, or 0 where they are fewer than `HEAD_LENGTH`. */
  commonAt(text: string, at: number): number {
    if (!this.#heads.has(text.slice(at, at + HEAD_LENGTH))) return 0;
    const piece = text.slice(at, at + this.longest);
    const number = this.#lastNotAfter(piece);
    // In the order of characters, the forms that share most with a text are its neighbours.
    return Math.max(inCommon(piece, this.forms[number]), inCommon(piece, this.forms[number + 1]));
  }

  #lastNotAfter(piece: string): number {
    let [low, high] = [0, this.forms.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.forms[middle] ?? "") <= piece) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function inCommon(one: string, other = ""): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}

function beginnings(sorted: readonly string[]): readonly number[] {
  const open: number[] = [];
  return sorted.map((form, number) => {
    while (open.length > 0 && !form.startsWith(sorted[open.at(-1) ?? 0] ?? "")) open.pop();
    const found = open.at(-1) ?? -1;
    open.push(number);
    return found;
  });
}
