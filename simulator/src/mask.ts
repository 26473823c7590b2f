import { contract, isUuid } from "./contract";
import type { Schema } from "./definition";
import type { Json } from "./json";
import { isObject } from "./json";

/** What is shown in place of a secret. */
export const MASK = "[secret]";

/** Shorter values are parts of other words: masking them would leave nothing to read. */
const MIN_SECRET = 4;

const normal = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

function writeOnlyNames({ properties = {}, items }: Schema): string[] {
  return [
    ...Object.entries(properties).flatMap(([name, field]) =>
      field.writeOnly ? [normal(name)] : writeOnlyNames(field),
    ),
    ...(items === undefined ? [] : writeOnlyNames(items)),
  ];
}

const WRITE_ONLY: ReadonlySet<string> = new Set(
  contract.operationIds.flatMap((operation) => writeOnlyNames(contract.operation(operation).body ?? {})),
);

/** Names of secrets that no schema lists: in bodies with a mistake, and in what control has edited. */
const SECRET_NAME =
  /passw|passphrase|pwd$|secret|token|credential|accesskey$|privatekey$|encryptionkey$|apikey$|accountkey$|connectionstring|authorization/;

function isMaskedField(name: string, value: Json): boolean {
  if (value === null) return false;
  return WRITE_ONLY.has(normal(name)) || (typeof value !== "boolean" && SECRET_NAME.test(normal(name)));
}

/** `AccountKey=…` of a connection string, `sig=…` of a URL. */
const SECRET_MEMBER = /((?:key|secret|passw(?:or)?d|pwd|token|signature|sig)=)([^;&\s"'\\]+)/gi;
/** `user:password@` of a URL. */
const USER_INFO = /(\/\/[^/?#\s:@]*:)([^/?#\s@]+)@/g;

/** Every string below a value. */
function strings(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  return isObject(value) ? Object.values(value).flatMap(strings) : [];
}

/** The values of secret members of a connection string or a URL. */
function members(text: string): string[] {
  if (!/[=@]/.test(text)) return [];
  return [...text.matchAll(SECRET_MEMBER), ...text.matchAll(USER_INFO)].map(([, , value = ""]) => value);
}

/** The secrets below a value, some more than once. A user name or the name of a role is none: other fields may state it. */
export function secretsIn(value: Json): string[] {
  if (typeof value === "string") return members(value);
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isSecret = SECRET_NAME.test(normal(name)) && !isObject(inner);
    return isSecret ? [...strings(inner), ...secretsIn(inner)] : secretsIn(inner);
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** JSON can have half a letter, which no URL can. */
const wellFormed = (text: string): string => Buffer.from(text).toString("utf8");

/** What every base64 text that contains the secret has in common, for each of the three places where it can begin. */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const own = [Math.ceil((offset * 8) / 6), Math.floor((padded.length * 8) / 6)] as const;
    return [padded.toString("base64").slice(...own), padded.toString("base64url").slice(...own)];
  });
}

/** The spellings of a secret. */
function formsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const ascii = escaped.replace(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const hex = Buffer.from(secret).toString("hex");
  return [
    secret,
    escaped,
    ascii,
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(wellFormed(secret)),
    new URLSearchParams([["", secret]]).toString().slice(1),
    hex,
    hex.toUpperCase(),
    ...base64Forms(secret),
  ];
}

/** Masks secrets by the names of their fields, and wherever else their values are. */
export class Mask {
  /** The forms of all secrets by their first letters, longest first: a secret can contain another one. */
  private readonly forms = new Map<string, string[]>();

  constructor(secrets: readonly string[]) {
    const all = secrets.flatMap((secret) => [secret, decoded(secret)]);
    const long = [...new Set(all)].filter((secret) => secret.length >= MIN_SECRET);
    const forms = [...new Set(long.flatMap(formsOf))].sort((a, b) => b.length - a.length);
    for (const form of forms) {
      const start = form.slice(0, MIN_SECRET);
      const others = this.forms.get(start);
      if (others === undefined) this.forms.set(start, [form]);
      else others.push(form);
    }
  }

  /** A value without secrets. */
  value(value: Json): Json {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        return [this.name(name), isMaskedField(name, inner) ? MASK : this.value(inner)];
      }),
    );
  }

  /** A text without secrets. An id stays, because other requests name it. */
  text(text: string): string {
    if (isUuid(text)) return text;
    return this.withoutForms(text).replace(SECRET_MEMBER, `$1${MASK}`).replace(USER_INFO, `$1${MASK}@`);
  }

  private withoutForms(text: string): string {
    let masked = "";
    let at = 0;
    while (at < text.length) {
      const found = this.forms
        .get(text.slice(at, at + MIN_SECRET))
        ?.find((form) => text.startsWith(form, at));
      masked += found === undefined ? text.charAt(at) : MASK;
      at += found?.length ?? 1;
    }
    return masked;
  }

  /** Names that a schema can have stay: a password may be `postgres`. */
  private name(name: string): string {
    return /^[a-z]{1,40}$/i.test(name) ? name : this.text(name);
  }
}
