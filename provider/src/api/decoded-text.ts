/** A text without its escapes, and where each of its characters, and its end, stood in the original. */
export interface DecodedText {
  readonly text: string;
  readonly starts: readonly number[];
}

/** Characters that replace an escape, and where inside of the escape they begin. */
type Piece = readonly [characters: string, offset: number];

/** JSON inside of JSON inside of an address: servers do not nest deeper, and the work stays bounded. */
const MAX_LAYERS = 4;

/** Any number of backslashes before a code unit or a character, and what an address encodes. A text may be cut inside of one. */
const ESCAPES =
  /[\\%]u[\da-fA-F]{0,3}(?=$|…|\.\.\.)|%[\da-fA-F]?(?=$|…|\.\.\.)|\\+(?:u([\da-fA-F]{4})|(.)|)|%u([\da-fA-F]{4})|((?:%[\da-fA-F]{2})+)/gs;

const CONTROL_LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** What servers collapse, trim or replace with each other; a plus sign is the blank of forms. */
const BLANKS = /[\s+\p{Cc}\p{Cf}]+/gu;

/** The text without escapes of JSON and of addresses, however they are nested. */
export function unescaped(text: string): DecodedText {
  let decoded: DecodedText = { text, starts: Array.from({ length: text.length + 1 }, (_, at) => at) };
  for (let layer = 0; layer < MAX_LAYERS && /[\\%]/.test(decoded.text); layer += 1) {
    const { length } = decoded.text;
    decoded = rewritten(decoded, ESCAPES, piecesOf);
    // Every escape is longer than what it stands for.
    if (decoded.text.length === length) break;
  }
  return decoded;
}

/**
 * The form in which texts are compared with secrets: all spellings of a secret have the same one. Many texts share it, so it
 * is good for nothing else.
 */
export const comparable = (text: string): DecodedText => rewritten(unescaped(text), BLANKS, () => [[" ", 0]]);

function rewritten(
  { text, starts }: DecodedText,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => readonly Piece[],
): DecodedText {
  const parts: string[] = [];
  const places: number[] = [];
  let kept = 0;
  const keepUntil = (end: number): void => {
    parts.push(text.slice(kept, end));
    for (let at = kept; at < end; at += 1) places.push(starts[at] ?? 0);
  };
  for (const match of text.matchAll(pattern)) {
    keepUntil(match.index);
    for (const [characters, offset] of replacement(match)) {
      parts.push(characters);
      places.push(...Array<number>(characters.length).fill(starts[match.index + offset] ?? 0));
    }
    kept = match.index + match[0].length;
  }
  keepUntil(text.length);
  places.push(starts[text.length] ?? 0);
  return { text: parts.join(""), starts: places };
}

function piecesOf([, unit, letter, percentUnit, bytes]: RegExpExecArray): readonly Piece[] {
  const code = unit ?? percentUnit;
  if (code !== undefined) return [[String.fromCharCode(parseInt(code, 16)), 0]];
  if (letter !== undefined) return [[CONTROL_LETTERS[letter] ?? letter, 0]];
  return bytes === undefined ? [] : charactersOf(Buffer.from(bytes.replaceAll("%", ""), "hex"));
}

/** UTF-8, and Latin-1 where it is none. */
function charactersOf(bytes: Buffer): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    const length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const character = length === 1 ? "\ufffd" : bytes.toString("utf8", at, at + length);
    const isWhole = !character.includes("\ufffd");
    pieces.push([isWhole ? character : String.fromCharCode(first), at * "%XX".length]);
    at += isWhole ? length : 1;
  }
  return pieces;
}
