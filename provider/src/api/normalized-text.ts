/** A text that was rewritten, and the index in the original of each of its characters and of its end. */
export interface MappedText {
  readonly text: string;
  readonly indexes: readonly number[];
}

/** What replaces a part of an escape, and the index of that part in the escape. */
type Replacement = readonly [characters: string, index: number];

/** JSON in JSON in a URL: servers do not nest deeper, and the work stays bounded. */
const MAX_LAYERS = 4;

/** An escape of JSON with any number of backslashes, a URL-encoded text, either of them cut at the end of the text, or a character of HTML. */
const ESCAPES =
  /[\\%]u[\da-fA-F]{0,3}(?=$|…|\.\.\.)|%[\da-fA-F]?(?=$|…|\.\.\.)|\\+(?:u([\da-fA-F]{4})|(.)|)|%u([\da-fA-F]{4})|((?:%[\da-fA-F]{2})+)|&(?:#(\d{1,5}|[xX][\da-fA-F]{1,4})|(amp|lt|gt|quot|apos));/gs;

/** The characters that HTML names and that every library escapes. */
const HTML_NAMES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const CONTROL_LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** White space and invisible characters, which servers collapse and trim; a form encodes a space as a plus sign. */
const BLANKS = /[\s+\p{Cc}\p{Cf}]+/gu;

/** The text without escapes of JSON, of URLs and of HTML, however they are nested. */
export function unescaped(text: string): MappedText {
  let decoded: MappedText = { text, indexes: Array.from({ length: text.length + 1 }, (_, index) => index) };
  for (let layer = 0; layer < MAX_LAYERS && /[\\%&]/.test(decoded.text); layer += 1)
    decoded = rewritten(decoded, ESCAPES, decode);
  return decoded;
}

/** All spellings of a secret have the same normalized text. Other texts may have it too: use it only to find secrets. */
export const normalized = (text: string): MappedText => rewritten(unescaped(text), BLANKS, () => [[" ", 0]]);

function rewritten(
  { text, indexes }: MappedText,
  pattern: RegExp,
  replace: (match: RegExpExecArray) => readonly Replacement[],
): MappedText {
  const parts: string[] = [];
  const partIndexes: number[] = [];
  let end = 0;
  const keepUntil = (index: number): void => {
    parts.push(text.slice(end, index));
    for (let at = end; at < index; at += 1) partIndexes.push(indexes[at] ?? 0);
  };
  for (const match of text.matchAll(pattern)) {
    keepUntil(match.index);
    for (const [characters, index] of replace(match)) {
      parts.push(characters);
      partIndexes.push(...Array<number>(characters.length).fill(indexes[match.index + index] ?? 0));
    }
    end = match.index + match[0].length;
  }
  keepUntil(text.length);
  return { text: parts.join(""), indexes: [...partIndexes, ...indexes.slice(-1)] };
}

function decode([
  ,
  jsonUnit,
  letter,
  urlUnit,
  bytes,
  htmlUnit,
  htmlName,
]: RegExpExecArray): readonly Replacement[] {
  if (htmlUnit !== undefined) return [[String.fromCharCode(Number(htmlUnit.replace(/^[xX]/, "0x"))), 0]];
  if (htmlName !== undefined) return [[HTML_NAMES[htmlName] ?? "", 0]];
  const unit = jsonUnit ?? urlUnit;
  if (unit !== undefined) return [[String.fromCharCode(parseInt(unit, 16)), 0]];
  if (letter !== undefined) return [[CONTROL_LETTERS[letter] ?? letter, 0]];
  return bytes === undefined ? [] : charactersOf(Buffer.from(bytes.replaceAll("%", ""), "hex"));
}

/** The characters of UTF-8; bytes that are not UTF-8 are read as Latin-1. */
function charactersOf(bytes: Buffer): readonly Replacement[] {
  const characters: Replacement[] = [];
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    const length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const character = bytes.toString("utf8", at, at + length);
    const isUtf8 = !character.includes("\ufffd");
    characters.push([isUtf8 ? character : String.fromCharCode(first), at * "%XX".length]);
    at += isUtf8 ? length : 1;
  }
  return characters;
}
