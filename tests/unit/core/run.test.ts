import { z } from "zod";
import { immutable } from "../../../provider/src/core/fields";
import { replacementPolicy } from "../../../provider/src/resources/schema-types";
import { UNKNOWN, type PropertyMap } from "../../../provider/src/core/property-value";
import { HIDDEN_INPUTS } from "../../../provider/src/core/hidden-inputs";
import { preview } from "../../../testkit/preview";
import { deployed, failuresOf, ID, named, run } from "./run";

const ALLOWED = { replacementPolicy: "allow" };
const DELETED = { ...ALLOWED, deletionPolicy: "delete" };

describe("a replacement", () => {
  const program = (place: string, more: PropertyMap = {}): PropertyMap =>
    named("a", { adopt: ID, place, replacementPolicy: "allow", ...more });

  /** Replaces as the engine does: it asks the plugin to delete only what was not stored with the policy to retain. */
  async function replaced(stored: { id: string; outputs: PropertyMap }, news: PropertyMap) {
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
    const adopted = await deployed(program("x"));
    const second = await replaced(adopted, program("y"));
    expect(second.requests).toEqual(["create new-1"]);
    expect(second.created.outputs).not.toHaveProperty("adopt");
    const third = await replaced(second.created, program("z"));
    expect(third.requests).toEqual(["create new-1"]);
    expect(third.lines).toEqual([]);
  });

  test.each<[stored: string | undefined, wanted: string | undefined, requests: string[]]>([
    [undefined, undefined, ["create new-1"]],
    ["retain", "retain", ["create new-1"]],
    // The engine does not ask for a resource that was stored with the policy to retain, so the create deletes it.
    ["retain", "delete", [`delete ${ID}`, "create new-1"]],
    ["delete", "retain", ["create new-1", `leave ${ID}`]],
    ["delete", "delete", [`delete ${ID}`, "create new-1"]],
  ])("follows the program's deletionPolicy: %s in the state, %s now", async (stored, wanted, requests) => {
    const before = await deployed(program("x", { deletionPolicy: stored }));
    const after = await replaced(before, program("y", { deletionPolicy: wanted }));
    expect(after.requests).toEqual(requests);
    const lines: Record<string, string[]> = {
      "retain delete": [
        `Thing ${ID} will be deleted before its replacement is created (deletionPolicy: "delete"), although the preview may show [retain].`,
      ],
      "delete retain": [
        `Thing ${ID} will not be deleted when it is replaced (deletionPolicy: "retain"), although the preview may show delete.`,
      ],
    };
    expect(after.lines).toEqual(lines[`${stored ?? ""} ${wanted ?? ""}`] ?? []);
  });

  test("deletes nothing where the engine retains by a resource option what was stored to be deleted", async () => {
    const news = { deletionPolicy: "delete" };
    const before = await deployed(program("x", news));
    const { lifecycle, requests } = run();
    const { inputs } = preview(lifecycle, before, program("y", news));
    await lifecycle.create(inputs);
    expect(requests).toEqual(["create new-1"]);
  });

  test("creates a new resource where the engine deleted the adopted one before the check", async () => {
    const before = await deployed(program("x", { deletionPolicy: "delete" }));
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
  ])("gives the create %s", async (_, calls, replaced) => {
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
    expect(seen).toEqual([replaced]);
  });

  test("that is refused logs nothing of the policies", async () => {
    const before = await deployed(program("x", { deletionPolicy: "delete" }));
    const { lifecycle, lines } = run();
    const news = program("y", { deletionPolicy: "retain", replacementPolicy: "refuse" });
    expect(preview(lifecycle, before, news).failures).toHaveLength(1);
    expect(lines).toEqual([]);
  });

  test.each<[what: string, before: string | undefined, after: string | undefined, shown: string]>([
    ["hides a secret", "hush", "canary", "the service has [secret], the program declares [secret]"],
    [
      "shows that the state has no secret",
      undefined,
      "canary",
      "the service has nothing, the program declares [secret]",
    ],
  ])("that is refused %s", (_, before, after, shown) => {
    const schema = z.strictObject({
      key: immutable(z.string().optional()),
      replacementPolicy: replacementPolicy(),
    });
    const { lifecycle } = run({ schema, secretNames: new Set(["key"]) });
    expect(preview(lifecycle, { id: ID, outputs: { key: before } }, { key: after }).failures).toEqual([
      expect.stringContaining(`key cannot be changed in place: ${shown}.`),
    ]);
  });

  test("deletes once, also where both the engine and the create would", async () => {
    const before = await deployed(program("x"));
    const { lifecycle, requests } = run();
    const news = program("y", { deletionPolicy: "delete" });
    const { inputs } = preview(lifecycle, before, news);
    await lifecycle.create(inputs);
    await lifecycle.delete(before.id, before.outputs);
    expect(requests).toEqual([`delete ${ID}`, "create new-1"]);
  });

  test("by replaceOnChanges is refused unless the policy allows it", async () => {
    const before = await deployed(named("a", { name: "x" }));
    const { lifecycle } = run();
    const news = named("a", { name: "y" });
    const { difference } = preview(lifecycle, before, news);
    expect(difference?.replaces).toEqual([]);
    expect(failuresOf(lifecycle, undefined, news)).toEqual([
      "name changed, and replaceOnChanges requires a replacement, which replacementPolicy refuses. Remove it from " +
        'replaceOnChanges, or set replacementPolicy: "allow" to replace it; the old one remains beside the new one unless deletionPolicy is "delete". ' +
        "If replaceOnChanges does not have it, an earlier run has not finished a replacement: run `pulumi state delete <URN of the resource>`, and set adopt to new-1 if that still exists.",
    ]);
  });

  test.each<[what: string, stored: PropertyMap, wanted: PropertyMap, failure: RegExp | undefined]>([
    ["is refused", {}, {}, /nothing differs, which replacementPolicy refuses\. Remove "\*" .* set adopt to/],
    ["is refused where both would run", {}, ALLOWED, /nothing differs, and both would load the same/],
    ["is allowed where the old one is deleted", DELETED, DELETED, undefined],
    ["is refused for another change", {}, { name: "y" }, /earlier run has not finished a replacement/],
  ])("that an earlier run has begun %s", async (_, stored, wanted, failure) => {
    const before = await deployed(named("a", { name: "x", ...stored }));
    const { lifecycle } = run();
    const news = named("a", { name: "x", ...stored, ...wanted });
    preview(lifecycle, before, news);
    expect(failuresOf(lifecycle, undefined, news)).toEqual(
      failure === undefined ? [] : [expect.stringMatching(failure)],
    );
  });

  test.each<[what: string, policy: PropertyMap, failure: RegExp | undefined]>([
    ["is refused by the policy to refuse", {}, /^the option replaceWith .* replacementPolicy refuses/],
    ["is allowed by the policy to allow", { replacementPolicy: "allow" }, undefined],
    ["passes while the policy is not known", { replacementPolicy: UNKNOWN }, undefined],
  ])("of a resource that follows others, %s", (_, policy, failure) => {
    const news = named("a", { name: "x", ...policy, [HIDDEN_INPUTS.replaceWith]: true });
    expect(failuresOf(run().lifecycle, undefined, news)).toEqual(
      failure === undefined ? [] : [expect.stringMatching(failure)],
    );
  });

  test.each<[what: string, more: PropertyMap, failure: RegExp | undefined]>([
    [
      "is refused by the policy to refuse",
      {},
      /^another provider, replaceWith or replacementTrigger .* replacementPolicy refuses/,
    ],
    ["is allowed by the policy to allow", { replacementPolicy: "allow" }, undefined],
    [
      "is refused where the deletionPolicy changes too",
      { replacementPolicy: "allow", deletionPolicy: "delete" },
      /^deletionPolicy changed, and another provider, replaceWith or replacementTrigger /,
    ],
  ])("without a diff, as for another provider, %s", async (_, more, failure) => {
    const before = await deployed(named("a", { name: "x" }));
    const { lifecycle } = run();
    const news = named("a", { name: "x", ...more });
    lifecycle.check(before.outputs, news);
    expect(failuresOf(lifecycle, undefined, news)).toEqual(
      failure === undefined ? [] : [expect.stringMatching(failure)],
    );
  });
});

