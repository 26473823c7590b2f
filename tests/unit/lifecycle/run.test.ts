import { HIDDEN_INPUTS, UNKNOWN_OPTION } from "../../../provider/src/lifecycle/hidden-inputs";
import { UNKNOWN } from "../../../provider/src/lifecycle/property-value";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/property-value";
import type { Deployed } from "../../../testkit/online";
import { preview } from "../../../testkit/preview";
import { ALLOW, DELETE, deployed, failuresOf, ID, keyOfName, named, RETAIN, run } from "./thing";

const matching = (failure: RegExp | undefined): unknown[] =>
  failure === undefined ? [] : [expect.stringMatching(failure)];

const program = (spot: string, more: PropertyMap = {}): PropertyMap =>
  named("a", { adopt: ID, spot, ...ALLOW, ...more });
const KEY = keyOfName("a");

describe("a replacement", () => {
  /** Replaces as the engine does: it asks the plugin to delete only what was not stored with the policy to retain. */
  async function replaced(stored: Deployed, newInputs: PropertyMap) {
    const { lifecycle, lines, requests } = run();
    const { failures, inputs, difference } = preview(lifecycle, stored, newInputs);
    expect(failures).toEqual([]);
    const isRetained = stored.outputs["deletionPolicy"] !== "delete";
    const first = difference?.deleteBeforeReplace === true;
    if (first && !isRetained) await lifecycle.delete(stored.id, stored.outputs);
    const replacement = await lifecycle.create(inputs, KEY);
    if (!first && !isRetained) await lifecycle.delete(stored.id, stored.outputs);
    return { lines, requests, replacement };
  }

  test("of an adopted resource creates a new one, and so does the next", async () => {
    const second = await replaced(await deployed(program("x")), program("y"));
    expect(second.requests).toEqual(["create new-1"]);
    expect(second.replacement.outputs).not.toHaveProperty("adopt");
    const third = await replaced(second.replacement, program("z"));
    expect([third.requests, third.lines]).toEqual([["create new-1"], []]);
  });

  const deleted =
    'will be deleted before its replacement is created (deletionPolicy: "delete"), although the preview may show [retain].';
  const kept =
    'will not be deleted when it is replaced (deletionPolicy: "retain"), although the preview may show delete.';

  test.each<[stored: PropertyMap, wanted: PropertyMap, requests: string[], lines: string[]]>([
    [{}, {}, ["create new-1"], []],
    [RETAIN, RETAIN, ["create new-1"], []],
    // The engine does not ask for a resource that was stored with the policy to retain, so the create deletes it.
    [RETAIN, DELETE, [`delete ${ID}`, "create new-1"], [`Thing ${ID} ${deleted}`]],
    [DELETE, RETAIN, ["create new-1", `leave ${ID}`], [`Thing ${ID} ${kept}`]],
    [DELETE, DELETE, [`delete ${ID}`, "create new-1"], []],
  ])("follows the program's deletionPolicy: %j in the state, %j now", async (stored, wanted, ...expected) => {
    const { requests, lines } = await replaced(await deployed(program("x", stored)), program("y", wanted));
    expect([requests, lines]).toEqual(expected);
  });

  test.each<[what: string, stored: PropertyMap, wanted: PropertyMap, refusals: number]>([
    ["that is not known yet, beside retain", RETAIN, { deletionPolicy: UNKNOWN }, 0],
    ["that is not known yet, beside delete", DELETE, { deletionPolicy: UNKNOWN }, 0],
    ["where it is refused", DELETE, { ...RETAIN, replacementPolicy: "refuse" }, 1],
  ])("logs nothing of a deletionPolicy %s", async (_, stored, wanted, refusals) => {
    const { lifecycle, lines } = run();
    const { failures } = preview(lifecycle, await deployed(program("x", stored)), program("y", wanted));
    expect([failures.length, lines]).toEqual([refusals, []]);
  });

  test.each<[what: string, stored: PropertyMap, asksAfter: boolean, requests: string[]]>([
    ["nothing that the engine retains by a resource option", DELETE, false, ["create new-1"]],
    ["once, also if both the engine and the create would", {}, true, [`delete ${ID}`, "create new-1"]],
  ])("deletes %s", async (_, policy, asksAfter, expected) => {
    const stored = await deployed(program("x", policy));
    const { lifecycle, requests } = run();
    await lifecycle.create(preview(lifecycle, stored, program("y", DELETE)).inputs, KEY);
    if (asksAfter) await lifecycle.delete(stored.id, stored.outputs);
    expect(requests).toEqual(expected);
  });

  test.each(["before", "after"])("by --replace deletes an adopted one %s the check", async (when) => {
    const before = await deployed(program("x", DELETE));
    const { lifecycle, requests } = run();
    if (when === "before") await lifecycle.delete(before.id, before.outputs);
    const { inputs, failures } = lifecycle.check(undefined, program("x", DELETE));
    expect(failures).toEqual([]);
    if (when === "after") await lifecycle.delete(before.id, before.outputs);
    await lifecycle.create(inputs, KEY);
    expect(requests).toEqual([`delete ${ID}`, "create new-1"]);
  });

  test.each<[what: string, calls: ("in stack" | "diff" | "new")[], replaced: string | undefined]>([
    ["the id of what it replaces", ["in stack", "diff", "new"], ID],
    ["no id without a diff, as for another provider", ["in stack", "new"], undefined],
    ["no id for a new resource", ["new"], undefined],
  ])("gives the create %s", async (_, calls, id) => {
    const before = await deployed(program("x"));
    const seen: unknown[] = [];
    const { lifecycle } = run({
      create: (_inputs, progress) => {
        seen.push(progress.replaced);
        return Promise.resolve({ id: "2", current: {} });
      },
    });
    let inputs: PropertyMap = {};
    for (const call of calls)
      if (call === "diff") lifecycle.diff(before.id, before.outputs, inputs, KEY);
      else inputs = lifecycle.check(call === "new" ? undefined : before.outputs, program("y")).inputs;
    await lifecycle.create(inputs, KEY);
    expect(seen).toEqual([id]);
  });

  test("that is refused hides a secret, or shows that the state has none", () => {
    const shown = ["hush", undefined].map(
      (seal) => preview(run().lifecycle, { id: ID, outputs: { seal } }, { seal: "canary" }).failures,
    );
    const refused = (before: string): unknown =>
      expect.stringContaining(`in place: the service has ${before}, the program declares [secret].`);
    expect(shown).toEqual([[refused("[secret]")], [refused("nothing")]]);
  });

  test("by replaceOnChanges is refused unless the policy allows it", async () => {
    const before = await deployed(named("a", { name: "x" }));
    const { lifecycle } = run();
    const newInputs = named("a", { name: "y" });
    expect(preview(lifecycle, before, newInputs).difference?.replaces).toEqual([]);
    const refused = (replaceOnChanges: PropertyValue): unknown =>
      failuresOf(lifecycle, { ...newInputs, [HIDDEN_INPUTS.replaceOnChanges]: replaceOnChanges });
    const allow =
      'set replacementPolicy: "allow" to replace it; the old one remains beside the new one unless deletionPolicy is "delete".';
    const keep =
      "run `pulumi state delete <URN of the resource>`, and set adopt to new-1 if that still exists";
    const refuses = "requires a replacement, which replacementPolicy refuses.";
    const earlier = "an unfinished replacement of an earlier run";
    expect([["name"], [], UNKNOWN_OPTION].map(refused)).toEqual([
      [`name changed, and replaceOnChanges ${refuses} Remove it from replaceOnChanges, or ${allow}`],
      [`name changed, and ${earlier} ${refuses} Either ${keep}, or ${allow}`],
      [
        `name changed, and replaceOnChanges or ${earlier} ${refuses} If replaceOnChanges has it, remove it there, or ${allow} Else ${keep}.`,
      ],
    ]);
  });
});

