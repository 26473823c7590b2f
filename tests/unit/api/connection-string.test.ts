import { runInNewContext } from "node:vm";
import { secretMembersOf, Secrets } from "../../../provider/src/api/secrets/redaction";
import { canary, formsOf } from "../../kit/canary";
import { TEST_MS } from "../../kit/timeouts";
import { stringSteps } from "./string-steps";

const KEY = "bXkvc2Vj+mV0LWtleQ==";
const AZURE = `DefaultEndpointsProtocol=https;AccountName=stagefiles;AccountKey=${KEY};EndpointSuffix=core.windows.net`;

const SIGNATURE = "BlobEndpoint=https://a.example;SharedAccessSignature=sv=2024&sig=ab%2Bcd";
const SIGNED = ["sv=2024&sig=ab%2Bcd", "ab%2Bcd"];

test.each<[what: string, connectionString: string, secrets: string[]]>([
  ["a key, and not the names beside it", AZURE, [KEY]],
  ["a signature whole, and its `sig` alone", SIGNATURE, SIGNED],
  ["a signature in an address", "BlobEndpoint=https://a.example/c?sv=2024&sig=abcd%3D", ["abcd%3D"]],
  ["a password with spaces and quotes around it", `Server=h; Password = "a=b c" ;`, ["a=b c"]],
  ["the password of an address", "postgres://loader:p%40ss@db.example:5432/x", ["p%40ss"]],
  ["the first parameter of an address", "https://a.example/c?sig=abcd1&sv=2024", ["abcd1"]],
  ["an unknown member", "AccountName=a;Zauberwort=abrakadabra", ["abrakadabra"]],
  ["nothing in switches and numbers", "Host=h;Encrypt=true;Timeout=30", []],
  ["nothing in a text without members", "s5", []],
])("of a connection string is secret: %s", (_, connectionString, secrets) => {
  expect(secretMembersOf(connectionString)).toEqual(secrets);
});

test("redacts a member that a server quotes decoded", () => {
  const secrets = new Secrets({ connectionString: SIGNATURE });
  expect(secrets.redact("no: ab+cd is wrong")).toBe("no: [secret] is wrong");
});

test("the work for a connection string grows with its members, no faster", () => {
  const [ofFew = 0, ofMany] = [500, 4_000].map((count) => {
    const text = "=;".repeat(count);
    return stringSteps(() => secretMembersOf(text));
  });
  expect(ofMany).toBeLessThan(9 * ofFew);
});

test.each([
  ["blanks", " "],
  ["beginnings of addresses", "//a:"],
])("a connection string of two million %s is searched to its end", (_, part) => {
  const work = (): unknown => secretMembersOf(part.repeat(2_000_000));
  // An expression that tries each end for each beginning would take hours, and Jest cannot end a test without awaits.
  expect(runInNewContext("work()", { work }, { timeout: TEST_MS })).toEqual([]);
});

test("redacts the key of a connection string only, and keeps the names beside it", () => {
  const secrets = new Secrets();
  secrets.addFrom({ source: { objectStorage: { connectionString: AZURE } } });
  expect(secrets.redact(`no key ${KEY} of stagefiles`)).toBe("no key [secret] of stagefiles");
});

describe("the texts that hold a secret of some properties", () => {
  const password = canary("texts");
  const secrets = new Secrets({
    name: "orders",
    source: {
      objectStorage: { connectionString: "AccountName=demo;AccountKey=hunter-of-keys" },
      kafka: { credentials: { username: "loader", password } },
    },
    pin: { credentials: { password: "123" } },
  });
  const isSecret = (text: string): boolean => secrets.isIn(text);
  const forms = Object.entries(formsOf(password)).filter(([name]) => !/hex|HTML|from/.test(name));

  test.each([...forms, ["as a member of a connection string", "hunter-of-keys"]])("have it %s", (_, text) => {
    expect(isSecret(text)).toBe(true);
    expect(isSecret(`with ${text} inside`)).toBe(true);
  });

  test("are no others, and none where nothing is secret", () => {
    expect(["orders", "loader", "123", "demo", ""].filter(isSecret)).toEqual([]);
    expect(new Secrets({ name: "orders" }).isIn("orders")).toBe(false);
  });
});
