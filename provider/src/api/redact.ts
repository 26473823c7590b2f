import { SECRET_NAMES } from "./secret-names";

/** Shorter texts are too common to be taken for a secret by their value alone. */
const MIN_SECRET_LENGTH = 4;

const REDACTED = "[secret]";

/** Members of secrets that are no secret by themselves. */
const USER_NAMES: ReadonlySet<string> = new Set(["username", "accessKeyId"]);

/** Every text that stands under a secret name in a body, at any depth. */
export function secretsIn(
  value: unknown,
  { inside = false, but }: { readonly inside?: boolean; readonly but?: ReadonlySet<string> } = {},
): readonly string[] {
  if (typeof value === "string") return inside ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    but?.has(name) === true
      ? []
      : secretsIn(member, { inside: inside || SECRET_NAMES.has(name), ...(but && { but }) }),
  );
}

/** Takes secrets out of a text, in every form in which a server or a library may have written them. */
export function redact(text: string, texts: readonly string[]): string {
  const secrets = new Secrets();
  secrets.add(...texts);
  return secrets.redact(text);
}

/** The secrets that a process has sent or kept: a server may repeat one long after it was given. */
export class Secrets {
  readonly #texts = new Set<string>();
  /** The forms of all of them; made when they are first needed. */
  #forms: readonly string[] | undefined;

  /** Adds texts that are secret. */
  add(...texts: readonly string[]): void {
    const before = this.#texts.size;
    for (const text of texts) this.#texts.add(text);
    if (this.#texts.size > before) this.#forms = undefined;
  }

  /** Adds what is secret in these values, but for names of users, which are words that any message may hold. */
  remember(...values: readonly unknown[]): void {
    this.add(...values.flatMap((value) => secretsIn(value, { but: USER_NAMES })));
  }

  /** A text without them, and without what is secret in the request that it is about. */
  redact(text: string, request?: unknown): string {
    this.#forms ??= formsOfAll(this.#texts);
    const forms = [...this.#forms, ...formsOfAll(secretsIn(request))];
    // A secret may hold another one.
    forms.sort((a, b) => b.length - a.length);
    return forms.reduce((redacted, form) => redacted.replaceAll(form, REDACTED), text);
  }
}

const formsOfAll = (secrets: Iterable<string>): readonly string[] => {
  const long = [...new Set(secrets)].filter((secret) => secret.length >= MIN_SECRET_LENGTH);
  return [...new Set(long.flatMap(formsOf))].filter((form) => form.length >= MIN_SECRET_LENGTH);
};

/** A value as JSON, without what stands under a secret name: there even the shortest secret is known by its place. */
export const inJson = (value: unknown): string =>
  JSON.stringify(value, (name, member: unknown) => (SECRET_NAMES.has(name) ? REDACTED : member));

/** A secret as it is and as JSON writes it, each also encoded for an address and as base64: bodies are echoed so too. */
function formsOf(text: string): readonly string[] {
  return [...new Set([text, wellFormed(text)])].flatMap(formsOfWellFormed);
}

/** Half of a surrogate pair cannot be sent: what arrives, and comes back, is a replacement character. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

function formsOfWellFormed(secret: string): readonly string[] {
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
