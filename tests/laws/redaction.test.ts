import fc from "fast-check";
import { leaks, redact } from "../kit/canary";
import { holds } from "./parameters";

const hardLetter = fc.constantFrom(...Array.from("\"\\/+ %=&é€🔑\n\u0000<>'"));

/** Texts as passwords are, and as they should not be. Any message may have one of hardly more than white space. */
const secret = fc
  .oneof(
    fc.string({ minLength: 8, maxLength: 40 }),
    fc.string({ unit: "binary", minLength: 8, maxLength: 40 }),
    fc.base64String({ minLength: 8, maxLength: 40 }),
    fc.string({ unit: hardLetter, minLength: 8, maxLength: 20 }),
  )
  .filter((text) => text.replaceAll(/[\s+\p{Cc}\p{Cf}]/gu, "").length >= 4);
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

test.each(FORMS)("redact removes, from a text %s, any secret, wherever it begins", (_, write) =>
  holds(
    fc.property(secret, around, around, (text, before, after) => {
      const written = write(`${before}${text}${after}`);
      expect(leaks({ redacted: redact(written, [text]) }, [text])).toEqual([]);
    }),
  ),
);
