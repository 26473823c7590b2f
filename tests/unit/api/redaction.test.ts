import { setTimeout } from "node:timers/promises";
import { Secrets, secretsIn } from "../../../provider/src/api/redaction";
import { canary, formsOf } from "../../../testkit/canary";
import { redact } from "../../../testkit/redact";
import { cpuMilliseconds } from "./cpu-time";

const SECRET = canary("redact");

/** How a text can be spelled, but for hexadecimal digits, which redaction does not know. */
const FORMS = Object.entries(formsOf(SECRET)).filter(([name]) => name !== "hex");

/** Redaction that knows these secrets. */
function knowing(...known: readonly string[]): Secrets {
  const secrets = new Secrets();
  for (const secret of known) secrets.add(secret);
  return secrets;
}

/** Redaction that knows many connection strings, which begin alike. */
function knowingConnections(count: number): Secrets {
  const secrets = new Secrets();
  for (let key = 0; key < count; key += 1) secrets.addFrom({ connectionString: connection(key) });
  secrets.redact("the first time, the forms of all are made");
  return secrets;
}
const connection = (key: number): string =>
  `DefaultEndpointsProtocol=https;AccountName=stagefiles;AccountKey=${String(key).padStart(60, "k")};EndpointSuffix=core`;

test.each<[what: string, text: string, secrets: string[], redacted: string]>([
  ["every occurrence", "pass=hunter22, again hunter22!", ["hunter22"], "pass=[secret], again [secret]!"],
  ["one that contains another one as a whole", "abcdefgh abcd", ["abcd", "abcdefgh"], "[secret] [secret]"],
  ["the longest one that the text has whole", "abcdxz", ["abcd", "abcdxx", "abcdzz"], "[secret]xz"],
  ["none that is shorter than four characters", "pin 123 of ab", ["123", "ab", ""], "pin 123 of ab"],
  ["one of four characters", "the pin is 1234", ["1234"], "the pin is [secret]"],
  ["no text as a regular expression", "a+b* $& c", ["a+b*", "$&xx"], "[secret] $& c"],
  ["no secret as a regular expression", "see .... and abcd", ["...."], "see [secret] and abcd"],
  ["all that overlap", "say hunter2-pass-word now", ["hunter2-pass", "pass-word"], "say [secret] now"],
  ["one right after the other", "hunter2hunter2", ["hunter2"], "[secret][secret]"],
  ["one with half of a character", "say pass\ufffdword now", ["pass\ud83dword"], "say [secret] now"],
])("redacts %s", (_, text, secrets, redacted) => {
  expect(redact(text, secrets)).toBe(redacted);
});

test("finds the secrets of a body: all texts under a secret name, at any depth", () => {
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
  expect([...secretsIn(body)].sort()).toEqual(["s1", "s2", "s3", "s4", "s5", "s6", "s7"]);
  expect([undefined, null, 5, "text", []].flatMap((value) => secretsIn(value))).toEqual([]);
});

test("finds a secret inside a body that was echoed as base64 or in an address", () => {
  const secret = 'pa"ss\\wörd/1';
  const body = JSON.stringify({ credentials: { username: "loader", password: secret } });
  const echoes = [Buffer.from(body).toString("base64"), encodeURIComponent(body)];
  const inner = JSON.stringify(secret).slice(1, -1);
  const [base64 = "", url = ""] = echoes.map((echo) => redact(echo, [secret]));
  expect(Buffer.from(base64.replace("[secret]", ""), "base64").toString()).not.toContain(inner.slice(3, -3));
  expect(decodeURIComponent(url)).not.toContain(inner);
});

test("redacts the secrets of a resource from every later text, except user names, which only a request's own text lacks", () => {
  const secrets = new Secrets();
  const request = { source: { kafka: { credentials: { username: "a-user", password: "a-password" } } } };
  const resource = {
    source: { kinesis: { accessKey: { accessKeyId: "a-key-id", secretKey: "a-secret-key" } } },
  };
  expect(secrets.redact("a-user a-password", request)).toBe("[secret] [secret]");
  expect(secrets.redact("a-user a-password")).toBe("a-user a-password");
  secrets.addFrom(request, resource);
  expect(secrets.redact("a-user a-password a-key-id a-secret-key")).toBe("a-user [secret] a-key-id [secret]");
});

