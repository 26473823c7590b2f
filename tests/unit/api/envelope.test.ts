import { parseEnvelope, parseProblem } from "../../../provider/src/api/http/envelope";
import { sanitize } from "../../../provider/src/api/http/reserved";
import * as wire from "../../../provider/src/api/document/wire";

/** The result of an answer, as the provider reads it. */
const decoded = (result: string): unknown =>
  parseEnvelope(`{"status":200,"requestId":"r","result":${result}}`)?.result;

test("reads an envelope with unknown members and any result, and nothing else", () => {
  for (const text of ['{"status":200,"requestId":"r","result":[1],"more":true}', '{"result":null}'])
    expect(parseEnvelope(text)).toEqual(JSON.parse(text));
  const others = ["", "null", "[]", '"text"', "12", "{", "<html></html>"];
  expect(others.filter((text) => parseEnvelope(text) !== undefined)).toEqual([]);
});

test("a member of an undocumented type hides no other member", () => {
  for (const other of ['"status":"200","requestId":7', '"status":null,"requestId":null'])
    expect(parseEnvelope(`{${other},"result":[]}`)).toEqual({ result: [] });
});

/** The error of an answer, read without knowing a secret. */
const problemOf = (text: string) => parseProblem(text, (words, characters) => words.slice(0, characters));

test("leaves out each member of an error that has a secret, in a message with a note", () => {
  const startOf = (text: string): string | undefined => (text.includes("hunter2") ? undefined : text);
  const answer = { error: "BAD_REQUEST", message: "cannot use hunter2", requestId: "hunter2-1" };
  const note = "[left out: it repeats a secret]";
  const shown = { words: "BAD_REQUEST", shown: `BAD_REQUEST: ${note}` };
  expect(parseProblem(JSON.stringify(answer), startOf)).toEqual(shown);
  expect(parseProblem("plain hunter2", startOf)).toEqual({ words: "", shown: note });
});

