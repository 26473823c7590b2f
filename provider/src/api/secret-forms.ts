import { unescaped } from "./normalized-text";

/** Shorter texts are too common to be redacted wherever they occur. */
export const MIN_SECRET_LENGTH = 4;
/** The shortest part of a secret that is redacted: one of its lines, or the rest of a secret that a server cut. */
export const MIN_PART_LENGTH = 8;

/** A secret as it is and as JSON escapes it, each also URL-encoded and in base64, as servers and gateways echo bodies. */
export function formsOfSecret(secret: string): readonly string[] {
  const forms = [...new Set([secret, secret.trim(), wellFormed(secret)])].flatMap(encodingsOf);
  return forms.filter((form) => form.length >= MIN_SECRET_LENGTH);
}

/** The lines of a secret, which servers quote singly. The first and last lines of a key or certificate only name its kind. */
export const linesOf = (secret: string): readonly string[] =>
  unescaped(secret)
    .text.split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line.length >= MIN_PART_LENGTH && !/^-----(BEGIN|END) [A-Z0-9 ]+-----$/.test(line));

/** UTF-8 has no half of a surrogate pair: the request carries a replacement character instead. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

function encodingsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const spellings = [...new Set([secret, json, asciiOnly(json), json.replaceAll("/", "\\/")])];
  return [
    ...spellings,
    ...spellings.map((text) => encodeURIComponent(wellFormed(text))),
    ...spellings.flatMap(base64FormsOf),
  ];
}

const asciiOnly = (json: string): string =>
  json.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * The base64 of a secret alone, and at each of the three offsets at which it may begin in a longer text. There, the characters at both
 * ends depend on the text around it and are left out.
 */
function base64FormsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const alone = [bytes.toString("base64"), bytes.toString("base64url")];
  const inside = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const urlSafe = inside.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  // A shorter fragment would also match text that is not secret.
  return [...alone, ...[...inside, ...urlSafe].filter((text) => text.length >= MIN_PART_LENGTH)];
}