describe("the beginning of a long text", () => {
  test("has the requested length, and no part of a secret that continues behind it", () => {
    const secrets = knowing("0123456789");
    expect(secrets.redactStart("ab 0123456789 cd", 5)).toBe("ab [secret]");
    expect(secrets.redactStart("ab 0123456789 cd", 3)).toBe("ab ");
    expect(secrets.redactStart("ab 0123456789 cd", 99)).toBe("ab [secret] cd");
  });

  test.each(FORMS)("shows nothing of a secret that is written %s, wherever the cut falls", (_form, text) => {
    const secrets = knowing(SECRET);
    expect(secrets.redact(`before ${text} after`)).not.toContain(text);
    for (let at = 0; at <= text.length; at += 1) {
      const start = secrets.redactStart(`${"-".repeat(20)}${text}${"-".repeat(20)}`, 20 + at);
      expect(start.replaceAll("[secret]", "").replaceAll("-", "")).toBe("");
    }
  });
});

test("compares no text with each of thousands of secrets that begin alike", () => {
  const text = connection(801).repeat(500);
  const millisecondsWith = (count: number): number => {
    const secrets = knowingConnections(count);
    return cpuMilliseconds(() => secrets.redact(text));
  };
  millisecondsWith(1);
  expect(millisecondsWith(800) / millisecondsWith(1)).toBeLessThan(80);
});

test("redacts all secrets that are added one by one", () => {
  const secrets = new Secrets();
  for (let number = 1000; number < 1100; number += 1) {
    secrets.add(`secret-${number}`);
    expect(secrets.redact(`a secret-1000 b secret-${number} c`)).toBe("a [secret] b [secret] c");
  }
});

describe("a secret that a server spells in another legal way", () => {
  const PASSWORD = `Qw9+<r&t>'z"y/é\\k=7%m`;
  const every = (spell: (code: number) => string): string =>
    Array.from(PASSWORD, (character) => spell(character.charCodeAt(0))).join("");
  const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
  const strict = encodeURIComponent(PASSWORD).replaceAll("'", "%27");

  test.each([
    ["Go", String.raw`Qw9+\u003cr\u0026t\u003e'z\"y/é\\k=7%m`],
    [".NET", String.raw`Qw9\u002B\u003Cr\u0026t\u003E\u0027z\u0022y/\u00E9\\k=7%m`],
    ["PHP", String.raw`Qw9+<r&t>'z\"y\/\u00e9\\k=7%m`],
    ["JSON with each character escaped", every((code) => `\\u${hex(code, 4)}`)],
    ["JSON with each character escaped in capitals", every((code) => `\\u${hex(code, 4).toUpperCase()}`)],
    ["JSON of JSON", JSON.stringify(String.raw`Qw9+\u003cr\u0026t\u003e'z\"y/é\\k=7%m`).slice(1, -1)],
    ["RFC 3986", strict],
    ["RFC 3986 in small letters", strict.replace(/%../g, (code) => code.toLowerCase())],
    ["RFC 3986 in capitals", strict.replace(/%../g, (code) => code.toUpperCase())],
    ["a URL encoded twice", encodeURIComponent(encodeURIComponent(PASSWORD))],
    ["a strict URL encoded twice", encodeURIComponent(strict)],
    ["a URL with each byte encoded", Buffer.from(PASSWORD).toString("hex").replace(/../g, "%$&")],
    ["a URL in Latin-1", every((code) => `%${hex(code, 2)}`)],
  ])("as %s does is redacted", (_name, spelled) => {
    expect(redact(`before "${spelled}" after`, [PASSWORD])).toBe('before "[secret]" after');
  });

  test("is redacted as a whole where the text around it has escapes, too", () => {
    expect(redact(String.raw`{\"a\":\"50%25\",\"p\":\"pass\u0077ord-1\"}`, ["password-1"])).toBe(
      String.raw`{\"a\":\"50%25\",\"p\":\"[secret]\"}`,
    );
  });

  test.each(["ends with \\", "100%", "%41%42%43", String.raw`C:\new\table`, String.raw`\\\\`, "a+b c%20d"])(
    "is redacted if it looks like an escape: %s",
    (secret) => {
      const spellings = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
      for (const spelled of spellings) expect(redact(`"${spelled}"`, [secret])).toBe('"[secret]"');
    },
  );
});

