import { runInNewContext } from "node:vm";
import { secretMembersOf, Secrets } from "../../../provider/src/api/secrets/redaction";
import { TEST_MS } from "../../kit/timeouts";

const KEY = "bXkvc2Vj+mV0LWtleQ==";
const AZURE = `DefaultEndpointsProtocol=https;AccountName=stagefiles;AccountKey=${KEY};EndpointSuffix=core.windows.net`;

const SIGNATURE = "BlobEndpoint=https://a.example;SharedAccessSignature=sv=2024&sig=ab%2Bcd";

test.each<[what: string, connectionString: string, secrets: string[]]>([
  ["a key, and not the names beside it", AZURE, [KEY]],
  ["a signature whole, and its `sig` alone", SIGNATURE, ["sv=2024&sig=ab%2Bcd", "ab%2Bcd"]],
  ["a signature in an address", "BlobEndpoint=https://a.example/c?sv=2024&sig=abcd%3D", ["abcd%3D"]],
  ["a password with spaces and quotes around it", `Server=h; Password = "a=b c" ;`, ["a=b c"]],
  ["a password with a semicolon in quotes", `Server=h;Password="a=b;c";Key='d;e'`, ["a=b;c", "d;e"]],
  ["members with one apostrophe each", "Password=it's;Key=that's", ["it's", "that's"]],
  ["a key of an endpoint", "QueueEndpoint=https://q.example;QueueEndpointKey=k3y-of-it", ["k3y-of-it"]],
  ["the password of an address", "postgres://loader:p%40ss@db.example:5432/x", ["p%40ss"]],
  ["the first parameter of an address", "https://a.example/c?sig=abcd1&sv=2024", ["abcd1"]],
  ["an unknown member", "AccountName=a;Zauberwort=abrakadabra", ["abrakadabra"]],
  ["nothing in switches and numbers", "Host=h;Encrypt=true;Timeout=30", []],
  ["nothing in a text without members", "s5", []],
])("the secrets of a connection string: %s", (_, connectionString, secrets) => {
  expect(secretMembersOf(connectionString)).toEqual(secrets);
});

test("redacts a member that a server quotes decoded", () => {
  const secrets = new Secrets({ connectionString: SIGNATURE });
  expect(secrets.redact("no: ab+cd is wrong")).toBe("no: [secret] is wrong");
});

test.each([
  ["blanks", " "],
  ["beginnings of addresses", "//a:"],
  ["members", "a=on;"],
  ["quoted members", 'a="on";'],
])("a connection string of two million %s is searched to its end", (_, part) => {
  const work = (): unknown => secretMembersOf(part.repeat(2_000_000));
  // Work that is quadratic would take hours, and Jest cannot end a test without awaits.
  expect(runInNewContext("work()", { work }, { timeout: TEST_MS })).toEqual([]);
});
