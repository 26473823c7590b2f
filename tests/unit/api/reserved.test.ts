import { parseEnvelope } from "../../../provider/src/api/envelope";
import { sanitize } from "../../../provider/src/api/reserved";
import { settingsFromWire, type WireObject } from "../../../provider/src/api/wire";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const ASSET = "c44067f5952c0a294b673a41bacd8c17";

const decoded = (result: string): unknown =>
  parseEnvelope(`{"status":200,"requestId":"r","result":${result}}`)?.result;

test("drops the member of an answer that would mark an asset, archive, secret, reference or output", () => {
  const asset = `{"${SIGNATURE}":"${ASSET}","path":"/etc/hostname"}`;
  expect(decoded(`[{"id":"1","source":{"kafka":{"brokers":${asset},"topics":"t"}}}]`)).toEqual([
    { id: "1", source: { kafka: { brokers: { path: "/etc/hostname" }, topics: "t" } } },
  ]);
});

test("drops the marking member also when JSON escapes spell it", () => {
  expect(decoded(`{"\\u0034${SIGNATURE.slice(1)}":"${ASSET}","a":1}`)).toEqual({ a: 1 });
});

test("a setting that becomes a reserved name in camelCase is dropped", () => {
  const settings = decoded(`{"_${SIGNATURE}":"${ASSET}","4_dabf18193072939515e22adb298388d":1,"a_b":1}`);
  expect(settingsFromWire(settings as WireObject)).toEqual({ aB: 1 });
});

test("members of SDKs and of JavaScript are dropped, and no prototype changes", () => {
  const result = decoded(
    `{"__proto__":{"polluted":1},"constructor":{"prototype":{}},"__pulumiOutput":true,"__provider":"x","name":"n"}`,
  ) as object;
  expect(Object.keys(result)).toEqual(["name"]);
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect("polluted" in result).toBe(false);
});

test.each([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
])("the value %s stays a string and means no unknown value", (unknown) => {
  expect(decoded(`{"name":"${unknown}","list":["${unknown}"]}`)).toEqual({
    name: unknown.toUpperCase(),
    list: [unknown.toUpperCase()],
  });
});

test("an ordinary answer stays as it is", () => {
  const pipe = { id: "1", name: "n", settings: { dbms_max_threads: 0 }, list: [null, true, { _a: "__x" }] };
  const copy = structuredClone(pipe);
  expect(sanitize(copy)).toBe(true);
  expect(copy).toEqual(pipe);
});

describe("a control character", () => {
  const EVIL = "\u001b[2J\u001b]0;t\u0007\u009b\u202e\u2066\u061c\u2028";

  test("is taken out of every text of an answer, at any depth", () => {
    const text = JSON.stringify(`a${EVIL}b`);
    const result = decoded(
      `[{"id":"1","createdAt":${text},"dnsNames":[${text}],"observed":{"id":${text},"a":[{"b":${text}}]}}]`,
    );
    expect(result).toEqual([
      {
        id: "1",
        createdAt: "a [2J ]0;t b",
        dnsNames: ["a [2J ]0;t b"],
        observed: { id: "a [2J ]0;t b", a: [{ b: "a [2J ]0;t b" }] },
      },
    ]);
  });

  test("is taken out of an id that the result of one object holds deeper inside", () => {
    expect(decoded(String.raw`{"id":"1","observed":{"id":"a\u001bb"}}`)).toEqual({
      id: "1",
      observed: { id: "a b" },
    });
  });

  test("is not kept in the name of a member", () => {
    expect(decoded(String.raw`{"settings":{"\u001b[31m":1,"a":2}}`)).toEqual({ settings: { a: 2 } });
  });

  test("stays in the id of an object, which the client refuses", () => {
    expect(decoded(String.raw`[{"id":"1\u001b"}]`)).toEqual([{ id: "1\u001b" }]);
  });

  test.each([
    ["a certificate", "-----BEGIN CERTIFICATE-----\nMIIB+/=\r\nabcd\n-----END CERTIFICATE-----\n"],
    ["tabs and blanks", "\ta  b \t"],
    ["an emoji that is joined", "\u{1f468}\u200d\u{1f469}"],
    ["Persian", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
    ["a separator of columns", "\u0001"],
  ])("is not seen in %s", (_name, text) => {
    expect(decoded(JSON.stringify({ text }))).toEqual({ text });
  });
});

test("handles a list of ten thousand pipes without delay", () => {
  const pipe = { id: "1", name: "orders", columns: Array.from({ length: 4 }, (_, at) => `column ${at}`) };
  const list = Array.from({ length: 10_000 }, () => ({ ...pipe, columns: [...pipe.columns] }));
  const start = performance.now();
  expect(sanitize({ result: list })).toBe(true);
  expect(performance.now() - start).toBeLessThan(500);
});
