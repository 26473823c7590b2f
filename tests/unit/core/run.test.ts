import { HIDDEN_INPUTS, UNKNOWN_OPTION } from "../../../provider/src/core/hidden-inputs";
import { UNKNOWN, type PropertyMap, type PropertyValue } from "../../../provider/src/core/property-value";
import { preview, type Stored } from "../../../testkit/preview";
import { deployed, failuresOf, ID, named, run } from "./thing";

const ALLOW = { replacementPolicy: "allow" };
const DELETE = { deletionPolicy: "delete" };
const RETAIN = { deletionPolicy: "retain" };

const matching = (failure: RegExp | undefined): unknown[] =>
  failure === undefined ? [] : [expect.stringMatching(failure)];

describe("a replacement", () => {
  const program = (spot: string, more: PropertyMap = {}): PropertyMap =>
    named("a", { adopt: ID, spot, ...ALLOW, ...more });

  /** Replaces as the engine does: it asks the plugin to delete only what was not stored with the policy to retain. */
  async function replaced(stored: Stored, news: PropertyMap) {
    const { lifecycle, lines, requests } = run();
    const { failures, inputs, difference } = preview(lifecycle, stored, news);
    expect(failures).toEqual([]);
    const isRetained = stored.outputs["deletionPolicy"] !== "delete";
    const first = difference?.deleteBeforeReplace === true;
    if (first && !isRetained) await lifecycle.delete(stored.id, stored.outputs);
    const created = await lifecycle.create(inputs);
    if (!first && !isRetained) await lifecycle.delete(stored.id, stored.outputs);
    return { lines, requests, created };
  }

  test("of an adopted resource creates a new one, and so does the next", async () => {
    const second = await replaced(await deployed(program("x")), program("y"));
    expect(second.requests).toEqual(["create new-1"]);
    expect(second.created.outputs).not.toHaveProperty("adopt");
    const third = await replaced(second.created, program("z"));
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
  ])(
    "follows the program's deletionPolicy: %j in the state, %j now",
    async (stored, wanted, requests, lines) => {
      const after = await replaced(await deployed(program("x", stored)), program("y", wanted));
      expect(after).toMatchObject({ requests, lines });
    },
  );

  test.each([RETAIN, DELETE])(
    "says nothing of a policy that is not known yet: %j in the state",
    async (policy) => {
      const { lifecycle, lines } = run();
      preview(lifecycle, await deployed(program("x", policy)), program("y", { deletionPolicy: UNKNOWN }));
      expect(lines).toEqual([]);
    },
  );

  test.each<[what: string, stored: PropertyMap, asksAfter: boolean, requests: string[]]>([
    ["nothing that the engine retains by a resource option", DELETE, false, ["create new-1"]],
    ["once, also if both the engine and the create would", {}, true, [`delete ${ID}`, "create new-1"]],
  ])("deletes %s", async (_, policy, asksAfter, expected) => {
    const stored = await deployed(program("x", policy));
    const { lifecycle, requests } = run();
    const { inputs } = preview(lifecycle, stored, program("y", DELETE));
    await lifecycle.create(inputs);
    if (asksAfter) await lifecycle.delete(stored.id, stored.outputs);
    expect(requests).toEqual(expected);
  });

  test("creates a new resource where the engine deleted the adopted one before the check", async () => {
    const before = await deployed(program("x", DELETE));
    const { lifecycle, requests } = run();
    await lifecycle.delete(before.id, before.outputs);
    const { inputs, failures } = lifecycle.check(undefined, program("x"));
    expect(failures).toEqual([]);
    await lifecycle.create(inputs);
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
      if (call === "diff") lifecycle.diff(before.id, before.outputs, inputs);
      else inputs = lifecycle.check(call === "new" ? undefined : before.outputs, program("y")).inputs;
    await lifecycle.create(inputs);
    expect(seen).toEqual([id]);
  });

  test("that is refused logs nothing of the policies", async () => {
    const before = await deployed(program("x", DELETE));
    const { lifecycle, lines } = run();
    const news = program("y", { ...RETAIN, replacementPolicy: "refuse" });
    expect(preview(lifecycle, before, news).failures).toHaveLength(1);
    expect(lines).toEqual([]);
  });

  test.each<[what: string, before: string | undefined, shown: string]>([
    ["hides a secret", "hush", "the service has [secret], the program declares [secret]"],
    ["shows that the state has none", undefined, "the service has nothing, the program declares [secret]"],
  ])("that is refused %s", (_, seal, shown) => {
    expect(preview(run().lifecycle, { id: ID, outputs: { seal } }, { seal: "canary" }).failures).toEqual([
      expect.stringContaining(`seal cannot be changed in place: ${shown}.`),
    ]);
  });

  test("by replaceOnChanges is refused unless the policy allows it", async () => {
    const before = await deployed(named("a", { name: "x" }));
    const { lifecycle } = run();
    const news = named("a", { name: "y" });
    expect(preview(lifecycle, before, news).difference?.replaces).toEqual([]);
    const refused = (replaceOnChanges: PropertyValue): unknown =>
      failuresOf(lifecycle, undefined, { ...news, [HIDDEN_INPUTS.replaceOnChanges]: replaceOnChanges });
    const allow =
      'set replacementPolicy: "allow" to replace it; the old one remains beside the new one unless deletionPolicy is "delete".';
    const keep =
      "run `pulumi state delete <URN of the resource>`, and set adopt to new-1 if that still exists";
    const refuses = "requires a replacement, which replacementPolicy refuses.";
    expect([["name"], [], UNKNOWN_OPTION].map(refused)).toEqual([
      [`name changed, and replaceOnChanges ${refuses} Remove it from replaceOnChanges, or ${allow}`],
      [
        `name changed, and an unfinished replacement of an earlier run ${refuses} Either ${keep}, or ${allow}`,
      ],
      [
        `name changed, and replaceOnChanges or an unfinished replacement of an earlier run ${refuses} If replaceOnChanges has it, remove it there, or ${allow} Else ${keep}.`,
      ],
    ]);
  });

  test.each<[option: PropertyValue, says: RegExp]>([
    [
      [],
      /nothing differs, which replacementPolicy refuses\. To keep it, run `pulumi state delete [^;]*exists\.$/,
    ],
    [["name"], /\. To keep it, run `pulumi state delete [^;]*exists\.$/],
    [["*"], /refuses\. Remove "\*" and "#initerror" from replaceOnChanges\.$/],
    [["name", "#initerror"], /refuses\. Remove "\*" and "#initerror" from replaceOnChanges\.$/],
    [UNKNOWN_OPTION, /refuses\. To keep it, run .*exists; but if its option replaceOnChanges has/],
  ])(
    "after a failed run, with replaceOnChanges %j, names the step that helps first",
    async (option, says) => {
      const before = await deployed(named("a", { name: "x" }));
      const { lifecycle } = run();
      const news = named("a", { name: "x", [HIDDEN_INPUTS.replaceOnChanges]: option });
      preview(lifecycle, before, news);
      expect(failuresOf(lifecycle, undefined, news)).toEqual(matching(says));
    },
  );

  test.each<[what: string, stored: PropertyMap, wanted: PropertyMap, failure: RegExp | undefined]>([
    ["is refused", {}, {}, /nothing differs, which replacementPolicy refuses\. .* set adopt to/],
    ["is refused where both would run", {}, ALLOW, /nothing differs, and both would load the same/],
    ["is allowed where the old one is deleted", { ...ALLOW, ...DELETE }, {}, undefined],
    ["is refused for another change", {}, { name: "y" }, /unfinished replacement of an earlier run/],
  ])("that an earlier run has begun %s", async (_, stored, wanted, failure) => {
    const before = await deployed(named("a", { name: "x", ...stored }));
    const { lifecycle } = run();
    const news = named("a", { name: "x", ...stored, ...wanted });
    preview(lifecycle, before, news);
    expect(failuresOf(lifecycle, undefined, news)).toEqual(matching(failure));
  });

  test.each<[what: string, policy: PropertyMap, failure: RegExp | undefined]>([
    ["is refused by the policy to refuse", {}, /^the option replaceWith .* replacementPolicy refuses/],
    ["is allowed by the policy to allow", ALLOW, undefined],
    ["passes while the policy is not known", { replacementPolicy: UNKNOWN }, undefined],
  ])("of a resource that follows others, %s", (_, policy, failure) => {
    const news = named("a", { name: "x", ...policy, [HIDDEN_INPUTS.replaceWith]: true });
    expect(failuresOf(run().lifecycle, undefined, news)).toEqual(matching(failure));
  });

  const cause = "another provider, replaceWith or replacementTrigger";
  test.each<[what: string, more: PropertyMap, failure: string | undefined]>([
    ["is refused by the policy to refuse", {}, `^${cause} .* replacementPolicy refuses`],
    ["is allowed by the policy to allow", ALLOW, undefined],
    [
      "is refused where the deletionPolicy changes too",
      { ...ALLOW, ...DELETE },
      `^deletionPolicy changed, and ${cause} `,
    ],
  ])("without a diff, as for another provider, %s", async (_, more, failure) => {
    const before = await deployed(named("a", { name: "x" }));
    const { lifecycle } = run();
    const news = named("a", { name: "x", ...more });
    lifecycle.check(before.outputs, news);
    expect(failuresOf(lifecycle, undefined, news)).toEqual(
      matching(failure === undefined ? undefined : new RegExp(failure)),
    );
  });
});

