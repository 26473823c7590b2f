import { Secrets, secretsIn, userNamesOf } from "../../../provider/src/api/secrets/redaction";
import { canary, formsOf } from "../../../testkit/canary";
import { redact, startOf } from "../../../testkit/redact";
import { stringSteps } from "./string-steps";

const SECRET = canary("redact");

/** How a text can be spelled, but for hexadecimal digits, which redaction does not know. */
const FORMS = Object.entries(formsOf(SECRET)).filter(([name]) => name !== "hex");

/** Redaction that knows many connection strings, which begin alike. */
function knowingConnections(count: number): Secrets {
  const secrets = new Secrets();
  for (let key = 0; key < count; key += 1) secrets.addFrom({ connectionString: connection(key) });
  secrets.startOf("the first time, the forms of all are made", 40);
  return secrets;
}
const connection = (key: number): string =>
  `DefaultEndpointsProtocol=https;AccountName=stagefiles;AccountKey=${String(key).padStart(60, "k")};EndpointSuffix=core`;

describe("in a text of the provider", () => {
  const spelled = "one\ntwo &#104;unter2\n3 hunter2";

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
    ["a common word", "a secret is [secret]", ["secret"], "a [secret] is [[secret]]"],
    ["no half of one", "of kafka-production", ["kafka-production-1234"], "of kafka-production"],
    ["only the line that a server spells in its own way", spelled, ["hunter2"], "one\n[secret]\n3 [secret]"],
  ])("redacts %s", (_, text, secrets, redacted) => {
    expect(redact(text, secrets)).toBe(redacted);
  });

  test("redacts all secrets that are added one by one", () => {
    const secrets = new Secrets();
    for (let number = 1000; number < 1100; number += 1) {
      secrets.add(`secret-${number}`);
      expect(secrets.redact(`a secret-1000 b secret-${number} c`)).toBe("a [secret] b [secret] c");
    }
  });
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

describe("a text of a server is left out", () => {
  test.each(FORMS)("with a secret written %s, also where it goes on behind the end", (_form, text) => {
    const secrets = new Secrets();
    secrets.add(SECRET);
    const words = `${"-".repeat(20)}${text}${"-".repeat(20)}`;
    for (let shown = 21; shown <= words.length; shown += 1)
      expect(secrets.startOf(words, shown)).toBeUndefined();
  });

  test.each([
    ["with the first half of a secret", "no: hunter2-pass"],
    ["with the second half of a secret", "…sword-12345 is no password"],
    ["with the first half in base64", Buffer.from("no: hunter2-pass").toString("base64")],
  ])("%s", (_, text) => {
    expect(startOf(text, ["hunter2-password-12345"])).toBeUndefined();
  });

  test("and no other: it has so many characters as are shown", () => {
    expect(startOf("no: hunter2", ["hunter2-password-12345"])).toBe("no: hunter2");
    expect(new Secrets().startOf("ab 0123456789 cd", 5)).toBe("ab 01");
  });
});

