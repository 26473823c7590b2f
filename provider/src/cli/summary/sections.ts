/** A part of a summary under a heading. */
export interface Section {
  readonly heading: string;
  /** Each with a first line, and lines about it. */
  readonly items: readonly (readonly string[])[];
  /** Of a text that is too long, the parts of the least importance are left out first. */
  readonly importance: number;
}

/** Begins and ends a line that says that something is deleted, which is left out last. */
export const DELETES = "**";

/** Whether a line about an item begins with the mark: values in it may have the same characters. */
const saysDeleted = (line: string): boolean => line.startsWith(`  - ${DELETES}`);

/** What is left of a section in a text that would be too long. */
class ShortenedSection {
  readonly #items: (readonly string[])[];
  #omitted = 0;

  constructor(readonly section: Section) {
    this.#items = [...section.items];
  }

  get text(): string {
    if (this.section.items.length === 0) return "";
    const more = this.#omitted === 0 ? [] : [`- … and ${this.#omitted} more`];
    return [`#### ${this.section.heading}\n`, ...this.#items.flat(), ...more].join("\n");
  }

  /** Leaves out lines from the end until so many characters are gone: first what is said about the items, then the items. */
  shorten(excess: number): number {
    let gone = 0;
    for (let index = this.#items.length - 1; index >= 0 && gone < excess; index -= 1) {
      const [first = "", ...others] = this.#items[index] ?? [];
      const kept = others.filter(saysDeleted);
      const omitted = others.filter((line) => !saysDeleted(line));
      this.#items[index] = [first, ...kept];
      gone += lengthOf(omitted);
    }
    while (this.#items.length > 0 && (gone < excess || (this.#omitted > 0 && gone < excess + MORE.length))) {
      gone += lengthOf(this.#items.pop() ?? []);
      this.#omitted += 1;
    }
    return this.#omitted === 0 ? gone : gone - MORE.length;
  }
}

/** As long as the line that counts what is left out, or longer. */
const MORE = "- … and 1000000 more\n";

const lengthOf = (lines: readonly string[]): number =>
  lines.reduce((length, line) => length + line.length + 1, 0);

const TOO_LONG = "… The summary is too long for a comment: see the log of the job for what is left out.";

/** The text of a head and its sections up to a length. Services refuse a comment that is too long. */
export function fitted(head: readonly string[], sections: readonly Section[], maxLength: number): string {
  const shortened = sections.map((section) => new ShortenedSection(section));
  const textOf = (end: readonly string[]): string =>
    `${[...head, ...shortened.map(({ text }) => text).filter((text) => text !== ""), ...end].join("\n\n")}\n`;
  const whole = textOf([]);
  if (whole.length <= maxLength) return whole;
  let excess = textOf([TOO_LONG]).length - maxLength;
  for (const part of shortened.toSorted((one, other) => one.section.importance - other.section.importance))
    if (excess > 0) excess -= part.shorten(excess);
  return textOf([TOO_LONG]);
}
