import { isUtf8 } from "node:buffer";

/** Shorter texts are too common to be redacted wherever they occur. */
export const MIN_SECRET_LENGTH = 4;
/** The shortest part of a secret that is redacted alone: a line, a half, or base64 of it inside a longer text. */
const MIN_PART_LENGTH = 8;
/** JSON in JSON in a URL: servers do not nest deeper, and the work stays bounded. */
const MAX_LAYERS = 4;

/**
 * The texts that show a secret, or one of its lines: as it is and as JSON escapes it, each also URL-encoded and in base64, as servers and
 * gateways echo bodies; and the readings of these.
 */
export function formsOf(secret: string): readonly string[] {
  // UTF-8 has no half of a surrogate pair: the request carries a replacement character instead.
  const sent = Buffer.from(secret).toString();
  const texts = new Set([secret, secret.trim(), sent, ...linesOf(secret)]);
  const forms = new Set([...texts].flatMap(encodingsOf));
  return [...new Set([...forms].flatMap(readingsOf))].filter(({ length }) => length >= MIN_SECRET_LENGTH);
}

/** The halves of a secret, of which servers that shorten their words leave one. */
export const halvesOf = (secret: string): readonly string[] => {
  const middle = Math.ceil(secret.length / 2);
  return [secret.slice(0, middle), secret.slice(middle)].filter(({ length }) => length >= MIN_PART_LENGTH);
};

/**
 * What a reader takes from a text: without escapes of JSON, of URLs and of HTML, however they are nested, and in place of each run of blanks
 * one space. All spellings of a secret have a reading in common. Other texts may have it, too: use it only to find secrets.
 */
export function readingsOf(text: string): readonly string[] {
  if (!READ_OTHERWISE.test(text)) return [text];
  let decoded = text;
  for (let layer = 0; layer < MAX_LAYERS && /[\\%&]/.test(decoded); layer += 1)
    decoded = decoded.replaceAll(ESCAPES, decode);
  // A form encodes a space as a plus sign.
  const spaced = decoded.replaceAll("+", " ");
  return [...new Set([text, decoded, spaced, spaced.replaceAll(BLANKS, " ").trim()])];
}

/** White space and invisible characters, which servers collapse and trim. */
const BLANKS = /[\s\p{Cc}\p{Cf}]+/gu;

/** What a reader may take for something else: most texts of a pipe have nothing of it. */
const READ_OTHERWISE = /[\\%&+\s\p{Cc}\p{Cf}]/u;

/** An escape of JSON with any number of backslashes, a URL-encoded text, or a character of HTML. */
const ESCAPES =
  /[\\%]+u([\da-fA-F]{4})|\\+(.|$)|((?:%[\da-fA-F]{2})+)|&#(\d{1,5}|[xX][\da-fA-F]{1,4});|&(amp|lt|gt|quot|apos);/gs;

/** The characters that JSON and HTML name. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" },
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" },
};

function decode(_: string, unit?: string, letter?: string, bytes?: string, code = "", name = letter): string {
  if (unit !== undefined) return String.fromCharCode(parseInt(unit, 16));
  if (bytes !== undefined) return charactersOf(Buffer.from(bytes.replaceAll("%", ""), "hex"));
  return name === undefined ? String.fromCharCode(Number(code.replace(/^x/i, "0x"))) : (NAMED[name] ?? name);
}

/** The characters of UTF-8; bytes that are not UTF-8 are read as Latin-1. */
const charactersOf = (bytes: Buffer): string => bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");

/** The lines of a secret, which servers quote singly. The first and last lines of a key or certificate only name its kind. */
const linesOf = (secret: string): readonly string[] =>
  readingsOf(secret)
    .flatMap((reading) => reading.split(/[\r\n]+/))
    .map((line) => line.trim())
    .filter((line) => line.length >= MIN_PART_LENGTH && !/^-----(BEGIN|END) [A-Z0-9 ]+-----$/.test(line));

function encodingsOf(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const spellings = [...new Set([text, json, asciiOnly(json), json.replaceAll("/", "\\/")])];
  return [
    ...spellings,
    ...spellings.map((spelling) => encodeURIComponent(Buffer.from(spelling).toString())),
    ...spellings.flatMap(base64Of),
  ];
}

const asciiOnly = (json: string): string =>
  json.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * The base64 of a text alone, and at each of the three offsets at which it may begin in a longer text. There, the characters at both
 * ends depend on the text around it and are left out.
 */
function base64Of(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const inside = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  // A shorter fragment would also match text that is not secret.
  const forms = [bytes.toString("base64"), ...inside.filter(({ length }) => length >= MIN_PART_LENGTH)];
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")]);
}