/** What the check of a replacement says, after these calls for the resource in the stack. */
async function refusalsAfter(
  calls: "a check" | "a diff" | "nothing",
  stored: PropertyMap,
  wanted: PropertyMap,
): Promise<readonly string[]> {
  const { id, outputs } = await deployed(named("a", { name: "x", ...stored }));
  const { lifecycle } = run();
  const newInputs = named("a", { name: "x", ...stored, ...wanted });
  if (calls === "a diff") preview(lifecycle, { id, outputs }, newInputs);
  if (calls === "a check") lifecycle.check(outputs, newInputs);
  return failuresOf(lifecycle, newInputs);
}

describe("a replacement", () => {
  const unrequired =
    /no change requires it, which replacementPolicy refuses\. To keep it, run `pulumi state [^;]*exists\.$/;

  test.each<[option: PropertyValue, says: RegExp]>([
    [[], unrequired],
    [["name"], /\. To keep it, run `pulumi state delete [^;]*exists\.$/],
    [["*"], /refuses\. Remove "\*" and "#initerror" from replaceOnChanges\.$/],
    [["name", "#initerror"], /refuses\. Remove "\*" and "#initerror" from replaceOnChanges\.$/],
    [UNKNOWN_OPTION, /refuses\. To keep it, run .*exists; but if its option replaceOnChanges has/],
  ])("after a failed run, with replaceOnChanges %j, names the step to take first", async (option, says) => {
    const wanted: PropertyMap = { [HIDDEN_INPUTS.replaceOnChanges]: option };
    expect(await refusalsAfter("a diff", {}, wanted)).toEqual(matching(says));
  });

  test.each<[what: string, stored: PropertyMap, wanted: PropertyMap, failure: RegExp | undefined]>([
    ["is refused where both would run", {}, ALLOW, /no change requires it, and both would load the same/],
    ["is refused for both and another change", {}, { ...ALLOW, name: "y" }, /and both would load the same/],
    ["is allowed where the old one is deleted", { ...ALLOW, ...DELETE }, {}, undefined],
    ["is refused for another change", {}, { name: "y" }, /unfinished replacement of an earlier run/],
  ])("that an earlier run has begun %s", async (_, stored, wanted, failure) => {
    expect(await refusalsAfter("a diff", stored, wanted)).toEqual(matching(failure));
  });

  const allow = /set replacementPolicy: "allow" to replace it;/;
  const adopts =
    /or run `pulumi state delete <URN of the resource>`, and adopt takes over 0.*; .* remove adopt\.$/;
  test.each<[what: string, stored: PropertyMap, wanted: PropertyMap, step: RegExp]>([
    ["nothing", {}, {}, allow],
    ["its own id", { adopt: ID }, { adopt: ID.toUpperCase() }, allow],
    ["another id", {}, { adopt: ID }, adopts],
    ["another id than it adopted", { adopt: ID }, { adopt: ID.replace("a", "b") }, adopts],
  ])("that is refused and adopts %s advises nothing that makes one more", async (_, stored, wanted, step) => {
    const says = await refusalsAfter("a diff", { spot: "x", ...stored }, { spot: "y", ...wanted });
    expect(says).toEqual(matching(step));
  });

  test.each<[what: string, policy: PropertyMap, failure: RegExp | undefined]>([
    ["is refused by the policy to refuse", {}, /^the option replaceWith .* replacementPolicy refuses/],
    ["is allowed by the policy to allow", ALLOW, undefined],
    ["passes while the policy is not known", { replacementPolicy: UNKNOWN }, undefined],
  ])("of a resource that follows others, %s", async (_, policy, failure) => {
    const wanted = { ...policy, [HIDDEN_INPUTS.replaceWith]: true };
    expect(await refusalsAfter("nothing", {}, wanted)).toEqual(matching(failure));
  });

  const cause = "another provider, replaceWith or replacementTrigger";
  const changed = new RegExp(`^deletionPolicy changed, and ${cause} `);
  test.each<[what: string, stored: PropertyMap, wanted: PropertyMap, failure: RegExp | undefined]>([
    ["is refused by the policy to refuse", {}, {}, new RegExp(`^${cause} .* replacementPolicy refuses`)],
    ["is allowed by the policy to allow", RETAIN, { ...ALLOW, deletionPolicy: undefined }, undefined],
    ["is allowed where both policies are to delete", DELETE, ALLOW, undefined],
    ["is refused where the deletionPolicy changes to delete", {}, { ...ALLOW, ...DELETE }, changed],
    ["is refused where the deletionPolicy changes to retain", DELETE, { ...ALLOW, ...RETAIN }, changed],
  ])("without a diff, as for another provider, %s", async (_, stored, wanted, failure) => {
    expect(await refusalsAfter("a check", stored, wanted)).toEqual(matching(failure));
  });
});

