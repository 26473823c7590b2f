import { secretMembersOf } from "./connection-string";
import { FormIndex } from "./form-index";
import { SECRET_NAMES } from "./secret-names";

/** Shorter texts are too common to be taken for a secret by their value alone. */
const MIN_SECRET_LENGTH = 4;

const REDACTED = "[secret]";

/** Members of secrets that are no secret by themselves. */
const USER_NAMES: ReadonlySet<string> = new Set(["username", "accessKeyId"]);

/** The member whose value is several secrets in one text. */
const CONNECTION_STRING = "connectionString";

/**
 * Every text that stands under a secret name in a body, at any depth, but for members of the names that are excepted; and what is secret
 * inside a connection string, for a server may quote that part alone.
 */
export function secretsIn(
  value: unknown,
  except: ReadonlySet<string> = new Set(),
  inside = false,
  found: string[] = [],
): readonly string[] {
  if (typeof value === "string" && inside) found.push(value);
  if (typeof value !== "object" || value === null) return found;
  for (const [name, member] of Object.entries(value)) {
    if (except.has(name)) continue;
    secretsIn(member, except, inside || SECRET_NAMES.has(name), found);
    if (name === CONNECTION_STRING && typeof member === "string") found.push(...secretMembersOf(member));
  }
  return found;
}

/**
 * The secrets that a process has sent or kept: a server may repeat one long after it was given. They are taken out of a text in
 * every form in which a server or a library may have written them.
 */
export class Secrets {
  readonly #texts = new Set<string>();
  /** Those whose forms are in no index yet: they are made when a text is to be redacted. */
  #fresh: string[] = [];
  /** The forms of all others. Each index is less than half as large as the one before it, so they are few. */
  readonly #indexes: FormIndex[] = [];

  /** Adds texts that are secret. */
  add(...texts: readonly string[]): void {
    for (const text of texts) {
      if (this.#texts.has(text)) continue;
      this.#texts.add(text);
      this.#fresh.push(text);
    }
  }

  /** Adds what is secret in these values, but for names of users, which are words that any message may hold. */
  remember(...values: readonly unknown[]): void {
    this.add(...values.flatMap((value) => secretsIn(value, USER_NAMES)));
  }

  /** A text without them, and without what is secret in the request that it is about. */
  redact(text: string, request?: unknown): string {
    return withoutForms(text, this.#all(request), text.length);
  }

  /**
   * The beginning of a text that may be very long, redacted: so many of its characters, none of which belongs to a secret, even to one that goes
   * on behind them.
   */
  redactStart(text: string, characters: number, request?: unknown): string {
    const indexes = this.#all(request);
    const margin = Math.max(0, ...indexes.map(({ longest }) => longest));
    return withoutForms(text.slice(0, characters + margin), indexes, Math.min(text.length, characters));
  }

  #all(request: unknown): readonly FormIndex[] {
    if (this.#fresh.length > 0) this.#addIndex(new FormIndex(formsOfAll(this.#fresh)));
    this.#fresh = [];
    return [...this.#indexes, new FormIndex(formsOfAll(secretsIn(request)))];
  }

  #addIndex(index: FormIndex): void {
    const before = this.#indexes.at(-1);
    if (before === undefined || before.size > 2 * index.size) {
      this.#indexes.push(index);
      return;
    }
    this.#indexes.pop();
    this.#addIndex(new FormIndex([...before.forms, ...index.forms]));
  }
}

const formsOfAll = (secrets: readonly string[]): string[] =>
  [...new Set(secrets)]
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap(formsOf)
    .filter((form) => form.length >= MIN_SECRET_LENGTH);

/**
 * The text up to `end` with every place that a form covers replaced; places that overlap, as where a secret holds another, are one. What begins
 * before `end` is covered to its own end.
 */
function withoutForms(text: string, indexes: readonly FormIndex[], end: number): string {
  const parts: string[] = [];
  let kept = 0;
  let covered = { from: 0, to: 0 };
  const cut = (): void => {
    if (covered.to > 0) parts.push(text.slice(kept, covered.from), REDACTED);
    kept = covered.to;
  };
  for (let at = 0; at < end; at += 1) {
    const length = longestAt(indexes, text, at);
    if (length === 0) continue;
    if (at < covered.to) covered = { from: covered.from, to: Math.max(covered.to, at + length) };
    else {
      cut();
      covered = { from: at, to: at + length };
    }
  }
  cut();
  return [...parts, text.slice(kept, Math.max(kept, end))].join("");
}

function longestAt(indexes: readonly FormIndex[], text: string, at: number): number {
  let longest = 0;
  for (const index of indexes) longest = Math.max(longest, index.longestAt(text, at));
  return longest;
}

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
