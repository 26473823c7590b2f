import { Secrets, secretsIn, userNamesOf } from "../../../provider/src/api/secrets/redaction";
import { canary, redact } from "../../kit/canary";

const SECRET = canary("redact");

test.each<[what: string, text: string, secrets: string[], redacted: string]>([
  ["every occurrence", "pass=hunter22, again hunter22!", ["hunter22"], "[secret] again [secret]"],
  ["a secret that contains another secret", "abcdefgh abcd", ["abcd", "abcdefgh"], "[secret] [secret]"],
  ["a secret of four characters", "the pin is 1234", ["1234"], "the pin is [secret]"],
  ["a secret with signs of regular expressions", "a+b* $& c", ["a+b*", "$&xx"], "[secret] $& c"],
  ["a secret of dots, and no other text", "see .... and abcd", ["...."], "see [secret] and abcd"],
  ["a secret with half of a character", "say pass\ufffdword now", ["pass\ud83dword"], "say [secret] now"],
  ["a common word", "a secret is [secret]", ["secret"], "a [secret] is [secret]"],
  ["a secret of several words", "say open sesame now", ["open sesame"], "say [secret] now"],
  ["a secret over two lines", "a\nopen\n  sesame b\nc", ["open sesame"], "a\n[secret]\nc"],
  ["a secret of mostly blanks", "no: a    b here", ["a    b"], "no: [secret] here"],
])("redacts %s", (_, text, secrets, redacted) => {
  expect(redact(text, secrets)).toBe(redacted);
});

test("leaves a secret of fewer than four characters", () => {
  expect(redact("pin 123 of ab", ["123", "ab", ""])).toBe("pin 123 of ab");
});

test("leaves a part of a secret", () => {
  expect(redact("of kafka-production", ["kafka-production-1234"])).toBe("of kafka-production");
});

test("redacts all secrets that are added one by one", () => {
  const secrets = new Secrets();
  for (let number = 1000; number < 1100; number += 1) {
    secrets.add(`secret-${number}`);
    expect(secrets.redact(`a secret-1000 b secret-${number} c`)).toBe("a [secret] b [secret] c");
  }
});

test("a mask that a service returns is no secret, and a password that begins or ends like one is", () => {
  const passwords = ["****", "••••••", "**ab", "ab**"];
  expect(secretsIn(passwords.map((password) => ({ password })))).toEqual(["**ab", "ab**"]);
});

test("only a connection string has secrets among its members", () => {
  const text = "AccountName=a;AccountKey=key-of-account";
  expect(secretsIn({ connectionString: text })).toContain("key-of-account");
  expect(secretsIn({ note: text })).toEqual([]);
});

test("redacts user names only in texts about the request that has them", () => {
  const secrets = new Secrets();
  const request = {
    source: { kafka: { credentials: { username: "a-user", password: "a-password" } } },
    accessKey: { accessKeyId: "a-key-id", secretKey: "a-secret-key" },
  };
  secrets.addFrom(request);
  const text = "a-user a-password a-key-id a-secret-key";
  expect(secrets.redact(text)).toBe("a-user [secret] a-key-id [secret]");
  expect(userNamesOf(request).redact(text)).toBe("[secret] a-password [secret] a-secret-key");
});

const ENCODINGS: readonly [name: string, encode: (text: string) => string][] = [
  ["plain", (text) => text],
  ["JSON", (text) => JSON.stringify(text)],
  ["JSON in ASCII", (text) => JSON.stringify(text).replaceAll("é", String.raw`\u00e9`)],
  ["URL", encodeURIComponent],
  ["form", (text) => new URLSearchParams([["a", text]]).toString()],
  ["base64", (text) => Buffer.from(text).toString("base64")],
  ["base64url", (text) => Buffer.from(text).toString("base64url")],
];
const PAIRS = ENCODINGS.flatMap(([first, encodeFirst]) =>
  ENCODINGS.map(([second, encodeSecond]) => ({ first, encodeFirst, second, encodeSecond })),
);

test.each(PAIRS)("redacts a secret in $first in $second, whatever is around it", (pair) => {
  for (const around of ["", "x", "xy", '{"p":"']) {
    const inner = pair.encodeFirst(`${around}${SECRET}`);
    const written = pair.encodeSecond(`${around}${inner}${around}`);
    const redacted = redact(`before ${written} after`, [SECRET]);
    expect({ around, redacted }).toEqual({ around, redacted: "before [secret] after" });
  }
});

test.each([64, 76])("redacts base64 with a line break after each %d characters", (columns) => {
  const secret = "K3y-".repeat(40);
  const lines =
    Buffer.from(`id:${secret}`)
      .toString("base64")
      .match(new RegExp(`.{1,${columns}}`, "g")) ?? [];
  expect(redact(`auth\n${lines.join("\r\n")}\nrefused`, [secret])).toBe("auth\n[secret]\nrefused");
});

test.each([
  ["a long secret", "s-K3y".repeat(400), ""],
  ["a secret after white space", "s-K3y".repeat(12), " ".repeat(1_170)],
  ["an accented secret", "é-K3y".repeat(48), " ".repeat(1_000)],
])("the beginning of a text has no part of %s", (_, secret, before) => {
  const secrets = new Secrets({ password: secret });
  for (const [, encode] of ENCODINGS) {
    const text = `${before}${encode(secret)} ${encode(secret)} refused`;
    expect(secrets.redactStart(text, 1_200)).not.toMatch(/K3y|SzN5|tLM3|LUsze/);
  }
});

describe("a secret with line breaks", () => {
  const LINES = ["MIIBVgIBADANBgkqhkiG9w0BAQ+FAASC", "AUAwggE8AgEAAkEAq7BFUpkGp3+LQmlQ"];
  const PEM = `-----BEGIN PRIVATE KEY-----\n${LINES.join("\n")}\n-----END PRIVATE KEY-----\n`;

  test("is redacted where the server trims it", () => {
    expect(redact("for 'TrailPassw0rd77' no", ["TrailPassw0rd77\n"])).toBe("for [secret] no");
    const echo = Buffer.from("TrailPassw0rd77").toString("base64");
    expect(redact(`for ${echo} no`, ["TrailPassw0rd77\n"])).toBe("for [secret] no");
  });

  test.each([
    ["with CRLF", "pass-1\r\nword-2", "[secret]"],
    ["on one line", "pass-1 word-2", "key [secret] no"],
    ["indented", "pass-1\n    word-2", "[secret]"],
    ["as JSON", String.raw`pass-1\nword-2`, "key [secret] no"],
    ["as JSON with CRLF", String.raw`pass-1\r\nword-2`, "key [secret] no"],
  ])("is redacted %s", (_, written, redacted) => {
    expect(redact(`key ${written} no`, ["pass-1\nword-2\n"])).toBe(redacted);
  });

  test.each([PEM, PEM.replaceAll("\n", "\\n")])("shows no line of it: %j", (secret) => {
    const lines = LINES.map((line) => redact(`bad line ${line}, stop`, [secret]));
    expect(lines).toEqual(LINES.map(() => "bad line [secret] stop"));
  });
});