describe("several resources with the same arguments", () => {
  const args = { name: "same", place: "x" };

  test("are matched by their state, in any order of their diffs", async () => {
    const [a, b] = [await deployed(named("a", args)), await deployed(named("b", args))];
    const drifted = { place: "elsewhere", observed: { name: "same", place: "elsewhere" } };
    const moved = { id: "b-1", outputs: { ...b.outputs, ...drifted } };
    const { lifecycle } = run();
    const inputs = lifecycle.check(a.outputs, named("a", args)).inputs;
    lifecycle.check(moved.outputs, named("b", args));
    expect(lifecycle.diff(moved.id, moved.outputs, inputs).replaces).toEqual(["place"]);
    expect(lifecycle.diff("a-1", a.outputs, inputs).replaces).toEqual([]);
    expect(failuresOf(lifecycle, undefined, named("b", args))).toEqual([
      expect.stringMatching(/^place cannot be changed in place/),
    ]);
  });

  test("are created each with its own key", async () => {
    const { lifecycle } = run();
    const keys: unknown[] = [];
    const checked = ["a", "b"].map((key) => lifecycle.check(undefined, named(key, args)).inputs);
    for (const inputs of checked)
      keys.push(((await lifecycle.create(inputs)).outputs["__memory"] as PropertyMap)["key"]);
    expect(keys).toEqual(["a", "b"]);
  });
});

