import { SECRET_NAMES } from "./secret-names";

const REDACTED = "[secret]";
/** Stands for a redacted text while the rest is searched: the word "secret" may be a password. */
const HOLE = "\ufffc";
/** Shorter texts are too common to be redacted wherever they occur. */
const MIN_LENGTH = 4;
/** The shortest line of a secret that is redacted alone. */
const MIN_LINE_LENGTH = 8;
/** How many times as long a secret may be in an encoding that is recognized, at most. */
const MAX_GROWTH = 16;
/** Members of credentials that are not secret alone. */
const USER_NAMES: ReadonlySet<string> = new Set(["username", "accessKeyId"]);

/** All texts under a secret name in a value, at any depth, but for members of the excepted names. */
export function secretsIn(root: unknown, except: ReadonlySet<string> = new Set()): readonly string[] {
  const found: string[] = [];
  // A queue in place of recursion, which a deeply nested value would overflow.
  const pending = [{ value: root, isSecret: false }];
  for (const { value, isSecret } of pending) {
    // Services return a mask in place of a secret, which any text may contain.
    if (typeof value === "string" && isSecret && !/^[*•]+$/.test(value)) found.push(value);
    if (typeof value !== "object" || value === null) continue;
    for (const [name, member] of Object.entries(value) as [string, unknown][]) {
      if (except.has(name)) continue;
      pending.push({ value: member, isSecret: isSecret || SECRET_NAMES.has(name) });
      if (name === "connectionString" && typeof member === "string") found.push(...secretMembersOf(member));
    }
  }
  return found;
}

/** Members of connection strings that are not secret. All others are, also those that a service adds later. */
const PUBLIC_MEMBER =
  /endpoint$|^(accountname|endpointsuffix|entitypath|sharedaccesskeyname|server|host|port|database|username)$/i;
