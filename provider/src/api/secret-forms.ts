import { comparable, unescaped } from "./decoded-text";
import { FormIndex } from "./form-index";

/** Shorter texts are too common to be taken for a secret by their value alone. */
export const MIN_SECRET_LENGTH = 4;
/** Of a secret that is cut, or of one of its lines, so many characters are taken for a part of it. */
const MIN_PART_LENGTH = 8;
/** What is longer and no part of a cut secret is not searched for another one but for its last characters. */
const LONG_PART = 128;

/** A place in a text. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/** The forms of many secrets. */
export class SecretForms {
  private constructor(
    /** As they stand in a text. */
    private readonly exact: FormIndex,
    /** Those that are looked for in comparable texts, and the same from end to beginning. */
    private readonly compared: FormIndex,
    private readonly reversed: FormIndex,
  ) {}

  /** The forms of these secrets. */
  static of(secrets: readonly string[]): SecretForms {
    const long = [...new Set(secrets)].filter((secret) => secret.length >= MIN_SECRET_LENGTH);
    const exact = long.flatMap(formsOfSecret);
    const compared = [...new Set([...exact, ...long.flatMap(linesOf)].map(comparableForm))].filter(
      (form) => form.length >= MIN_SECRET_LENGTH,
    );
    return new SecretForms(
      new FormIndex(exact),
      new FormIndex(compared),
      new FormIndex(compared.map(backwards)),
    );
  }

  /** These forms and others. */
  with(others: SecretForms): SecretForms {
    return new SecretForms(
      new FormIndex([...this.exact.forms, ...others.exact.forms]),
      new FormIndex([...this.compared.forms, ...others.compared.forms]),
      new FormIndex([...this.reversed.forms, ...others.reversed.forms]),
    );
  }

  get size(): number {
    return this.exact.size;
  }

  /** How long the longest one is. */
  get longest(): number {
    return this.exact.longest;
  }

  /** Where a text that is searched as it is has secrets. */
  placesIn(text: string): readonly Place[] {
    return wholePlaces(this.exact, text);
  }

  /** Where a comparable text has secrets, or parts of some that the server cut. */
  placesInComparable(text: string, reversedText: string): readonly Place[] {
    const suffixes = cutPlaces(this.reversed, reversedText, START);
    return [
      ...wholePlaces(this.compared, text),
      ...cutPlaces(this.compared, text, END),
      ...suffixes.map(({ from, to }) => ({ from: text.length - to, to: text.length - from })),
    ];
  }
}

/** Every place of a text where a secret stands, in the order of their beginnings. */
export function placesOfSecrets(text: string, forms: readonly SecretForms[]): readonly Place[] {
  const decoded = comparable(text);
  const reversedText = backwards(decoded.text);
  const original = (at: number): number => decoded.starts[at] ?? text.length;
  return forms
    .flatMap((some) => [
      ...some.placesIn(text),
      ...some
        .placesInComparable(decoded.text, reversedText)
        .map(({ from, to }) => ({ from: original(from), to: original(to) })),
    ])
    .sort((one, other) => one.from - other.from);
}

function wholePlaces(index: FormIndex, text: string): readonly Place[] {
  const places: Place[] = [];
  for (let from = 0; index.size > 0 && from < text.length; from += 1) {
    const length = index.longestAt(text, from);
    if (length > 0) places.push({ from, to: from + length });
  }
  return places;
}

/** Behind what a server cut: the end of the text or of a string in it, or dots. Bytes of a last character that is cut may stand before it. */
const END = /[\u0080-\u00ff\ufffd]{0,3}[ "'`)\]}>]{0,8}(?:[.!]? ?$|…|\.\.|\[)|"[ ,}\]]/y;
/** The same before the rest of a secret, read from its end to its beginning. */
const START = /[\u0080-\u00ff\ufffd]{0,3}[ "'`([{<]{0,8}(?:$|…|\.\.|\])|"[ ,:[{(]/y;

/** Where the beginning of a form is followed by such an edge. */
function cutPlaces(index: FormIndex, text: string, edge: RegExp): readonly Place[] {
  const places: Place[] = [];
  for (let from = 0; index.size > 0 && from < text.length; from += 1) {
    const common = index.commonAt(text, from);
    const length = cutLength(text, from, common, edge);
    if (length > 0) places.push({ from, to: from + length });
    // Secrets that repeat themselves over and over may not be compared from each of their characters.
    from += Math.max(0, Math.max(common - LONG_PART, length) - 1);
  }
  return places;
}

/** How much of what is the beginning of a form stands before an edge, or 0. The form may go on with a character that the edge begins with. */
function cutLength(text: string, from: number, common: number, edge: RegExp): number {
  for (let length = common; length >= MIN_PART_LENGTH && length > common - 4; length -= 1) {
    edge.lastIndex = from + length;
    if (edge.test(text)) return length;
  }
  return 0;
}

const backwards = (text: string): string => text.split("").reverse().join("");

const comparableForm = (form: string): string => comparable(form).text.trim();

/** A secret as it is and as JSON writes it, each also encoded for an address and as base64: bodies are echoed so too. */
export function formsOfSecret(text: string): readonly string[] {
  const forms = [...new Set([text, text.trim(), wellFormed(text)])].flatMap(formsOfWellFormed);
  return forms.filter((form) => form.length >= MIN_SECRET_LENGTH);
}

/** Half of a surrogate pair cannot be sent: what arrives, and comes back, is a replacement character. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** Other spellings are found by what they have in common, see `comparable`; where that is ambiguous, the usual ones are found as they are. */
function formsOfWellFormed(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const spellings = [...new Set([secret, json, escapedUnicode(secret), json.replaceAll("/", "\\/")])];
  return [
    ...spellings,
    ...spellings.map((text) => encodeURIComponent(wellFormed(text))),
    ...spellings.flatMap(base64FormsOf),
  ];
}

/** Servers quote single lines. Those around a key or certificate say only what it is. */
const linesOf = (secret: string): readonly string[] =>
  unescaped(secret)
    .text.split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line.length >= MIN_PART_LENGTH && !/^-----(BEGIN|END) [A-Z0-9 ]+-----$/.test(line));

/** As JSON writes text in ASCII only. */
const escapedUnicode = (secret: string): string =>
  JSON.stringify(secret)
    .slice(1, -1)
    .replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * What a secret looks like inside base64, at each of the three places where it may begin in a longer text. The
 * characters at the edges depend on the neighbours and are left out.
 */
function base64FormsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const exact = [bytes.toString("base64"), bytes.toString("base64url")];
  const inside = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    const from = Math.ceil((shift * 8) / 6);
    return encoded.slice(from, Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const urlSafe = inside.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  // A short fragment would also match innocent text.
  return [...exact, ...[...inside, ...urlSafe].filter((text) => text.length >= 2 * MIN_SECRET_LENGTH)];
}
