import { secretMembersOf } from "./connection-string";
import { formsOf, halvesOf, MIN_SECRET_LENGTH, readingsOf } from "./secret-forms";
import { SECRET_NAMES } from "./secret-names";
import { getOrAdd } from "../../values/get-or-add";

const REDACTED = "[secret]";

/** What messages have in place of a server's text that repeats a secret. */
export const LEFT_OUT = "[left out: it repeats a secret]";

/** Members of credentials that are not secret alone. */
const USER_NAMES: ReadonlySet<string> = new Set(["username", "accessKeyId"]);

/** The member whose value holds several secrets. */
const CONNECTION_STRING = "connectionString";

/** What services return in place of a secret. Any text may contain it. */
const MASK = /^[*•]+$/;

/**
 * All texts under a secret name in a value, at any depth, but for members of the excepted names. The secrets in a connection string are also
 * listed singly: a server may quote one of them.
 */
export function secretsIn(root: unknown, except: ReadonlySet<string> = new Set()): readonly string[] {
  const found: string[] = [];
  // Without recursion: an answer may be nested as deeply as it is long.
  const objects: { readonly object: object; readonly isSecret: boolean }[] = [];
  const add = (value: unknown, isSecret: boolean): void => {
    if (typeof value === "object" && value !== null) objects.push({ object: value, isSecret });
    else if (isSecret && typeof value === "string" && !MASK.test(value)) found.push(value);
  };
  add(root, false);
  for (const { object, isSecret } of objects) {
    for (const name in object) {
      if (except.has(name)) continue;
      const member = (object as Record<string, unknown>)[name];
      add(member, isSecret || SECRET_NAMES.has(name));
      if (name === CONNECTION_STRING && typeof member === "string") found.push(...secretMembersOf(member));
    }
  }
  return found;
}

/** How many characters of a text one character of a secret may take, as where a URL is encoded twice. */
const LONGEST_SPELLING = 6;
/** Stands for a redacted text while the rest is searched: the word "secret" may be a password. */
const HOLE = "\ufffc";

/** The forms of secrets, by their first characters. */
class FormIndex {
  readonly #secrets = new Set<string>();
  /** Secrets whose forms are made at the next search: most processes search for none, and the forms of one take 0.05 ms. */
  #pending: string[] = [];
  readonly #byStart = new Map<string, Set<string>>();
  /** The first character of each: most characters of a text begin none. */
  readonly #firsts = new Set<string>();
  #longest = 0;

  constructor(private readonly formsOf: (secret: string) => readonly string[]) {}

  add(secrets: readonly string[]): void {
    this.#pending.push(...secrets.filter((secret) => !this.#secrets.has(secret)));
    for (const secret of secrets) this.#secrets.add(secret);
  }

  get longest(): number {
    this.#addPending();
    return this.#longest;
  }

  /** The length of the longest form that a text has at this index, or 0. */
  lengthAt(text: string, index: number): number {
    this.#addPending();
    if (!this.#firsts.has(text.charAt(index))) return 0;
    let longest = 0;
    for (const form of this.#byStart.get(text.slice(index, index + MIN_SECRET_LENGTH)) ?? [])
      if (form.length > longest && text.startsWith(form, index)) longest = form.length;
    return longest;
  }

  /** Whether a reader can take one of the forms from a text. */
  isIn(text: string): boolean {
    return readingsOf(text).some((reading) => {
      for (let index = 0; index < reading.length; index += 1)
        if (this.lengthAt(reading, index) > 0) return true;
      return false;
    });
  }

  #addPending(): void {
    for (const form of this.#pending.flatMap(this.formsOf)) {
      getOrAdd(this.#byStart, form.slice(0, MIN_SECRET_LENGTH), () => new Set()).add(form);
      this.#firsts.add(form.charAt(0));
      this.#longest = Math.max(this.#longest, form.length);
    }
    this.#pending = [];
  }
}

/** The secrets that this process has sent or stored. A server may repeat one in the answer to any later request. */
export class Secrets {
  readonly #forms = new FormIndex(formsOf);
  readonly #halves = new FormIndex((secret) => halvesOf(secret).flatMap(formsOf));

  add(...texts: readonly string[]): void {
    this.#forms.add(texts);
    this.#halves.add(texts);
  }

  /** Adds the secrets of these values, but for user names, which are words that any message may have. */
  addFrom(...values: readonly unknown[]): void {
    this.add(...values.flatMap((value) => secretsIn(value, USER_NAMES)));
  }

  /** Whether a text has a secret, in any encoding. */
  isIn(text: string): boolean {
    return this.#forms.isIn(text);
  }

  /**
   * A text of the provider without these secrets. Where a value in it has one in an encoding that only a server makes, the whole line is
   * redacted.
   */
  redact(text: string): string {
    const rest = this.#replaced(text);
    if (!this.isIn(rest)) return rest.replaceAll(HOLE, REDACTED);
    const lines = rest.split("\n").map((line) => (this.isIn(line) ? HOLE : line));
    return (this.isIn(lines.join("\n")) ? HOLE : lines.join("\n")).replaceAll(HOLE, REDACTED);
  }

  /** So many characters of the beginning of a server's text; undefined if it has a secret there, or half of one. */
  startOf(text: string, characters: number): string | undefined {
    const margin = LONGEST_SPELLING * this.#forms.longest;
    // A secret may go on behind the characters that are shown.
    const searched = text.slice(0, characters + margin);
    return this.isIn(searched) || this.#halves.isIn(searched) ? undefined : text.slice(0, characters);
  }

  /** The text with a hole in place of each secret. Secrets that overlap are replaced as one. */
  #replaced(text: string): string {
    let result = "";
    let kept = 0;
    for (let index = 0; index < text.length; index += 1) {
      const length = this.#forms.lengthAt(text, index);
      if (length > 0 && index >= kept) result += text.slice(kept, index) + HOLE;
      if (length > 0) kept = Math.max(kept, index + length);
    }
    return result + text.slice(kept);
  }
}

/** The secrets of these values, without user names. */
export function secretsOf(...values: readonly unknown[]): Secrets {
  const secrets = new Secrets();
  secrets.addFrom(...values);
  return secrets;
}

/** The user names in a request. They are secret only in texts about this request: any other text may have such a word. */
export function userNamesOf(request: unknown): Secrets {
  const others = new Set(secretsIn(request, USER_NAMES));
  const names = new Secrets();
  names.add(...secretsIn(request).filter((text) => !others.has(text)));
  return names;
}

/** A value as JSON, without the values of secret names, however short they are. */
export const inJson = (value: unknown): string =>
  JSON.stringify(value, (name, member: unknown) => (SECRET_NAMES.has(name) ? REDACTED : member));