test("each diff is of the resource with its key, also where others have the same arguments, in any order", async () => {
  const args = { name: "same", spot: "x" };
  const [a, b] = [await deployed(named("a", args)), await deployed(named("b", args))];
  const drifted = { spot: "elsewhere", observed: { name: "same", spot: "elsewhere" } };
  const moved = { id: "b-1", outputs: { ...b.outputs, ...drifted } };
  const { lifecycle } = run();
  const inputs = lifecycle.check(a.outputs, named("a", args)).inputs;
  lifecycle.check(moved.outputs, named("b", args));
  expect(lifecycle.diff(moved.id, moved.outputs, inputs, keyOfName("b")).replaces).toEqual(["spot"]);
  expect(lifecycle.diff("a-1", a.outputs, inputs, KEY).replaces).toEqual([]);
  const refused = matching(/^spot cannot be changed in place/);
  expect(failuresOf(lifecycle, named("b", args))).toEqual(refused);
});

test("inputs that the engine changes after the check, as a remediating policy does, leave the policies in force", async () => {
  const { id, outputs } = await deployed(named("a", { spot: "x", ...DELETE }));
  const { lifecycle } = run();
  const newInputs = named("a", { spot: "x", ...DELETE });
  lifecycle.check(outputs, newInputs);
  expect(lifecycle.diff(id, outputs, { spot: "y", ...DELETE }, KEY).replaces).toEqual(["spot"]);
  expect(failuresOf(lifecycle, newInputs)).toEqual(matching(/^spot cannot be changed in place/));
});

