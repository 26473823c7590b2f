import { secretMembersOf } from "./connection-string";
import { SECRET_NAMES } from "./secret-names";
import { formsOfSecret, MIN_SECRET_LENGTH } from "./secret-forms";
import { SecretSearch } from "./secret-search";

const REDACTED = "[secret]";

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
  const values: { value: unknown; isSecret: boolean }[] = [{ value: root, isSecret: false }];
  for (const { value, isSecret } of values) {
    if (typeof value === "string" && isSecret && !MASK.test(value)) found.push(value);
    if (typeof value !== "object" || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (except.has(name)) continue;
      values.push({ value: member, isSecret: isSecret || SECRET_NAMES.has(name) });
      if (name === CONNECTION_STRING && typeof member === "string") found.push(...secretMembersOf(member));
    }
  }
  return found;
}

/** How many characters of a text one character of a secret may take, as where a URL is encoded twice. */
const LONGEST_SPELLING = 6;
/** How many characters behind the beginning of a text are searched at least: a secret may go on there. */
const MIN_MARGIN = 256;

/** The secrets that this process has sent or stored. A server may repeat one in the answer to any later request. */
export class Secrets {
  readonly #known = new Set<string>();
  readonly #search = new SecretSearch();
  /** Secrets to add to the search at the next redaction: most processes redact nothing, and the forms of one secret take 0.1 ms. */
  #pending: string[] = [];

  /** Adds texts that are secret. */
  add(...texts: readonly string[]): void {
    this.#pending.push(...texts.filter((text) => !this.#known.has(text)));
    for (const text of texts) this.#known.add(text);
  }

  /** Adds the secrets of these values, but for user names, which are words that any message may have. */
  addFrom(...values: readonly unknown[]): void {
    this.add(...values.flatMap((value) => secretsIn(value, USER_NAMES)));
  }

  /** The text without these secrets and without those of the request that it is about. */
  redact(text: string, request?: unknown): string {
    return redacted(text, this.#searches(request), text.length);
  }

  /** So many characters of the beginning of a text that may be very long, redacted. A secret that goes on behind them is redacted, too. */
  redactStart(text: string, characters: number, request?: unknown): string {
    const searches = this.#searches(request);
    const longest = Math.max(...searches.map((search) => search.longest));
    const margin = Math.max(MIN_MARGIN, LONGEST_SPELLING * longest);
    return redacted(text.slice(0, characters + margin), searches, Math.min(text.length, characters));
  }

  #searches(request: unknown): readonly SecretSearch[] {
    this.#search.add(this.#pending);
    this.#pending = [];
    const ofRequest = new SecretSearch();
    ofRequest.add(secretsIn(request));
    return [this.#search, ofRequest];
  }
}

/** What only texts with an encoded secret have: an escape, or more letters and digits in a row than ids and times have. */
const ENCODED = /[%\\]|[\w+/]{16}/;
/** The base64 of a shorter secret has fewer letters and digits in a row than `ENCODED` requires. */
const SHORT_SECRET_LENGTH = 12;

/** Tells which texts contain a secret of a value, but for user names: as it is, in JSON, in a URL or in base64. */
export function secretTextsOf(value: unknown): (text: string) => boolean {
  const secrets = secretsIn(value, USER_NAMES).filter((secret) => secret.length >= MIN_SECRET_LENGTH);
  const isAnyShort = secrets.some(({ length }) => length < SHORT_SECRET_LENGTH);
  let forms: readonly string[] | undefined;
  return (text) =>
    secrets.some((secret) => text.includes(secret)) ||
    // The forms take several times as long as the search, and few texts can contain one.
    ((isAnyShort || ENCODED.test(text)) &&
      (forms ??= secrets.flatMap(formsOfSecret)).some((form) => text.includes(form)));
}

/** The text up to `end`, with each secret that begins before `end` replaced. Secrets that overlap are replaced as one. */
function redacted(text: string, searches: readonly SecretSearch[], end: number): string {
  const ranges = searches
    .flatMap((search) => search.rangesIn(text))
    .filter(({ from }) => from < end)
    .sort((one, other) => one.from - other.from);
  let result = "";
  let kept = 0;
  for (const { from, to } of ranges) {
    if (from >= kept) result += text.slice(kept, from) + REDACTED;
    kept = Math.max(kept, to);
  }
  return result + text.slice(kept, Math.max(kept, end));
}

/** A value as JSON, without the values of secret names, however short they are. */
export const inJson = (value: unknown): string =>
  JSON.stringify(value, (name, member: unknown) => (SECRET_NAMES.has(name) ? REDACTED : member));
