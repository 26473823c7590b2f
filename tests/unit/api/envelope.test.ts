import { isHtml, parseEnvelope, parseProblem } from "../../../provider/src/api/envelope";
import { Secrets } from "../../../provider/src/api/redaction";

describe("a success", () => {
  test("is read with all members, unknown ones included", () => {
    expect(parseEnvelope('{"status":200,"requestId":"r","result":[1],"more":true}')).toEqual({
      status: 200,
      requestId: "r",
      result: [1],
      more: true,
    });
  });

  test("whose result is null has a result", () => {
    expect(parseEnvelope('{"result":null}')).toHaveProperty("result", null);
  });

  test.each(["", "null", "[]", '"text"', "12", "{", "<html></html>"])("is not %j", (text) => {
    expect(parseEnvelope(text)).toBeUndefined();
  });
});

test.each(['{"status":"200","requestId":7,"result":[]}', '{"status":null,"requestId":null,"result":[]}'])(
  "a member of an undocumented type hides no other member: %s",
  (text) => {
    expect(parseEnvelope(text)).toEqual({ result: [] });
  },
);

test("redacts each member of an error separately, because a server may have cut one", () => {
  const secrets = new Secrets();
  secrets.add("hunter2-password-1234");
  const { words } = parseProblem(
    JSON.stringify({ error: "no: hunter2-pass", message: "word-1234 is no password" }),
    (text, characters) => secrets.redactStart(text, characters),
  );
  expect(words).toBe("no: [secret]: [secret] is no password");
});

describe("the server's own words", () => {
  test("have no control characters, and stay on one line", () => {
    const { words } = parseProblem(
      JSON.stringify({ error: "a\u001b[31mred\r\n b\u202ec\u0007\u2028d", requestId: "r\n1" }),
    );
    expect(words).toBe("a [31mred b c d");
    expect(parseProblem("plain \u001b]0;title\u0007 text").words).toBe("plain ]0;title text");
  });

  test("have no value of a member with a secret name, however short", () => {
    const error = { at: "source", credentials: { username: "u", password: "p" }, accessKey: "k" };
    const { words } = parseProblem(JSON.stringify({ error }));
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
  ])("of %j are %j", (...[text, words, more = {}]) => {
    expect(parseProblem(text)).toEqual({ words, ...more });
  });

  test("are cut where they are long", () => {
    const { words } = parseProblem(JSON.stringify({ error: "x".repeat(5000) }));
    expect(words).toBe(`${"x".repeat(150)}…`);
    expect(parseProblem("y".repeat(5000)).words).toHaveLength(151);
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

test("an error that is nested deeper is repeated as a text", () => {
  const text = `{"error":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  expect(parseProblem(text).words).toBe(`${text.slice(0, 150)}…`);
});

test("recognizes an HTML page among other texts", () => {
  expect(["<!doctype HTML>", "<HTML>", "  <html>"].map(isHtml)).toEqual([true, true, true]);
  expect(["{}", "<xml/>", "see <html>"].map(isHtml)).toEqual([false, false, false]);
});

test.each([
  [String.raw`"cut \ud83d"`, "cut \ufffd"],
  [String.raw`"\uDE00 cut"`, "\ufffd cut"],
  [String.raw`"whole \ud83d\ude00"`, "whole \u{1f600}"],
  [String.raw`"two halves \ud83d\ud83d\ude00"`, "two halves \ufffd\u{1f600}"],
  [String.raw`"no escape \\ud83d"`, String.raw`no escape \ud83d`],
  [String.raw`"a backslash and a half \\\ud83d"`, "a backslash and a half \\\ufffd"],
  [String.raw`{"\udfff":["\ud800"]}`, { "\ufffd": ["\ufffd"] }],
])("an answer with half of a character in %s is read", (json, result) => {
  expect(parseEnvelope(`{"status":200,"requestId":"r","result":${json}}`)?.result).toEqual(result);
});
