import { normalized } from "./normalized-text";
import { formsOfSecret, linesOf, MIN_PART_LENGTH, MIN_SECRET_LENGTH } from "./secret-forms";
import { SortedTexts } from "./sorted-texts";

/** Where a text repeats the beginning of a secret, but neither all of it nor cut, so many of these characters are compared again. */
const MAX_COMPARED_AGAIN = 128;

/** A part of a text. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Finds secrets in texts, in every form in which a server or a library may have written them. */
export class SecretSearch {
  /** Forms to search for in the text itself: what it has before a secret may make an escape of the secret's first character. */
  readonly #exact = new SortedTexts();
  readonly #normalized = new SortedTexts();
  /** The normalized forms from end to beginning, for secrets whose beginning was cut. */
  readonly #reversed = new SortedTexts();

  add(secrets: readonly string[]): void {
    for (const secret of secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH)) {
      const forms = formsOfSecret(secret);
      const normalizedForms = [...forms, ...linesOf(secret)].map((form) => normalized(form).text.trim());
      const unique = [...new Set(normalizedForms)].filter(({ length }) => length >= MIN_SECRET_LENGTH);
      this.#exact.add(forms);
      this.#normalized.add(unique);
      this.#reversed.add(unique.map(reversed));
    }
  }

  /** The length of the longest form. */
  get longest(): number {
    return this.#exact.longest;
  }

  /** Where a text has secrets, or parts of some that the server cut; the ranges may overlap. */
  rangesIn(text: string): readonly Range[] {
    if (this.longest === 0) return [];
    const { text: plain, indexes } = normalized(text);
    const original = (index: number): number => indexes[index] ?? text.length;
    const ranges = [
      ...wholeRanges(this.#normalized, plain),
      ...cutRanges(this.#normalized, plain, CUT_AFTER),
      ...cutRanges(this.#reversed, reversed(plain), CUT_BEFORE).map(({ from, to }) => ({
        from: plain.length - to,
        to: plain.length - from,
      })),
    ];
    return [
      ...wholeRanges(this.#exact, text),
      ...ranges.map(({ from, to }) => ({ from: original(from), to: original(to) })),
    ];
  }
}

function wholeRanges(texts: SortedTexts, text: string): readonly Range[] {
  const ranges: Range[] = [];
  for (let from = 0; from < text.length; from += 1) {
    const length = texts.longestAt(text, from);
    if (length > 0) ranges.push({ from, to: from + length });
  }
  return ranges;
}

/** What follows the beginning of a cut secret: dots, or the end of the text or of a string in it, after the bytes of half a character. */
const CUT_AFTER = /[\u0080-\u00ff\ufffd]{0,3}[ "'`)\]}>]{0,8}(?:[.!]? ?$|…|\.\.|\[)|"[ ,}\]]/y;
/** The same before the end of a cut secret, in a reversed text. */
const CUT_BEFORE = /[\u0080-\u00ff\ufffd]{0,3}[ "'`([{<]{0,8}(?:$|…|\.\.|\])|"[ ,:[{(]/y;

/** Where a text has the beginning of a secret followed by such an edge. */
function cutRanges(texts: SortedTexts, text: string, edge: RegExp): readonly Range[] {
  const ranges: Range[] = [];
  for (let from = 0; from < text.length; from += 1) {
    const common = texts.commonAt(text, from);
    const length = cutLength(text, from, common, edge);
    if (length > 0) ranges.push({ from, to: from + length });
    // Without this step, the time grows with the square of the length of a secret that repeats one character.
    from += Math.max(0, Math.max(common - MAX_COMPARED_AGAIN, length) - 1);
  }
  return ranges;
}

/** How many of the common characters come before an edge, or 0. The secret may have the first characters of the edge, too. */
function cutLength(text: string, from: number, common: number, edge: RegExp): number {
  for (let length = common; length >= MIN_PART_LENGTH && length > common - 4; length -= 1) {
    edge.lastIndex = from + length;
    if (edge.test(text)) return length;
  }
  return 0;
}

const reversed = (text: string): string => text.split("").reverse().join("");
