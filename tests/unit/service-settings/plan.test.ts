import { changesBetween, changesOf, isRemoval } from "../../../provider/src/lifecycle/changes";
import type { PropertyMap } from "../../../provider/src/lifecycle/property-value";
import { isAddress, normalizeAddress } from "../../../provider/src/resources/service-settings/address";
import * as entries from "../../../provider/src/resources/service-settings/entries";
import * as plan from "../../../provider/src/resources/service-settings/plan";
import type { ServiceSettingsInputs as Inputs } from "../../../provider/src/resources/service-settings/schema";
import { allServiceSettings, home, https, mysql, office } from "../../../testkit/service-settings";

type List = readonly entries.Entry[];
type Patch = plan.ServicePatch | undefined;

const lab = { source: "10.0.0.0/8", description: "lab" };
const home32 = { source: "192.0.2.7/32", description: "" };
const any = { source: "any" };
const closed = { ...mysql, enabled: false };
const zero = { source: "0.0.0.0/0", description: "all" };
const all: Inputs = allServiceSettings;

const add = (...ipAccessList: List): Patch => ({ ipAccessList: { add: ipAccessList } });
const remove = (...ipAccessList: List): Patch => ({ ipAccessList: { remove: ipAccessList } });
const listed = (...ipAccessList: List): PropertyMap => ({ ipAccessList });
/** An answer that lists 0.0.0.0/0 in place of the entry "any". */
const rewritten = { ...listed(zero), __rewritten: [{ list: "ipAccessList", declared: any, listed: zero }] };

function patchFor(oldInputs: Inputs, inputs: Inputs, lastRead: PropertyMap = {}): Patch {
  const updates = changesOf("update", changesBetween(entries.fields, oldInputs, inputs));
  const changes = updates.filter((one) => !isRemoval(one));
  return plan.patchOf({ id: "", oldInputs, inputs, lastRead, changes });
}

describe("a patch", () => {
  test.each<[what: string, newInputs: Inputs, patch: Patch]>([
    ["a changed field", { name: "Shop 2" }, { name: "Shop 2" }],
    ["entries that come and go", listed(home, lab), { ipAccessList: { add: [lab], remove: [office] } }],
    ["ids that go", { privateEndpointIds: ["vpce-2"] }, { privateEndpointIds: { remove: ["vpce-1"] } }],
    ["a list that goes", { ipAccessList: undefined }, remove(office, home)],
    ["changed endpoints", { endpoints: [https, closed] }, { endpoints: [closed] }],
    ["nothing for another order", { ipAccessList: [home, office], endpoints: [https, mysql] }, undefined],
    ["nothing for another spelling", { ipAccessList: [home32, office] }, undefined],
    ["nothing for what is no longer declared", { name: undefined, endpoints: [https] }, undefined],
    ["nothing for what only the provider uses", { exclusive: true, deletionPolicy: "delete" }, undefined],
  ])("holds %s", (_, newInputs, patch) => {
    expect(patchFor(all, { ...all, ...newInputs })).toEqual(patch);
  });

  test("removes every form in which the service lists an entry, without the members that it adds", () => {
    const observed = { ipAccessList: [{ ...home32, createdBy: "another client" }, home] };
    expect(patchFor({ ipAccessList: [office, home] }, {}, observed)).toEqual(remove(office, home32, home));
    expect(patchFor({ ipAccessList: [any] }, {}, rewritten)).toEqual(remove(zero));
    const ids = { __rewritten: [{ list: "privateEndpointIds", declared: "vpce-1", listed: "urn:1" }] };
    const removal = { privateEndpointIds: { remove: ["urn:1"] } };
    expect(patchFor({ privateEndpointIds: ["vpce-1"] }, {}, ids)).toEqual(removal);
  });

  test("needs to know the lists before it adds a word, if no answer is known", () => {
    const [word, address] = [{ ipAccessList: { add: [home, any] } }, { ipAccessList: { add: [home] } }];
    const needs = [plan.needsLists(word, {}), plan.needsLists(word, listed()), plan.needsLists(address, {})];
    expect(needs).toEqual([true, false, false]);
  });

  const key = (id: string) => ({ transparentDataEncryptionKeyId: id });
  test.each<[what: string, patch: Patch, answer: PropertyMap, remainder: Patch]>([
    ["nothing when all is done", { ipAccessList: { add: [home], remove: [lab] } }, listed(home32), undefined],
    ["added entries that are not listed", add(office, home), listed(home), add(office)],
    ["removed entries that are listed", remove(lab, home), listed(home32), remove(home32)],
    ["fields, even if the answer states them", { name: "Shop" }, { name: "Shop" }, { name: "Shop" }],
    ["a key that the answer does not state", key("2"), key("1"), key("2")],
    ["no key that the answer states", key("2"), key("2"), undefined],
  ])("leaves %s for the next request", (_, patch = {}, answer, remainder) => {
    expect(plan.remainderOf(patch, answer)).toEqual(remainder);
  });

  test.each<[what: string, answer: PropertyMap, removal: Patch, isSame: boolean]>([
    ["nothing", listed(office), undefined, true],
    ["an entry as it was removed", listed(home), remove(home), true],
    ["an entry in another form", listed(home32), remove(home32), false],
  ])("removes %s again", (_, answer, removal, isSame) => {
    const patch = { ipAccessList: { remove: [home] } };
    expect(plan.repeatedRemoval(patch, answer)).toEqual(removal);
    expect(plan.removesExactly(patch, removal ?? {})).toBe(isSame);
  });

  test("removes unmanaged entries that are not removed yet, or declared entries that are not kept", () => {
    const observed = { ...listed(office, home32, zero), privateEndpointIds: ["vpce-1", "vpce-2"] };
    const declared = { ipAccessList: [home], privateEndpointIds: ["vpce-1"] };
    const removal = { ...remove(office, zero), privateEndpointIds: { remove: ["vpce-2"] } };
    expect(plan.removalOfUnmanaged(declared, observed)).toEqual(removal);
    const removed = { ...removal, ...remove(zero) };
    expect(plan.removalOfUnmanaged(declared, observed, removed)).toEqual(remove(office));
    expect(plan.removalOfDeclared(declared, observed, (one) => one === "vpce-1")).toEqual(remove(home32));
    expect(plan.removalOfDeclared({}, observed, () => false)).toBeUndefined();
  });
});