describe("several resources with the same arguments", () => {
  const args = { name: "same", spot: "x" };

  test("are matched by their state, in any order of their diffs", async () => {
    const [a, b] = [await deployed(named("a", args)), await deployed(named("b", args))];
    const drifted = { spot: "elsewhere", observed: { name: "same", spot: "elsewhere" } };
    const moved = { id: "b-1", outputs: { ...b.outputs, ...drifted } };
    const { lifecycle } = run();
    const inputs = lifecycle.check(a.outputs, named("a", args)).inputs;
    lifecycle.check(moved.outputs, named("b", args));
    expect(lifecycle.diff(moved.id, moved.outputs, inputs).replaces).toEqual(["spot"]);
    expect(lifecycle.diff("a-1", a.outputs, inputs).replaces).toEqual([]);
    expect(failuresOf(lifecycle, undefined, named("b", args))).toEqual(
      matching(/^spot cannot be changed in place/),
    );
  });

  test("are created each with its own key", async () => {
    const { lifecycle } = run();
    const checked = ["a", "b"].map((key) => lifecycle.check(undefined, named(key, args)).inputs);
    for (const [index, inputs] of checked.entries()) {
      const { outputs } = await lifecycle.create(inputs);
      expect(outputs["__memory"]).toMatchObject({ key: ["a", "b"][index] });
    }
  });
});

