import { Secrets, secretsIn } from "../../../provider/src/api/redact";
import { redact } from "../../support/redact";
import { canary, formsOf } from "../../support/canary";

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

test("a secret inside a body that was echoed as base64 or in an address is found too", () => {
  const secret = 'pa"ss\\wörd/1';
  const body = JSON.stringify({ credentials: { username: "loader", password: secret } });
  const echoes = [Buffer.from(body).toString("base64"), encodeURIComponent(body)];
  const inner = JSON.stringify(secret).slice(1, -1);
  const [base64 = "", url = ""] = echoes.map((echo) => redact(echo, [secret]));
  expect(Buffer.from(base64.replace("[secret]", ""), "base64").toString()).not.toContain(inner.slice(3, -3));
  expect(decodeURIComponent(url)).not.toContain(inner);
});

test("of secrets that overlap in a text, nothing is left", () => {
  expect(redact("say hunter2-pass-word now", ["hunter2-pass", "pass-word"])).toBe("say [secret] now");
  expect(redact("hunter2hunter2", ["hunter2"])).toBe("[secret][secret]");
});

test("what is remembered of a resource is taken out of every later text, but for names of users", () => {
  const secrets = new Secrets();
  secrets.remember(
    { source: { kafka: { credentials: { username: "a-user", password: "a-password" } } } },
    { source: { kinesis: { accessKey: { accessKeyId: "a-key-id", secretKey: "a-secret-key" } } } },
  );
  expect(secrets.redact("a-user a-password a-key-id a-secret-key")).toBe("a-user [secret] a-key-id [secret]");
});

test("what stands in the request of a text is taken out of this one, names of users too", () => {
  const secrets = new Secrets();
  const request = { credentials: { username: "a-user", password: "a-password" } };
  expect(secrets.redact("a-user a-password", request)).toBe("[secret] [secret]");
  expect(secrets.redact("a-user a-password")).toBe("a-user a-password");
});

describe("the beginning of a long text", () => {
  test("is as long as asked for, and holds no part of a secret that goes on behind it", () => {
    const secrets = new Secrets();
    secrets.add("0123456789");
    expect(secrets.redactStart("ab 0123456789 cd", 5)).toBe("ab [secret]");
    expect(secrets.redactStart("ab 0123456789 cd", 3)).toBe("ab ");
    expect(secrets.redactStart("ab 0123456789 cd", 99)).toBe("ab [secret] cd");
  });

  test.each(Object.entries(formsOf(SECRET)).filter(([name]) => name !== "hex"))(
    "shows nothing of a secret that is written %s, wherever the cut falls",
    (_form, text) => {
      const secrets = new Secrets();
      secrets.add(SECRET);
      for (let at = 0; at <= text.length; at += 1) {
        const start = secrets.redactStart(`${"-".repeat(20)}${text}${"-".repeat(20)}`, 20 + at);
        expect(start.replaceAll("[secret]", "").replaceAll("-", "")).toBe("");
      }
    },
  );
});

test("a text is not compared with each of thousands of secrets that begin alike", () => {
  const connection = (key: number): string =>
    `DefaultEndpointsProtocol=https;AccountName=stagefiles;AccountKey=${String(key).padStart(60, "k")};EndpointSuffix=core`;
  const text = connection(801).repeat(500);
  const millisecondsWith = (count: number): number => {
    const secrets = new Secrets();
    for (let key = 0; key < count; key += 1) secrets.remember({ connectionString: connection(key) });
    secrets.redact("the first time, the forms of all are made");
    const start = performance.now();
    expect(secrets.redact(text)).toContain("AccountName=stagefiles");
    return performance.now() - start;
  };
  millisecondsWith(1);
  expect(millisecondsWith(800) / millisecondsWith(1)).toBeLessThan(80);
});

test("secrets that are added one after another are all taken out", () => {
  const secrets = new Secrets();
  for (let number = 1000; number < 1100; number += 1) {
    secrets.add(`secret-${number}`);
    expect(secrets.redact(`a secret-1000 b secret-${number} c`)).toBe("a [secret] b [secret] c");
  }
});
