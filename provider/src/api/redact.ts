import { SECRET_NAMES } from "./secret-names";

/** Shorter texts are too common to be taken for a secret by their value alone. */
const MIN_SECRET_LENGTH = 4;

const REDACTED = "[secret]";

/** Members of secrets that are no secret by themselves. */
const USER_NAMES: ReadonlySet<string> = new Set(["username", "accessKeyId"]);

/** Every text that stands under a secret name in a body, at any depth, but for members of the names that are excepted. */
export function secretsIn(
  value: unknown,
  except: ReadonlySet<string> = new Set(),
  inside = false,
  found: string[] = [],
): readonly string[] {
  if (typeof value === "string" && inside) found.push(value);
  if (typeof value !== "object" || value === null) return found;
  for (const [name, member] of Object.entries(value))
    if (!except.has(name)) secretsIn(member, except, inside || SECRET_NAMES.has(name), found);
  return found;
}

/**
 * The secrets that a process has sent or kept: a server may repeat one long after it was given. They are taken out of a text in
 * every form in which a server or a library may have written them.
 */
export class Secrets {
  readonly #texts = new Set<string>();
  /** Those whose forms are not in the index yet: they are made when a text is to be redacted. */
  #fresh: string[] = [];
  readonly #index: FormIndex = new Map();

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
    addForms(this.#index, this.#fresh);
    this.#fresh = [];
    return withoutForms(text, [this.#index, addForms(new Map(), secretsIn(request))]);
  }
}

/** Forms by their first characters: there are thousands in a large stack, and no line may be compared with each. */
type FormIndex = Map<string, Set<string>>;

function addForms(index: FormIndex, secrets: Iterable<string>): FormIndex {
  const long = [...new Set(secrets)].filter((secret) => secret.length >= MIN_SECRET_LENGTH);
  for (const form of long.flatMap(formsOf)) {
    if (form.length < MIN_SECRET_LENGTH) continue;
    const head = form.slice(0, MIN_SECRET_LENGTH);
    index.set(head, (index.get(head) ?? new Set()).add(form));
  }
  return index;
}

/** The text with every place that a form covers replaced; places that overlap, as where a secret holds another, are one. */
function withoutForms(text: string, indexes: readonly FormIndex[]): string {
  const parts: string[] = [];
  let kept = 0;
  let covered = { from: 0, to: 0 };
  const cut = (): void => {
    if (covered.to > 0) parts.push(text.slice(kept, covered.from), REDACTED);
    kept = covered.to;
  };
  for (let at = 0; at + MIN_SECRET_LENGTH <= text.length; at += 1) {
    const to = endOfForm(text, at, indexes);
    if (to === undefined) continue;
    if (at < covered.to) covered = { from: covered.from, to: Math.max(covered.to, to) };
    else {
      cut();
      covered = { from: at, to };
    }
  }
  cut();
  return [...parts, text.slice(kept)].join("");
}

/** Where the longest form ends that begins at a place of the text. */
function endOfForm(text: string, at: number, indexes: readonly FormIndex[]): number | undefined {
  const head = text.slice(at, at + MIN_SECRET_LENGTH);
  let end: number | undefined;
  for (const index of indexes)
    for (const form of index.get(head) ?? [])
      if (text.startsWith(form, at)) end = Math.max(end ?? 0, at + form.length);
  return end;
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