test("a resource without a key is known by its arguments, which no state and no message repeats", async () => {
  const { lifecycle } = run();
  const secret = { name: "hush-canary", adopt: ID };
  const { outputs } = await lifecycle.create(lifecycle.check(undefined, secret).inputs);
  expect(outputs["__memory"]).not.toHaveProperty("key");
  expect(failuresOf(lifecycle, undefined, { ...secret, place: "x" })).toEqual([
    expect.stringMatching(/^adopt names \S+, which another resource of this program already manages\./),
  ]);
});

test("the key is no argument: nothing that is stored or compared has it", () => {
  const { lifecycle } = run();
  expect(lifecycle.check(undefined, named("a", { name: "x" })).inputs).toEqual({ name: "x" });
});

test.each<[what: string, given: PropertyMap, known: unknown[]]>([
  ["what it checked", { name: "a" }, [["key", { name: "a" }]]],
  ["also values that are not known yet", { name: UNKNOWN }, [["key", { name: UNKNOWN }]]],
  ["nothing while something is wrong", { name: 1 }, []],
])("a check tells the resource type %s", (_, given, known) => {
  const checked: unknown[] = [];
  const { lifecycle } = run({ checked: (...each) => checked.push(each) });
  lifecycle.check(undefined, named("key", given));
  expect(checked).toEqual(known);
});

test("the state of an imported resource needs no change for the program that it was imported for", () => {
  const args = { name: "a", place: "x" };
  const { lifecycle } = run();
  const { inputs, failures, outputs } = lifecycle.imported("key", args, { ...args, zone: "z" });
  expect({ inputs, failures }).toEqual({ inputs: args, failures: [] });
  expect(outputs).toEqual({ ...args, observed: { ...args, zone: "z" }, __memory: { key: "key" } });
  const next = preview(run().lifecycle, { id: ID, outputs }, named("key", args));
  expect(next).toMatchObject({ failures: [], difference: { changed: false } });
});

test("an import of wrong arguments has their failures", () => {
  const { failures } = run().lifecycle.imported("key", { name: 1 }, {});
  expect(failures).toEqual([{ path: ["name"], reason: "must be a string, got 1" }]);
});

describe("two resources of the stack that share an id", () => {
  const shared = { deletionPolicy: "delete" };

  test("are accepted where their kind shares ids", () => {
    const { lifecycle } = run({ sharesId: true });
    for (const key of ["a", "b"])
      expect(preview(lifecycle, { id: ID, outputs: shared }, named(key, shared)).failures).toEqual([]);
  });

  test("have each its own policy", async () => {
    const { lifecycle, requests } = run({ sharesId: true });
    const retained = { deletionPolicy: "retain" };
    preview(lifecycle, { id: ID, outputs: retained }, named("a", retained));
    await lifecycle.delete(ID, shared);
    expect(requests).toEqual([`delete ${ID}`]);
  });
});

test("several resources of one id are deleted each by itself where their kind shares ids", async () => {
  const { lifecycle, requests } = run({ sharesId: true });
  await lifecycle.create(lifecycle.check(undefined, named("a", { adopt: ID })).inputs);
  await lifecycle.delete(ID, { deletionPolicy: "delete" });
  expect(requests).toEqual([`adopt ${ID}`, `delete ${ID}`]);
});
