import { secretMembersOf } from "../../../provider/src/api/connection-string";
import { Secrets } from "../../../provider/src/api/redaction";
import { canary, formsOf } from "../../../testkit/canary";

const KEY = "bXkvc2Vj+mV0LWtleQ==";
const AZURE = `DefaultEndpointsProtocol=https;AccountName=stagefiles;AccountKey=${KEY};EndpointSuffix=core.windows.net`;

test.each<[what: string, connectionString: string, secrets: string[]]>([
  ["a key, and not the names beside it", AZURE, [KEY]],
  [
    "a signature whole, its `sig` alone, and that decoded",
    "BlobEndpoint=https://a.example;SharedAccessSignature=sv=2024&sig=ab%2Bcd",
    ["sv=2024&sig=ab%2Bcd", "sv=2024&sig=ab+cd", "ab%2Bcd", "ab+cd"],
  ],
  ["a signature in an address", "BlobEndpoint=https://a.example/c?sv=2024&sig=abcd%3D", ["abcd%3D", "abcd="]],
  ["a password with spaces and quotes around it", `Server=h; Password = "a=b c" ;`, ["a=b c"]],
  ["the password of an address", "postgres://loader:p%40ss@db.example:5432/x", ["p%40ss", "p@ss"]],
  ["an unknown member", "AccountName=a;Zauberwort=abrakadabra", ["abrakadabra"]],
  ["nothing in switches and numbers", "Host=h;Encrypt=true;Timeout=30", []],
  ["nothing in a text without members", "s5", []],
])("of a connection string is secret: %s", (_, connectionString, secrets) => {
  expect(secretMembersOf(connectionString)).toEqual(secrets);
});

test("an endless connection string is searched without delay", () => {
  const start = performance.now();
  secretMembersOf(" ".repeat(200_000));
  secretMembersOf("=;".repeat(100_000));
  secretMembersOf("//a:".repeat(20_000));
  expect(performance.now() - start).toBeLessThan(2_000);
});

const secret = canary("account-key").replace(/[&;]/g, "");
const body = {
  source: { objectStorage: { connectionString: `AccountName=open;AccountKey=${secret};X=true` } },
};

test.each(Object.entries(formsOf(secret)).filter(([form]) => form !== "hex"))(
  "redacts a key that a server quotes without its connection string, %s",
  (_form, text) => {
    const secrets = new Secrets();
    secrets.addFrom(body);
    expect(secrets.redact(`before ${text} after`)).not.toContain(text);
    expect(new Secrets().redact(`before ${text} after`, body)).not.toContain(text);
  },
);

test("keeps the names in a connection string readable", () => {
  const secrets = new Secrets();
  secrets.addFrom(body);
  expect(secrets.redact("account open not found")).toBe("account open not found");
});