test("a resource without a key is known by its arguments, which no state and no message repeats", async () => {
  const { lifecycle } = run();
  const secret = { name: "hush-canary", adopt: ID };
  const { outputs } = await lifecycle.create(lifecycle.check(undefined, secret).inputs);
  expect(outputs["__memory"]).not.toHaveProperty("key");
  expect(failuresOf(lifecycle, undefined, { ...secret, spot: "x" })).toEqual(
    matching(/^adopt names \S+, which another resource of this program already manages\./),
  );
});

test.each<[what: string, given: PropertyMap, known: unknown[]]>([
  ["what it checked", { name: "a" }, [["key", { name: "a" }]]],
  ["also values that are not known yet", { name: UNKNOWN }, [["key", { name: UNKNOWN }]]],
  ["nothing while something is wrong", { name: 1 }, []],
])("a check tells the resource type %s, and returns its inputs without the key", (_, given, known) => {
  const checked: unknown[] = [];
  const { lifecycle } = run({ checked: (...each) => checked.push(each) });
  expect(lifecycle.check(undefined, named("key", given)).inputs).toEqual(given);
  expect(checked).toEqual(known);
});

test("the state of an imported resource needs no change for the program that it was imported for", () => {
  const args = { name: "a", spot: "x" };
  const { lifecycle } = run();
  const { inputs, failures, outputs } = lifecycle.imported("key", args, { ...args, zone: "z" });
  expect({ inputs, failures }).toEqual({ inputs: args, failures: [] });
  expect(outputs).toEqual({ ...args, observed: { ...args, zone: "z" }, __memory: { key: "key" } });
  const next = preview(run().lifecycle, { id: ID, outputs }, named("key", args));
  expect(next).toMatchObject({ failures: [], difference: { changed: false } });
  const wrong = [{ path: ["name"], reason: "must be a string, got 1" }];
  expect(run().lifecycle.imported("key", { name: 1 }, {}).failures).toEqual(wrong);
});
