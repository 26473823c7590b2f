import fc from "fast-check";
import { redact, secretsIn } from "../../../provider/src/api/redact";
import { canary, formsOf, leaks } from "../../support/canary";

const SECRET = canary("redact");

test.each(Object.entries(formsOf(SECRET)).filter(([name]) => name !== "hex"))(
  "a secret that is written %s is taken out",
  (_form, text) => {
    expect(redact(`before ${text} after`, [SECRET])).not.toContain(text);
  },
);

test("every occurrence is taken out, and the words around it stay", () => {
  expect(redact("pass=hunter22, again hunter22!", ["hunter22"])).toBe("pass=[secret], again [secret]!");
});

test("a secret that holds another one is taken out whole", () => {
  expect(redact("abcdefgh abcd", ["abcd", "abcdefgh"])).toBe("[secret] [secret]");
});

test("what is shorter than four characters is left alone", () => {
  expect(redact("the pin is 123 of ab", ["123", "ab", ""])).toBe("the pin is 123 of ab");
  expect(redact("the pin is 1234", ["1234"])).toBe("the pin is [secret]");
});

test("a text is not read as an expression, and neither is a secret", () => {
  expect(redact("a+b* $& c", ["a+b*", "$&xx"])).toBe("[secret] $& c");
  expect(redact("see .... and abcd", ["...."])).toBe("see [secret] and abcd");
});

test("the secrets of a body are all texts under a secret name, at any depth", () => {
  const body = {
    name: "open",
    source: {
      kafka: {
        brokers: "open",
        credentials: { username: "s1", password: "s2", more: { deep: ["s3", 4, null] } },
        schemaRegistry: { url: "open", credentials: { username: "s4" } },
      },
      objectStorage: { connectionString: "s5", accessKey: { secretKey: "s6" } },
    },
    list: [{ accessKey: "s7" }],
  };
  expect(secretsIn(body)).toEqual(["s1", "s2", "s3", "s4", "s5", "s6", "s7"]);
  expect([undefined, null, 5, "text", []].flatMap((value) => secretsIn(value))).toEqual([]);
});

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

describe("for any secret, no form of it is left", () => {
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
  ])("%s", (_form, write) => {
    fc.assert(
      fc.property(secret, around, around, (text, before, after) => {
        const redacted = redact(write(text, before, after), [text]);
        const forms = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)];
        expect(forms.filter((form) => redacted.includes(form))).toEqual([]);
      }),
    );
  });

  test("in base64 of any text around it, at each of the three places where it may begin", () => {
    const long = secret.filter((text) => Buffer.from(text).length >= 10);
    fc.assert(
      fc.property(
        long,
        fc.uint8Array({ maxLength: 9 }),
        fc.uint8Array({ maxLength: 9 }),
        (text, before, after) => {
          const bytes = Buffer.concat([before, Buffer.from(text), after]);
          for (const encoding of ["base64", "base64url"] as const) {
            const encoded = bytes.toString(encoding);
            const found = leaks({ text: redact(encoded, [text]) }, [text]).filter(({ form }) =>
              form.startsWith("base64"),
            );
            expect(found).toEqual([]);
          }
        },
      ),
    );
  });
});

test("a text without secrets stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "b", "c", "d", " "), maxLength: 60 }), (text) => {
      expect(redact(text, ["UPPERCASE-secret"])).toBe(text);
    }),
  );
});

test("a secret inside a body that was echoed as base64 or in an address is found too", () => {
  const secret = 'pa"ss\\wörd/1';
  const body = JSON.stringify({ credentials: { username: "loader", password: secret } });
  const echoes = [Buffer.from(body).toString("base64"), encodeURIComponent(body)];
  const inner = JSON.stringify(secret).slice(1, -1);
  const [base64 = "", url = ""] = echoes.map((echo) => redact(echo, [secret]));
  expect(Buffer.from(base64.replace("[secret]", ""), "base64").toString()).not.toContain(inner.slice(3, -3));
  expect(decodeURIComponent(url)).not.toContain(inner);
});