describe("a secret that a server spells in another legal way", () => {
  const PASSWORD = `Qw9+<r&t>'z"y/é\\k=7%m`;
  const every = (spell: (code: number) => string): string =>
    Array.from(PASSWORD, (character) => spell(character.charCodeAt(0))).join("");
  const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
  const strict = encodeURIComponent(PASSWORD).replaceAll("'", "%27");
  const body = JSON.stringify({ credentials: { username: "loader", password: PASSWORD } });

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
    ["the base64 of a body", Buffer.from(body).toString("base64")],
    ["a URL with a body", encodeURIComponent(body)],
    ["HTML with each character as a number", every((code) => `&#${code};`)],
    ["HTML in JSON", JSON.stringify(`Qw9+&lt;r&amp;t&gt;&apos;z&quot;y/&#xE9;\\k=7%m`)],
  ])("as %s does is found", (_name, spelled) => {
    expect(startOf(`before "${spelled}" after`, [PASSWORD])).toBeUndefined();
    expect(redact(`before "${spelled}" after`, [PASSWORD])).toMatch(/^(before ")?.*\[secret\].*(" after)?$/);
  });

  test.each(["ends with \\", "100%", "%41%42%43", String.raw`C:\new\table`, String.raw`\\\\`, "a+b c%20d"])(
    "is redacted if it looks like an escape: %s",
    (secret) => {
      const spellings = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
      for (const spelled of spellings) expect(redact(`"${spelled}"`, [secret])).toBe('"[secret]"');
    },
  );

  test.each(["        ", "a    b", "  \t\n  x"])("is found if it has mostly blanks: %j", (secret) => {
    const form = new URLSearchParams([["", secret]]).toString().slice(1);
    const escaped = secret.replace(/./gsu, (blank) => `\\u${hex(blank.charCodeAt(0), 4)}`);
    for (const spelled of [secret, form, escaped, JSON.stringify(secret), encodeURIComponent(secret)])
      expect([spelled, startOf(`no:"${spelled}"!`, [secret])]).toEqual([spelled, undefined]);
  });
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
    ["with CRLF", "pass-1\r\nword-2"],
    ["on one line", "pass-1 word-2"],
    ["indented", "pass-1\n    word-2"],
    ["as JSON", String.raw`pass-1\nword-2`],
    ["as JSON with CRLF", String.raw`pass-1\r\nword-2`],
  ])("is found %s", (_name, spelled) => {
    expect(startOf(`key "${spelled}" no`, ["pass-1\nword-2\n"])).toBeUndefined();
    expect(redact(`key "${spelled}" no`, ["pass-1\nword-2\n"])).not.toMatch(/pass-1[^]*word-2/);
  });

  test.each([PEM, PEM.replaceAll("\n", "\\n")])("shows no line of it: %j", (secret) => {
    const lines = LINES.map((line) => redact(`bad line ${line}, stop`, [secret]));
    expect(lines).toEqual(LINES.map(() => "bad line [secret], stop"));
    expect(redact("no -----BEGIN PRIVATE KEY----- found", [secret])).toContain("BEGIN PRIVATE KEY");
  });
});

describe("the work with hundreds of connection strings", () => {
  const COUNTS = [20, 160] as const;
  const [few, many] = [knowingConnections(COUNTS[0]), knowingConnections(COUNTS[1])];
  const line = `pipe "orders" of service 0b1e2c3d-0000-4000-8000-000000000000: waiting until it is Running.`;
  const redactLines = (secrets: Secrets, count: number) => (): void => {
    for (let done = 0; done < count; done += 1) secrets.redact(line);
  };

  test.each([
    ["connection strings", connection(1)],
    ["backslashes", "\\"],
    ["percent signs", "%"],
    ["encoded percent signs", "%25"],
    ["ellipses", "…"],
    ["escaped backslashes", "\\u005c"],
    ["beginnings of connection strings", connection(1).slice(0, 90)],
  ])("depends on the beginning of a text of %s, and not on its length", (_, text) => {
    const [steps, ofLong] = [5_000, 20_000].map((length) => {
      const read = Buffer.alloc(length, text).toString();
      return stringSteps(() => few.startOf(read, 300));
    });
    expect(steps).toBe(ofLong);
  });

  test("is the same for each line without a secret, and with eight times as many strings", () => {
    const steps = stringSteps(redactLines(few, 1));
    expect(stringSteps(redactLines(few, 8))).toBe(8 * steps);
    expect(stringSteps(redactLines(many, 1))).toBe(steps);
  });

  test("grows with their number, no faster, to learn them and where a text quotes one", () => {
    const [learnFew = 0, learnMany] = COUNTS.map((count) => stringSteps(() => knowingConnections(count)));
    expect(learnMany).toBeLessThan(9 * learnFew);
    const [quoteFew = 0, quoteMany] = [few, many].map((secrets) =>
      stringSteps(() => secrets.redact(connection(1))),
    );
    expect(quoteMany).toBeLessThan(9 * quoteFew);
  });
});
