import { callOf } from "../../../provider/src/api/operations";
import { envelopeOf, readAnswer } from "../../../provider/src/api/safe";
import { pipe, pipeBody, pipeSettings } from "../../../provider/src/api/wire";
import { withoutMark as withoutEngineMark } from "../../../provider/src/lifecycle/protocol/engine-values";
import { printableValue } from "../../../provider/src/messages/printable";

const SCOPE = { organizationId: "o", serviceId: "s" };
const listBackups = callOf("listBackups", SCOPE);
const updateService = callOf("updateService", SCOPE, { body: {} });

const answerOf = (text: string, status = 200) => ({ status, text, headers: { "content-type": "text/x" } });

const SIGNATURE = "4dabf18193072939515e22adb298388d";
/** As a run reads answers, whose values go to Pulumi's engine. */
const cleaning = {
  clean: (text: string) => printableValue(withoutEngineMark(text)),
  reservedNames: new Set([SIGNATURE]),
};

/** The result of an answer to `updateService`, which may be any object. */
const decoded = (member: string): unknown =>
  readAnswer(updateService, answerOf(`{"status":200,"requestId":"r","result":{"a":${member}}}`), cleaning);

const NO_FORMAT = "the response is not in the format of the API (text/x)";

test("reads an envelope with unknown members", () => {
  const text = '{"status":200,"result":{"b":1},"more":true}';
  expect(readAnswer(updateService, answerOf(text))).toEqual({ result: { b: 1 } });
});

test.each([
  ["", NO_FORMAT],
  ["null", NO_FORMAT],
  ["[]", NO_FORMAT],
  ['"text"', NO_FORMAT],
  ["{", NO_FORMAT],
  [" <!doctype html>", "the response is an HTML page"],
  ["{}", "the response has no result"],
])("says of the answer %j: %s", (text, problem) => {
  expect(readAnswer(updateService, answerOf(text))).toEqual({ problem });
});

test("says that an answer in another format has no content type", () => {
  const problem = "the response is not in the format of the API (no content type)";
  expect(readAnswer(updateService, { status: 200, text: "", headers: {} })).toEqual({ problem });
});

test("an answer is refused with its own status, or with that in the envelope", () => {
  expect(readAnswer(updateService, answerOf("", 404))).toEqual({ refusedWith: 404 });
  expect(readAnswer(updateService, answerOf('{"status":409}'))).toEqual({ refusedWith: 409 });
});

test("a member of an undocumented type hides no other member", () => {
  for (const other of ['"status":"200","requestId":7', '"status":null,"requestId":null'])
    expect(envelopeOf(`{${other},"result":[]}`)).toEqual({ result: [] });
});

test.each(["", "{}", '{"status":200,"result":7}'])("the answer %j to a deletion is enough", (text) => {
  expect(readAnswer(callOf("deletePipe", SCOPE, { id: "p" }), answerOf(text))).toEqual({ result: undefined });
});

test.each([
  ["lists", "[", "]"],
  ["objects", '{"a":', "}"],
])("a result may be nested a hundred deep and no deeper: %s", (_, open, close) => {
  const nested = (depth: number): unknown => decoded(`${open.repeat(depth)}1${close.repeat(depth)}`);
  expect(nested(99)).toHaveProperty("result");
  for (const depth of [100, 20_000])
    expect(nested(depth)).toEqual({ problem: "the result is nested too deeply" });
});

const asset = (name: string): string =>
  `[{"id":"1","kafka":{"${name}":"c44067f5952c0a294b673a41bacd8c17","path":"/etc/hostname"}}]`;
const withoutMark = [{ id: "1", kafka: { path: "/etc/hostname" } }];
const OF_JAVASCRIPT = `{"constructor":{"prototype":{}},"__pulumiOutput":true,"__proto__":{"x":1},"name":"n"}`;

const EVIL = "\u001b[2J\u001b]0;t\u0007\u009b\u202e\u2066\u061c\u2028";
const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB+/=\r\nabcd\n-----END CERTIFICATE-----\n";
const texts = (text: string) => ({ id: "1", at: text, names: [text], observed: { a: [{ b: text }] } });
const ordinary = { id: "1", settings: { dbms_max_threads: 0 }, list: [null, true, { _a: "__x" }] };
const unchanged = (text: unknown): [json: string, result: unknown] => [JSON.stringify(text), text];

test.each<[what: string, json: string, result: unknown]>([
  ["the first half of a character", String.raw`"cut \ud83d"`, "cut \ufffd"],
  ["both halves", String.raw`"whole \ud83d\ude00"`, "whole \u{1f600}"],
  ["the mark of an asset, secret or output", asset(SIGNATURE), withoutMark],
  ["that mark with an escape", asset(`\\u0034${SIGNATURE.slice(1)}`), withoutMark],
  ["members of SDKs and of JavaScript", OF_JAVASCRIPT, { name: "n" }],
  ["control characters", JSON.stringify([texts(`a${EVIL}b`)]), [texts("a [2J ]0;t b")]],
  ["control characters in a name", String.raw`{"a":{"\u001b[31m":1,"b":2}}`, { a: { b: 2 } }],
  ["control characters after an ID", String.raw`[{"id":"1\u001b"}]`, [{ id: "1 " }]],
  ["an ordinary object", ...unchanged(ordinary)],
  ["a certificate", ...unchanged(CERTIFICATE)],
  ["tabs and blanks", ...unchanged("\ta  b \t")],
  ["an emoji that is joined", ...unchanged({ text: "\u{1f468}\u200d\u{1f469}" })],
  ["Persian", ...unchanged({ text: "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645" })],
  ["a separator of columns", ...unchanged({ text: "\u0001" })],
])("reads an answer with %s", (_, json, result) => {
  expect(decoded(json)).toEqual({ result: { a: result } });
});

test.each([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
])("%s, which Pulumi takes for an unknown value, stays a text, and is no ID", (unknown) => {
  const text = unknown.replaceAll("-", "_");
  expect(decoded(JSON.stringify(unknown))).toEqual({ result: { a: text } });
  const list = readAnswer(listBackups, answerOf(JSON.stringify({ result: [{ id: unknown }] })), cleaning);
  expect(list).toEqual({ result: { items: [], leftOut: [{ id: text }], isComplete: false } });
});

test("only the settings of a pipe are written otherwise, not those of its source", () => {
  const id = "0a1b2c3d-0000-4000-8000-0000000000ee";
  const ours = { id, name: "a_b", source: { postgres: { settings: { syncIntervalSeconds: 1 } } } };
  const sent = pipeBody({ ...ours, settings: { dbmsMaxThreads: 1 } });
  expect(sent).toEqual({ ...ours, settings: { dbms_max_threads: 1 } });
  expect(pipe(sent, SCOPE)).toEqual({ ...ours, settings: { dbmsMaxThreads: 1 } });
  for (const settings of [null, undefined]) expect(pipe({ id, settings }, SCOPE)).toEqual({ id, settings });
});

test("a setting that becomes a reserved name in camelCase is dropped", () => {
  const settings = `{"_${SIGNATURE}":"x","4_dabf18193072939515e22adb298388d":1,"a_b":1}`;
  const { result } = decoded(settings) as { readonly result: { readonly a: unknown } };
  expect(pipeSettings(result.a, SCOPE)).toEqual({ aB: 1 });
});