test.each<[what: string, given: PropertyMap, known: unknown[]]>([
  ["what it checked", { name: "a" }, [[keyOfName("key"), { name: "a" }]]],
  ["also values that are not known yet", { name: UNKNOWN }, [[keyOfName("key"), { name: UNKNOWN }]]],
  ["nothing while something is wrong", { name: 1 }, []],
])("a check tells the resource type %s, and returns its inputs without the key", (_, given, known) => {
  const checked: unknown[] = [];
  const { lifecycle } = run({ checked: (...each) => (checked.push(each), []) });
  expect(lifecycle.check(undefined, named("key", given)).inputs).toEqual(given);
  expect(checked).toEqual(known);
});

test("the state of an imported resource needs no change for the program that it was imported for", () => {
  const args = { name: "a", spot: "x" };
  const observed = { ...args, zone: "z" };
  const { inputs, failures, outputs } = run().lifecycle.imported("key", args, observed);
  expect({ inputs, failures }).toEqual({ inputs: args, failures: [] });
  expect(outputs).toEqual({ ...args, observed, __privateState: { key: keyOfName("key") } });
  const next = preview(run().lifecycle, { id: ID, outputs }, named("key", args));
  expect(next).toMatchObject({ failures: [], difference: { changed: false } });
  const wrong = [{ path: ["name"], reason: "must be a string, got 1" }];
  expect(run().lifecycle.imported("key", { name: 1 }, {}).failures).toEqual(wrong);
});
