import { secretMembersOf } from "./connection-string";
import { SECRET_NAMES } from "./secret-names";
import { formsOfSecret, MIN_SECRET_LENGTH, placesOfSecrets, SecretForms } from "./secret-forms";

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
 * How many characters of a text one character of a secret may take, as where an address encodes twice, and the least that is read. Of a longer
 * spelling only the beginning is seen, which is taken out as such.
 */
const LONGEST_SPELLING = 6;
const MIN_MARGIN = 256;

/**
 * The secrets that a process has sent or kept: a server may repeat one long after it was given. They are taken out of a text in
 * every form in which a server or a library may have written them.
 */
export class Secrets {
  readonly #texts = new Set<string>();
  /** Those whose forms are in no index yet: they are made when a text is to be redacted. */
  #fresh: string[] = [];
  /** The forms of all others. Each is less than half as large as the one before it, so they are few. */
  readonly #forms: SecretForms[] = [];

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
    return withoutSecrets(text, this.#all(request), text.length);
  }

  /**
   * The beginning of a text that may be very long, redacted: so many of its characters, none of which belongs to a secret, even to one that goes
   * on behind them.
   */
  redactStart(text: string, characters: number, request?: unknown): string {
    const forms = this.#all(request);
    const longest = Math.max(0, ...forms.map((some) => some.longest));
    const margin = Math.max(MIN_MARGIN, LONGEST_SPELLING * longest);
    return withoutSecrets(text.slice(0, characters + margin), forms, Math.min(text.length, characters));
  }

  #all(request: unknown): readonly SecretForms[] {
    if (this.#fresh.length > 0) this.#addForms(SecretForms.of(this.#fresh));
    this.#fresh = [];
    return [...this.#forms, SecretForms.of(secretsIn(request))];
  }

  #addForms(forms: SecretForms): void {
    const before = this.#forms.at(-1);
    if (before === undefined || before.size > 2 * forms.size) {
      this.#forms.push(forms);
      return;
    }
    this.#forms.pop();
    this.#addForms(before.with(forms));
  }
}

/** What only texts with an encoded secret have: an escape, or more letters and digits in a row than ids and times. */
const ENCODED = /[%\\]|[\w+/]{16}/;

/** Tells which texts hold what is secret in a value, but for names of users, as it is, in JSON, in an address or in base64. */
export function secretTextsOf(value: unknown): (text: string) => boolean {
  const secrets = secretsIn(value, USER_NAMES).filter((secret) => secret.length >= MIN_SECRET_LENGTH);
  let forms: readonly string[] | undefined;
  return (text) =>
    secrets.some((secret) => text.includes(secret)) ||
    // A refresh asks about every text of every pipe, and the forms cost more than all else.
    (ENCODED.test(text) && (forms ??= secrets.flatMap(formsOfSecret)).some((form) => text.includes(form)));
}

/**
 * The text up to `end` with every place of a secret replaced; places that overlap, as where a secret holds another, are one. What begins
 * before `end` is covered to its own end.
 */
function withoutSecrets(text: string, forms: readonly SecretForms[], end: number): string {
  const parts: string[] = [];
  let kept = 0;
  let covered = { from: 0, to: 0 };
  const cut = (): void => {
    if (covered.to > 0) parts.push(text.slice(kept, covered.from), REDACTED);
    kept = covered.to;
  };
  for (const { from, to } of placesOfSecrets(text, forms)) {
    if (from >= end) break;
    if (from < covered.to) covered = { from: covered.from, to: Math.max(covered.to, to) };
    else {
      cut();
      covered = { from, to };
    }
  }
  cut();
  return [...parts, text.slice(kept, Math.max(kept, end))].join("");
}

/** A value as JSON, without what stands under a secret name: there even the shortest secret is known by its place. */
export const inJson = (value: unknown): string =>
  JSON.stringify(value, (name, member: unknown) => (SECRET_NAMES.has(name) ? REDACTED : member));
