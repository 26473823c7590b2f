import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import * as patch from "../../../provider/src/resources/service-settings/patch";
import { normalizeAddress } from "../../../provider/src/resources/service-settings/schema";
import type { ServiceSettingsInputs as Inputs } from "../../../provider/src/resources/service-settings/schema";
import type { JsonObject } from "../../kit/json";
import { allServiceSettings, home, https, mysql, office } from "../../kit/resources";

type Entry = NonNullable<Inputs["ipAccessList"]>[number];

const lab = { source: "10.0.0.0/8", description: "lab" };
const home32 = { source: "192.0.2.7/32", description: "" };
const range = { source: "192.0.2.0/24" };
const closed = { ...mysql, enabled: false };
const all: Inputs = allServiceSettings;

const remove = (...entries: Entry[]): JsonObject => ({ ipAccessList: { remove: entries } });
const listed = (...ipAccessList: Entry[]) => ({ ipAccessList });

const firstPatch = (oldInputs: Inputs, inputs: Inputs, lastRead: PropertyMap = {}) =>
  patch.firstPatch({ id: "", oldInputs, inputs, lastRead });

describe("the first patch", () => {
  test.each<[what: string, changes: Inputs, body: JsonObject | undefined]>([
    ["a changed field", { name: "Shop 2" }, { name: "Shop 2" }],
    ["entries that come and go", listed(home, lab), { ipAccessList: { add: [lab], remove: [office] } }],
    ["ids that go", { privateEndpointIds: ["vpce-2"] }, { privateEndpointIds: { remove: ["vpce-1"] } }],
    ["a list that goes", { ipAccessList: undefined }, remove(office, home)],
    ["changed endpoints", { endpoints: [https, closed] }, { endpoints: [closed] }],
    ["nothing for another order", { ipAccessList: [home, office], endpoints: [https, mysql] }, undefined],
    ["nothing for another format", { ipAccessList: [home32, office] }, undefined],
    ["nothing for what is no longer declared", { name: undefined, endpoints: [https] }, undefined],
    ["nothing for what only the provider uses", { exclusive: false, deletionPolicy: "delete" }, undefined],
  ])("holds %s", (_, changes, body) => {
    expect(firstPatch(all, { ...all, ...changes })).toEqual(body);
  });

  test.each<[what: string, lastRead: PropertyMap]>([
    ["lists the declared entries alone", listed(home32)],
    ["lacks a declared entry", listed(range, lab)],
    ["has no lists", { id: "id" }],
  ])("of settings that become exclusive asks for the lists if the last answer %s", (_, lastRead) => {
    const exclusive = { ...listed(home), exclusive: true };
    expect(firstPatch(listed(home), exclusive, lastRead)).toEqual({});
    expect(firstPatch(exclusive, exclusive, lastRead)).toBeUndefined();
  });
});

describe("of exclusive settings", () => {
  const exclusive = { ...listed(home), privateEndpointIds: ["vpce-1"], exclusive: true };
  const ids = { privateEndpointIds: ["vpce-1", "vpce-2"] };
  const removeIds = { privateEndpointIds: { remove: ["vpce-2"] } };

  test.each<[what: string, inputs: Inputs, current: PropertyMap, body: JsonObject]>([
    ["has both lists", exclusive, { ...listed(home32, lab), ...ids }, { ...remove(lab), ...removeIds }],
    ["is empty if either list lacks a declared entry", exclusive, { ...listed(range), ...ids }, {}],
    ["ignores a list that the answer lacks", exclusive, ids, removeIds],
    ["takes one description for another entry", exclusive, listed({ ...home, description: "api" }), {}],
  ])("the removal of unmanaged entries %s", (_, inputs, current, body) => {
    expect(patch.removalOfUnmanaged(inputs, current)).toEqual(body);
  });
});

test("a comparison ignores what is no entry, and members that the service adds", () => {
  const ipAccessList = [
    null,
    7,
    {},
    { source: 7 },
    { ...home32, createdBy: "x" },
    { source: "x", description: 7 },
  ];
  const beside = patch.entriesBeside(listed(home), { ipAccessList, privateEndpointIds: "vpce-1" });
  expect(beside).toEqual({ ipAccessList: [{ source: "x" }], privateEndpointIds: [] });
});

test("any entry may be in an encrypted list", () => {
  const encrypted = { ipAccessList: { "4dabf18193072939515e22adb298388d": "secret", ciphertext: "x" } };
  expect(patch.encryptedIn(encrypted)).toEqual(["ipAccessList"]);
  expect(
    patch.entriesBeside(encrypted, { ipAccessList: [{ source: "x" }], privateEndpointIds: ["y"] }),
  ).toEqual({
    ipAccessList: [],
    privateEndpointIds: ["y"],
  });
});

test.each(["10.0.0.1", "10.0.0.1/32", " 10.0.0.1 "])("%j is the address 10.0.0.1", (format) => {
  expect(normalizeAddress(format)).toBe("10.0.0.1");
});

test.each(["2001:db8::1", "2001:db8::1/128"])("%j is the address 2001:db8::1", (format) => {
  expect(normalizeAddress(format)).toBe("2001:db8::1");
});

const NAMES = ["any", "host.example", ""];
const RANGES = ["10.0.0.0/8", "10.0.0.1/33", "10.0.0.1/", "2001:db8::/64", "fe80::1%eth0"];

test.each([...NAMES, ...RANGES])("%j stays as it is", (text) => {
  expect(normalizeAddress(text)).toBe(text);
});