describe("a secret with line breaks", () => {
  const LINES = ["MIIBVgIBADANBgkqhkiG9w0BAQ+FAASC", "AUAwggE8AgEAAkEAq7BFUpkGp3+LQmlQ"];
  const PEM = `-----BEGIN PRIVATE KEY-----\n${LINES.join("\n")}\n-----END PRIVATE KEY-----\n`;

  test("is redacted where the server trims it", () => {
    expect(redact("for 'TrailPassw0rd77' no", ["TrailPassw0rd77\n"])).toBe("for '[secret]' no");
    expect(redact("for 'TrailPassw0rd77' no", [" \r\nTrailPassw0rd77 "])).toBe("for '[secret]' no");
    const echo = Buffer.from("TrailPassw0rd77").toString("base64");
    expect(redact(`for ${echo} no`, ["TrailPassw0rd77\n"])).toBe("for [secret] no");
  });

  test.each([
    ["with CRLF", PEM.trim().replaceAll("\n", "\r\n")],
    ["on one line", PEM.trim().replaceAll("\n", " ")],
    ["indented", PEM.trim().replaceAll("\n", "\n    ")],
    ["as JSON", JSON.stringify(PEM.trim()).slice(1, -1)],
    ["as JSON with CRLF", JSON.stringify(PEM.trim().replaceAll("\n", "\r\n")).slice(1, -1)],
  ])("is redacted %s", (_name, spelled) => {
    expect(redact(`key "${spelled}" no`, [PEM])).toBe('key "[secret]" no');
  });

  test.each([PEM, PEM.replaceAll("\n", "\\n")])("shows no line of it: %j", (secret) => {
    const lines = LINES.map((line) => redact(`bad line ${line}, stop`, [secret]));
    expect(lines).toEqual(LINES.map(() => "bad line [secret], stop"));
    expect(redact("no -----BEGIN PRIVATE KEY----- found", [secret])).toContain("BEGIN PRIVATE KEY");
  });
});

describe("a secret that the server cut", () => {
  const secret = 'hunter2-"pass"-word-é-1234';
  const [begin, end] = ["hunter2-pas", "word-1234"];

  test.each([
    [`no: ${begin}`, "no: [secret]"],
    [`no: "${begin}"`, 'no: "[secret]"'],
    [`no: ${begin}… (cut)`, "no: [secret]… (cut)"],
    [`no: ${begin}... (cut)`, "no: [secret]... (cut)"],
    [`{"error":"${begin}","more":1}`, '{"error":"[secret]","more":1}'],
    [`${end} is no password`, "[secret] is no password"],
    [`…${end} is no password`, "…[secret] is no password"],
    [`so ...${end} is no password`, "so ...[secret] is no password"],
    [`{"a":1,"error":"${end} is no password"}`, '{"a":1,"error":"[secret] is no password"}'],
  ])("is redacted at the edge of the server's words: %s", (text, redacted) => {
    expect(redact(text, ["hunter2-password-1234"])).toBe(redacted);
  });

  test("is redacted wherever the server cuts it, in each spelling", () => {
    const json = JSON.stringify(secret).slice(1, -1);
    for (const spelled of [secret, json, json.replace("é", "\\u00e9"), encodeURIComponent(secret)])
      for (let length = 14; length < spelled.length; length += 1)
        expect(redact(`no: ${spelled.slice(0, length)}`, [secret])).not.toContain("hunter2");
  });

  test("is not redacted where fewer than eight characters of it are left, or where the words continue", () => {
    const texts = ["no: hunter2", "no: hunter2-pass is what it begins with", "the last is word-1234 here"];
    expect(texts.map((text) => redact(text, ["hunter2-password-1234"]))).toEqual(texts);
  });

  test("is redacted in the beginning of a long text, too", () => {
    const secrets = knowing("hunter2-password-1234");
    expect(secrets.redactStart("word-1234 no hunter2-pass", 300)).toBe("[secret] no [secret]");
    const text = `${"x".repeat(290)} ${"hunter2-password-1234".replace(/./g, (c) => `%25${c.charCodeAt(0).toString(16)}`)}`;
    expect(secrets.redactStart(text, 300)).toBe(`${"x".repeat(290)} [secret]`);
  });
});

test("redacts the beginning of a text of megabytes without delay, with 800 connection strings known", async () => {
  const secrets = knowingConnections(800);
  for (const text of [connection(1), "\\", "%", "%25", "…", "\\u005c", connection(1).slice(0, 90)]) {
    // A text in one piece, as an answer is: `repeat` would leave it to the first read to join the pieces.
    const long = Buffer.alloc(20_000_000, text).toString();
    // The threads of the garbage collector may still be at work on its bytes, and their time counts, too.
    await setTimeout(50);
    expect(cpuMilliseconds(() => secrets.redactStart(long, 2400))).toBeLessThan(200);
  }
});

test("compares a long secret that repeats one character without delay", () => {
  const secrets = knowing(`${"a".repeat(10_000)}b`);
  secrets.redact("the first time, its forms are made");
  expect(cpuMilliseconds(() => secrets.redactStart("a".repeat(1_000_000), 2400))).toBeLessThan(1_000);
});