/** A value in quotes, which may have a semicolon. */
const QUOTED_VALUE = /=\s*(?:"[^"]*"|'[^']*')/g;
const QUOTED = /^(["'])(.*)\1$/s;
/** Words and numbers that any message may have. */
const COMMON_VALUE = /^(true|false|yes|no|on|off|https?|\d{1,5})$/i;

/** The secrets in a connection string: the values of its members, each of which a server may quote alone, and those in URLs. */
export function secretMembersOf(connectionString: string): readonly string[] {
  const marked = connectionString.replace(QUOTED_VALUE, (quoted) => quoted.replaceAll(";", HOLE));
  return marked.split(";").flatMap((part) => {
    const member = part.replaceAll(HOLE, ";");
    const equals = member.indexOf("=");
    const name = member.slice(0, Math.max(0, equals)).trim();
    const isMember = equals >= 0 && !/[:/?]/.test(name);
    const text = member.slice(equals + 1).trim();
    const value = isMember ? text.replace(QUOTED, "$2") : member;
    if (isMember && COMMON_VALUE.test(value)) return [];
    const isSecret = isMember && !PUBLIC_MEMBER.test(name);
    return isSecret ? [value, ...secretsOfUrl(`?${value}`)] : secretsOfUrl(value);
  });
}

/** The password of a URL, and the signatures and keys in its query. */
const URL_SECRET = /\/\/[^/?#:@]*:([^/?#]*)@|[?&][^=?&]*(?:sig|key|token|secret|passw)[^=?&]*=([^&#]*)/gi;

const secretsOfUrl = (text: string): readonly string[] =>
  [...text.matchAll(URL_SECRET)].flatMap(([, password, value]) => password ?? value ?? []);

const fromJson = (text: string): string =>
  text.replace(/\\(?:u[\dA-Fa-f]{4}|[bfnrt"/\\])/g, (escape) => JSON.parse(`"${escape}"`) as string);

const fromUrl = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString());

/** The text with its base64 decoded, which may begin at any character of a word, and have line breaks. */
const fromBase64 = (text: string): string =>
  text
    .replace(/(?<=[\w+/-]{40})\s+/g, "")
    .replace(/[\w+/-]{6,}/g, (word) =>
      [0, 1, 2, 3].map((start) => Buffer.from(word.slice(start), "base64").toString()).join(" "),
    );

/** A text as servers may shorten it: white space and invisible characters become one space, as does the plus of a form. */
const squeezed = (text: string): string => text.replace(/[\s+\p{Cc}\p{Cf}]+/gu, " ").trim();

/** A text as it is, and as a reader takes it who decodes it once or twice. */
function readingsOf(text: string, decoders: readonly ((text: string) => string)[]): readonly string[] {
  const decoded = (one: string): readonly string[] => [one, ...decoders.map((decode) => decode(one))];
  const readings = new Set([...new Set(decoded(text.toWellFormed()))].flatMap(decoded));
  return [...new Set([...readings].flatMap((reading) => [reading, squeezed(reading)]))];
}

/** The secrets that this process has sent or stored. A server may repeat one in the answer to any later request. */
export class Secrets {
  readonly #readings = new Set<string>();

  constructor(...values: readonly unknown[]) {
    this.addFrom(...values);
  }

  add(...texts: readonly string[]): void {
    for (const text of texts) {
      const readings = readingsOf(text, [fromJson, fromUrl]);
      const lines = readings.flatMap((reading) => reading.split(/[\r\n]+/)).map((line) => line.trim());
      for (const reading of [...readings, ...lines.filter(({ length }) => length >= MIN_LINE_LENGTH)])
        if (reading.length >= MIN_LENGTH) this.#readings.add(reading);
    }
  }

  /** Adds the secrets of these values, but for user names, which are words that any message may have. */
  addFrom(...values: readonly unknown[]): void {
    this.add(...values.flatMap((value) => secretsIn(value, USER_NAMES)));
  }

  /** Whether a text has a secret: plain, in base64, URL-encoded, escaped as in JSON, or in two of these. */
  isIn(text: string): boolean {
    if (this.#readings.size === 0 || text.length < MIN_LENGTH) return false;
    const readings = readingsOf(text, [fromJson, fromUrl, fromBase64]);
    return [...this.#readings].some((secret) => readings.some((reading) => reading.includes(secret)));
  }

  redact(text: string): string {
    if (!this.isIn(text)) return text;
    const lines = text.split(/(\n)/).map((line) => this.#redacted(line.split(/(\s+)/)));
    return this.#redacted(lines).replaceAll(HOLE, REDACTED);
  }

  /** The beginning of a text, of about this length, without secrets: also without the part of one that the cut leaves. */
  redactStart(text: string, length: number): string {
    const longest = [...this.#readings].reduce((most, secret) => Math.max(most, secret.length), 0);
    const margin = MAX_GROWTH * longest;
    if (text.length <= length + margin) return this.redact(text);
    const redacted = this.redact(text.slice(0, length + margin));
    return redacted.slice(0, Math.max(0, redacted.length - margin));
  }

  /** The parts of a text joined, with a hole in place of the fewest that contain a secret. */
  #redacted(parts: readonly string[]): string {
    const between = (from: number, to: number): string => parts.slice(from, to).join("");
    let redacted = "";
    let start = 0;
    while (this.isIn(between(start, parts.length))) {
      let to = start + 1;
      while (!this.isIn(between(start, to))) to += 1;
      let from = to - 1;
      while (!this.isIn(between(from, to))) from -= 1;
      redacted += between(start, from) + HOLE;
      start = to;
    }
    return redacted + between(start, parts.length);
  }
}

/** The user names in a request, which are secret only in texts about it: any other text may have such a word. */
export function userNamesOf(request: unknown): Secrets {
  const others = new Set(secretsIn(request, USER_NAMES));
  const names = new Secrets();
  names.add(...secretsIn(request).filter((text) => !others.has(text)));
  return names;
}

/** A value as JSON, without the values of secret names, however short they are. */
export const inJson = (value: unknown): string =>
  JSON.stringify(value, (name, member: unknown) => (SECRET_NAMES.has(name) ? REDACTED : member));
