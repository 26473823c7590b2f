import fc from "fast-check";
import { secretsIn } from "../../provider/src/api/redaction";
import { redact } from "../../testkit/redact";
import { leaks } from "../../testkit/canary";
import { anyPipe, CANARIES } from "./any-pipe";
import { holds } from "./parameters";

/** Texts as passwords are, and as they should not be. */
const secret = fc.oneof(
  fc.string({ minLength: 8, maxLength: 40 }),
  fc.string({ unit: "binary", minLength: 8, maxLength: 40 }),
  fc.base64String({ minLength: 8, maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(...Array.from("\"\\/+ %=&é€🔑\n\u0000<>'")),
    minLength: 8,
    maxLength: 20,
  }),
);
const around = fc.string({ maxLength: 30 });

describe("redact removes every form of any secret", () => {
  const readable = (text: string): string => Buffer.from(text).toString("utf8");

  test.each<[form: string, write: (secret: string, before: string, after: string) => string]>([
    ["plain", (text, before, after) => `${before}${text}${after}`],
    ["inside JSON", (text, before, after) => JSON.stringify({ before, text, after })],
    ["inside JSON inside JSON", (text) => JSON.stringify(JSON.stringify({ text }))],
    [
      "URL-encoded",
      (text, before, after) => encodeURIComponent(`${readable(before)}${text}${readable(after)}`),
    ],
    ["in a query", (text) => new URLSearchParams({ text }).toString()],
  ])("%s", (_form, write) =>
    holds(
      fc.property(secret, around, around, (text, before, after) => {
        const redacted = redact(write(text, before, after), [text]);
        const forms = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)];
        expect(forms.filter((form) => redacted.includes(form))).toEqual([]);
      }),
    ),
  );

  test("in base64 of any text around it, at each of the three places where it may begin", () => {
    const long = secret.filter((text) => Buffer.from(text).length >= 10);
    const bytes = fc.uint8Array({ maxLength: 9 });
    return holds(
      fc.property(long, bytes, bytes, (text, before, after) => {
        const whole = Buffer.concat([before, Buffer.from(text), after]);
        for (const encoding of ["base64", "base64url"] as const) {
          const redacted = redact(whole.toString(encoding), [text]);
          const found = leaks({ redacted }, [text]).filter(({ form }) => form.startsWith("base64"));
          expect(found).toEqual([]);
        }
      }),
    );
  });
});

describe("redact removes all secrets of any pipe from a text with its body", () => {
  const ascii = (text: string): string =>
    text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

  test.each<[form: string, write: (body: string) => string]>([
    ["as JSON", (body) => body],
    ["as JSON in ASCII", ascii],
    ["quoted in JSON", (body) => JSON.stringify({ error: `cannot use ${body}` })],
    ["URL-encoded", encodeURIComponent],
    ["in a query", (body) => new URLSearchParams({ body }).toString()],
    ["in base64", (body) => Buffer.from(body).toString("base64")],
    ["in base64url", (body) => Buffer.from(`x${body}`).toString("base64url")],
  ])("%s", (_form, write) => {
    const pipe = fc.oneof(...(["kafka", "objectStorage", "kinesis", "postgres"] as const).map(anyPipe));
    return holds(
      fc.property(pipe, (body) => {
        const redacted = redact(write(JSON.stringify(body)), secretsIn(body));
        expect(leaks({ redacted }, CANARIES)).toEqual([]);
      }),
    );
  });
});

test("redact keeps a text without secrets", () =>
  holds(
    fc.property(fc.string({ unit: fc.constantFrom("a", "b", "c", "d", " "), maxLength: 60 }), (text) => {
      expect(redact(text, ["UPPERCASE-secret"])).toBe(text);
    }),
  ));