describe("the server's own words", () => {
  test("have no control characters, and stay on one line", () => {
    const error = "a\u001b[31mred\r\n b\u202ec\u0007\u2028d";
    expect(problemOf(JSON.stringify({ error, requestId: "r\n1" })).words).toBe("a [31mred b c d");
    expect(problemOf("plain \u001b]0;title\u0007 text").words).toBe("plain ]0;title text");
  });

  test("have no value of a member with a secret name, however short", () => {
    const error = { at: "source", credentials: { username: "u", password: "p" }, accessKey: "k" };
    const { words } = problemOf(JSON.stringify({ error }));
    expect(words).toBe('{"at":"source","credentials":"[secret]","accessKey":"[secret]"}');
  });

  test.each<[text: string, words: string, more?: object]>([
    ['{"status":400,"requestId":"r","error":"BAD_REQUEST: no"}', "BAD_REQUEST: no", { requestId: "r" }],
    ['{"message":"no"}', "no"],
    ['{"error":"Bad","message":"no"}', "Bad: no"],
    ['{"error":{"code":7}}', '{"code":7}'],
    ['{"error":null}', ""],
    ["{}", ""],
    ["", ""],
    ["  plain words \n", "plain words"],
    ["[1]", "[1]"],
    ["<!DOCTYPE html><title>504</title>", "an HTML page"],
    ["\n <html lang=en>", "an HTML page"],
    ["<HTML>", "an HTML page"],
    ["<xml/>", "<xml/>"],
    ["see <html>", "see <html>"],
  ])("of %j are %j", (...[text, words, more = {}]) => {
    expect(problemOf(text)).toEqual({ words, shown: words, ...more });
  });

  const deep = `{"error":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;

  test.each([
    ["of JSON", JSON.stringify({ error: "x".repeat(5000) }), "x".repeat(150)],
    ["of a text", "y".repeat(5000), "y".repeat(150)],
    ["of JSON that is nested too deeply", deep, deep.slice(0, 150)],
  ])("are cut where they are long: %s", (_, text, start) => {
    expect(problemOf(text).words).toBe(`${start}…`);
  });
});

test.each([
  ["lists", 99, "[", "]"],
  ["objects", 99, '{"a":', "}"],
])("an answer may be nested a hundred deep and no deeper: %s", (_, levels, open, close) => {
  const nested = (depth: number): string => `{"result":${open.repeat(depth)}1${close.repeat(depth)}}`;
  expect(parseEnvelope(nested(levels))).toBeDefined();
  expect(parseEnvelope(nested(levels + 1))).toBeUndefined();
  expect(parseEnvelope(nested(20_000))).toBeUndefined();
});

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const asset = (name: string): string =>
  `[{"id":"1","kafka":{"${name}":"c44067f5952c0a294b673a41bacd8c17","path":"/etc/hostname"}}]`;
const withoutMark = [{ id: "1", kafka: { path: "/etc/hostname" } }];
const OF_JAVASCRIPT = `{"constructor":{"prototype":{}},"__pulumiOutput":true,"__provider":"x","name":"n"}`;

const EVIL = "\u001b[2J\u001b]0;t\u0007\u009b\u202e\u2066\u061c\u2028";
const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB+/=\r\nabcd\n-----END CERTIFICATE-----\n";
const texts = (text: string) => ({ id: "1", at: text, names: [text], observed: { a: [{ b: text }] } });
const [evil, clean] = [texts(`a${EVIL}b`), texts("a [2J ]0;t b")];
const ordinary = { id: "1", settings: { dbms_max_threads: 0 }, list: [null, true, { _a: "__x" }] };
const unchanged = (text: unknown): [json: string, result: unknown] => [JSON.stringify(text), text];

test.each<[what: string, json: string, result: unknown]>([
  ["the first half of a character", String.raw`"cut \ud83d"`, "cut \ufffd"],
  ["the second half of a character", String.raw`"\uDE00 cut"`, "\ufffd cut"],
  ["both halves", String.raw`"whole \ud83d\ude00"`, "whole \u{1f600}"],
  ["a half before both", String.raw`"two \ud83d\ud83d\ude00"`, "two \ufffd\u{1f600}"],
  ["what is no escape", String.raw`"no \\ud83d"`, String.raw`no \ud83d`],
  ["a backslash and a half", String.raw`"a \\\ud83d"`, "a \\\ufffd"],
  ["halves in a name and in a list", String.raw`{"\udfff":1,"a":["\ud800"]}`, { a: ["\ufffd"] }],
  ["the mark of an asset, secret or output", asset(SIGNATURE), withoutMark],
  ["that mark with an escape", asset(`\\u0034${SIGNATURE.slice(1)}`), withoutMark],
  ["members of SDKs and of JavaScript", OF_JAVASCRIPT, { name: "n" }],
  ["control characters in a list of objects", JSON.stringify([evil]), [clean]],
  ["control characters in an object", JSON.stringify(evil), clean],
  ["control characters in a name", String.raw`{"a":{"\u001b[31m":1,"b":2}}`, { a: { b: 2 } }],
  // The client refuses it.
  ["control characters in the id of an object", String.raw`[{"id":"1\u001b"}]`, [{ id: "1\ufffd" }]],
  ["an ordinary object", ...unchanged(ordinary)],
  ["a certificate", ...unchanged(CERTIFICATE)],
  ["tabs and blanks", ...unchanged("\ta  b \t")],
  ["an emoji that is joined", ...unchanged({ text: "\u{1f468}\u200d\u{1f469}" })],
  ["Persian", ...unchanged({ text: "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645" })],
  ["a separator of columns", ...unchanged({ text: "\u0001" })],
])("reads an answer with %s", (_, json, result) => {
  expect(decoded(json)).toEqual(result);
});

test("an answer changes no prototype", () => {
  const result = decoded(`{"__proto__":{"polluted":1},"name":"n"}`) as object;
  expect(Object.keys(result)).toEqual(["name"]);
  expect([Object.getPrototypeOf(result), "polluted" in result]).toEqual([Object.prototype, false]);
});

test("a setting that becomes a reserved name in camelCase is dropped", () => {
  const settings = decoded(`{"_${SIGNATURE}":"x","4_dabf18193072939515e22adb298388d":1,"a_b":1}`);
  expect(wire.settingsFromWire(settings as wire.WireObject)).toEqual({ aB: 1 });
});

/** What Pulumi takes for an unknown value, one of each type. */
const UNKNOWNS = `04da6b54-80e4-46f7-96ec-b56ff0331ba9 1c4a061d-8072-4f0a-a4cb-0ff528b18fe7
  3eeb2bf0-c639-47a8-9e75-3b44932eb421 6a19a0b0-7e62-4c92-b797-7f8e31da9cc2
  030794c1-ac77-496b-92df-f27374a8bd58 e48ece36-62e2-4504-bad9-02848725956a
  dd056dcd-154b-4c76-9bd3-c8f88648b5ff`.split(/\s+/);

test("a text that Pulumi takes for an unknown value stays a text", () => {
  const [name] = UNKNOWNS;
  const capitals = UNKNOWNS.map((unknown) => unknown.toUpperCase());
  expect(decoded(JSON.stringify({ name, list: UNKNOWNS }))).toEqual({ name: capitals[0], list: capitals });
});

test("reads each member of a list of ten thousand pipes once", () => {
  let reads = 0;
  const get = (pipe: object, name: string): unknown => {
    reads += 1;
    return Reflect.get(pipe, name);
  };
  const list = Array.from({ length: 10_000 }, () => new Proxy({ id: "1", name: "orders" }, { get }));
  expect(sanitize({ result: list })).toBe(true);
  expect(reads).toBe(2 * 10_000);
});

test("only the settings of a pipe are spelled otherwise, not those of its source", () => {
  const pipe = { name: "a_b", source: { postgres: { settings: { syncIntervalSeconds: 1 } } } };
  const sent = wire.pipeToWire({ ...pipe, settings: { dbmsMaxThreads: 1 } });
  expect(sent).toEqual({ ...pipe, settings: { dbms_max_threads: 1 } });
  expect(wire.pipeFromWire(sent)).toEqual({ ...pipe, settings: { dbmsMaxThreads: 1 } });
});

test("a pipe without settings stays as it is", () => {
  for (const pipe of [{ name: "a" }, { settings: null }, { settings: undefined }]) {
    expect(wire.pipeToWire(pipe)).toBe(pipe);
    expect(wire.pipeFromWire(pipe)).toBe(pipe);
  }
});
