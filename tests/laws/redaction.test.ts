import fc from "fast-check";
import { leaks, redact } from "../kit/canary";
import { holds } from "./parameters";

const hardLetter = fc.constantFrom(...Array.from("\"\\/+ %=&é€🔑\n\u0000<>'"));

/** Texts as passwords are, and as they should not be. */
const secret = fc.oneof(
  fc.string({ minLength: 8, maxLength: 40 }),
  fc.string({ unit: "binary", minLength: 8, maxLength: 40 }),
  fc.base64String({ minLength: 8, maxLength: 40 }),
  fc.string({ unit: hardLetter, minLength: 8, maxLength: 20 }),
);
const around = fc.string({ maxLength: 30 });

const ascii = (text: string): string =>
  text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

const FORMS: readonly [form: string, write: (text: string) => string][] = [
  ["plain", (text) => text],
  ["in JSON", (text) => JSON.stringify({ text })],
  ["in JSON of ASCII", (text) => ascii(JSON.stringify({ text }))],
  ["in JSON inside JSON", (text) => JSON.stringify({ error: `cannot use ${JSON.stringify({ text })}` })],
  ["URL-encoded", encodeURIComponent],
  ["in a query", (text) => new URLSearchParams({ text }).toString()],
  ["in base64", (text) => Buffer.from(text).toString("base64")],
  ["in base64url", (text) => Buffer.from(text).toString("base64url")],
];

/** In these forms, which nobody reads at sight, a secret with control characters may stay. */
const HARD_TO_READ = [
  "JSON-escaped in ASCII",
  "JSON-escaped twice",
  "form-encoded",
  "HTML-escaped",
  "HTML-escaped in hexadecimal",
  "hex",
];

test.each(FORMS)("redact removes, from a text %s, any secret, wherever it begins", (form, write) =>
  holds(
    fc.property(secret, around, around, (text, before, after) => {
      fc.pre(!form.includes("base64") || Buffer.from(text).length >= 10);
      const written = write(`${before}${text}${after}`);
      const found = leaks({ redacted: redact(written, [text]) }, [text]);
      expect(found.filter((leak) => !HARD_TO_READ.includes(leak.form))).toEqual([]);
    }),
  ),
);
