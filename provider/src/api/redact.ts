import { SECRET_NAMES } from "./secret-names";

/** Shorter texts are too common to be taken for a secret by their value alone. */
const MIN_SECRET_LENGTH = 4;

const REDACTED = "[secret]";

/** Every text that stands under a secret name in a body. */
export function secretsIn(value: unknown, inside = false): readonly string[] {
  if (typeof value === "string") return inside ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    secretsIn(member, inside || SECRET_NAMES.has(name)),
  );
}

/** Takes secrets out of a text, in every form in which a server or a library may have written them. */
export function redact(text: string, secrets: Iterable<string>): string {
  const forms = [...new Set(secrets)]
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap(formsOf)
    .filter((form) => form.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
  return [...new Set(forms)].reduce((redacted, form) => redacted.replaceAll(form, REDACTED), text);
}

/** A secret as it is and as JSON writes it, each also encoded for an address and as base64: bodies are echoed so too. */
function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const spellings = [...new Set([secret, json, escapedUnicode(secret), json.replaceAll("/", "\\/")])];
  return [
    ...spellings,
    JSON.stringify(json).slice(1, -1),
    ...spellings.flatMap(urlFormsOf),
    ...spellings.flatMap(base64FormsOf),
  ];
}

function urlFormsOf(text: string): readonly string[] {
  const url = encodeURIComponent(text);
  return [
    url,
    url.replaceAll("%20", "+"),
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    new URLSearchParams({ s: text }).toString().slice(2),
    encodeURI(text),
    encodeURIComponent(Buffer.from(text).toString("base64")),
  ];
}

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