const two = listed(home, office);
const bogus = [null, 7, {}, { source: 7 }, { source: "x", description: 7 }];
const network = { source: "10.1.1.1/8", description: "office ", createdBy: "x" };
const spelled = [network, home32, { ...any, description: null }];

test.each<[what: string, declared: List, observed: PropertyMap, result: object]>([
  ["finds nothing without a list", [office], {}, {}],
  ["ignores spellings and the service's members", [office, home, any], { ipAccessList: spelled }, {}],
  ["finds unmanaged entries", [], listed(office, home), { unmanaged: [office, home] }],
  ["never takes one address for another", [home], listed(office), { missing: [home], unmanaged: [office] }],
  ["may take one description for another", [lab, home], two, { missing: [lab], ambiguous: [office] }],
  ["may take any entry for a word", [any, home], two, { missing: [any], ambiguous: [office] }],
  ["knows a rewritten entry", [any], rewritten, {}],
  ["takes a rewritten entry that is not declared for unmanaged", [], rewritten, { unmanaged: [zero] }],
  ["ignores what is no entry", [], { ipAccessList: bogus }, {}],
])("a comparison of declared and listed entries %s", (_, ipAccessList, observed, result) => {
  const none = { unmanaged: [], missing: [], ambiguous: [] };
  expect(entries.compare("ipAccessList", { ipAccessList }, observed)).toEqual({ ...none, ...result });
});

const office2 = { source: "10.0.0.0/8", description: "API" };
const host = { source: "host" };
const wordAndAddress = [
  [any, zero],
  [office, office2],
];
const host5 = { source: "10.9.8.5" };
const network5 = { source: "10.9.8.0/24" };
test.each<[what: string, before: PropertyMap, declared: List, after: List | undefined, pairs: List[]]>([
  ["another description", listed(home), [home, office], [home, office2], [[office, office2]]],
  ["another word", listed(home), [any], [home, zero], [[any, zero]]],
  ["a word and an address", listed(), [any, office], [office2, zero], wordAndAddress],
  ["nothing without a list before", {}, [office], [office2], []],
  ["nothing that was listed before", listed(office2), [office], [office2], []],
  ["nothing of another address", listed(), [office], [home], []],
  ["a network of an address", listed(home), [home, host5], [home, network5], [[host5, network5]]],
  ["nothing when two entries may be a word", listed(), [any], [home, zero], []],
  ["nothing when an entry may be two words", listed(), [any, host], [zero], []],
  ["nothing when an entry may be two of its address", listed(), [office, lab], [office2], []],
  ["what is known", rewritten, [any], [zero], [[any, zero]]],
  ["what is known when it has no list", rewritten, [any], undefined, [[any, zero]]],
  ["nothing that is no longer declared", rewritten, [], [zero], []],
  ["nothing that is no longer listed", rewritten, [any], [], []],
])("the answer to an addition keeps %s", (_, before, ipAccessList, after, pairs) => {
  const answer: PropertyMap = { id: "id", ...(after && listed(...after)) };
  const sent = { before, patch: { ipAccessList: { add: ipAccessList } }, declared: { ipAccessList } };
  const kept = pairs.map(([declared, one]) => ({ list: "ipAccessList", declared, listed: one }));
  const known = kept.length > 0 ? { ...answer, __rewritten: kept } : answer;
  expect(entries.withRewritten(answer, sent)).toEqual(known);
  expect(entries.withRewritten(answer, { ...sent, before: listed(), patch: {} })).toEqual(answer);
});

test.each([
  ["10.0.0.1", "10.0.0.1", "10.0.0.1/32", " 10.0.0.1 "],
  ["10.0.0.0/8", "10.1.2.3/8", "10.0.0.0/8"],
  ["0.0.0.0/0", "1.2.3.4/0"],
  ["255.255.255.255", "255.255.255.255"],
  ["2001:db8::1", "2001:DB8:0:0:0:0:0:1", "2001:db8::1/128"],
  ["2001:db8::/64", "2001:db8::ffff/64"],
  ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"],
  ["1::", "1::"],
  ["::/0", "::/0"],
  ["::ffff:a00:1", "::ffff:10.0.0.1"],
])("%j is the normal form of the address %j", (normal, ...spellings) => {
  for (const spelling of spellings)
    expect([spelling, normalizeAddress(spelling), isAddress(spelling)]).toEqual([spelling, normal, true]);
});

test("what is no address stays as it is", () => {
  const texts =
    "any,host.example,,10.0.0.1/33,10.0.0.1/,10.0.0.1/+8,10.0.0.1/8/8,010.0.0.1,::1/129,fe80::1%eth0";
  for (const text of texts.split(","))
    expect([normalizeAddress(text), isAddress(text)]).toEqual([text, false]);
});
