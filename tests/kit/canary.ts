import { Secrets } from "../../provider/src/api/secrets/redaction";
import { withValues, type JsonObject } from "./json";
import { pipeFieldTable } from "./pipe-fields";
import { minimal } from "./pipes";

/**
 * A secret that a test can look for: unlike anything else, and with characters that every encoding spells in its own
 * way, so that no form of it is found by accident or missed by luck.
 */
export function canary(name: string): string {
  return `${name}-"\\/+ %=&é-${name}`;
}

/** Every place where one of `texts` shows one of the canaries in any encoding. */
export function leaks(texts: Record<string, string>, canaries: readonly string[]) {
  return Object.entries(texts).flatMap(([name, text]) =>
    canaries.flatMap((secret) =>
      Object.entries(formsOf(secret)).flatMap(([form, written]) => {
        const at = text.indexOf(written);
        if (at < 0) return [];
        return [{ canary: secret, form, context: `${name}: ${text.slice(Math.max(0, at - 60), at + 80)}` }];
      }),
    ),
  );
}

function formsOf(secret: string): Record<string, string> {
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replace(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return {
    plain: secret,
    "JSON-escaped": json,
    "JSON-escaped in ASCII": ascii,
    "JSON-escaped twice": JSON.stringify(json).slice(1, -1),
    "URL-encoded": encodeURIComponent(secret),
    "form-encoded": new URLSearchParams([["", secret]]).toString().slice(1),
    "HTML-escaped": escapedForHtml(secret, (code) => `&#${code};`),
    "HTML-escaped in hexadecimal": escapedForHtml(secret, (code) => `&#x${code.toString(16).toUpperCase()};`),
    hex: Buffer.from(secret).toString("hex"),
    ...base64FormsOf(secret),
  };
}

/** Named where HTML has a short name; a number for the other characters that libraries escape. */
const escapedForHtml = (secret: string, numbered: (code: number) => string): string =>
  secret
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replace(/[/=é]/g, (character) => numbered(character.charCodeAt(0)));

/** What is common to the base64 of every text that holds the secret, for each of the three places it can begin at. */
function base64FormsOf(secret: string): Record<string, string> {
  const bytes = Buffer.from(secret);
  const forms: Record<string, string> = {};
  for (const offset of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const firstOwn = Math.ceil((offset * 8) / 6);
    const afterOwn = Math.floor((padded.length * 8) / 6);
    forms[`base64 from ${offset}`] = padded.toString("base64").slice(firstOwn, afterOwn);
    forms[`base64url from ${offset}`] = padded.toString("base64url").slice(firstOwn, afterOwn);
  }
  return forms;
}

/** The paths of every secret text of a pipe of this kind. The other two resources have none. */
export const secretFieldsOf = (kind: string): string[] =>
  pipeFieldTable
    .filter(({ path, type, isSecret }) => path.startsWith(`source.${kind}.`) && type === "string" && isSecret)
    .map(({ path }) => path);

/** The secret of a version. The registry's credentials never change, because that needs another pipe. */
export const canaryAt = (path: string, version = 1): string =>
  canary(`${path.replaceAll(".", "-")}-v${path.includes("schemaRegistry") ? 1 : version}`);

export const withCanaries = (args: JsonObject, kind: string, version = 1): JsonObject =>
  withValues(args, Object.fromEntries(secretFieldsOf(kind).map((path) => [path, canaryAt(path, version)])));

export const pipeCanaries = [1, 2, 3].flatMap((version) =>
  Object.keys(minimal)
    .flatMap(secretFieldsOf)
    .map((path) => canaryAt(path, version)),
);

/** A text as it is shown. */
export function redact(text: string, known: readonly string[]): string {
  const secrets = new Secrets();
  secrets.add(...known);
  return secrets.redact(text);
}
