import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { describeFailure } from "../../../provider/src/core/validation";
import { immutable, updatable } from "../../../provider/src/core/fields";
import { UNKNOWN, type PropertyMap } from "../../../provider/src/core/property-value";
import { Lifecycle, type Notes, type ResourceDefinition } from "../../../provider/src/core/lifecycle";
import { HIDDEN_INPUTS } from "../../../provider/src/core/hidden-inputs";
import { adoptedId, deletionPolicy, replacementPolicy } from "../../../provider/src/resources/schema-types";
import { RunNotes } from "../../../provider/src/run-notes";
import { preview } from "../../../testkit/preview";
import { recordLines } from "../../../testkit/lines";

const ID = "0a1b2c3d-0000-4000-8000-00000000aaaa";

/** One run of the engine, and all that it asks of the API. */
function run(more: Partial<ResourceDefinition> = {}, notes?: Notes) {
  const { lines, ...output } = recordLines();
  const requests: string[] = [];
  let made = 0;
  const definition: ResourceDefinition = {
    type: "Thing",
    schema: z.strictObject({
      name: updatable(z.string().optional()),
      place: immutable(z.string().optional()),
      adopt: adoptedId(),
      deletionPolicy: deletionPolicy(),
      replacementPolicy: replacementPolicy(),
    }),
    secretNames: new Set(),
    rules: () => [],
    computed: [],
    create: ({ name, place, adopt }) => {
      made += 1;
      const id = typeof adopt === "string" ? adopt.toLowerCase() : `new-${made}`;
      requests.push(typeof adopt === "string" ? `adopt ${id}` : `create ${id}`);
      return Promise.resolve({ id, found: { name, place } });
    },
    read: () => Promise.resolve(undefined),
    update: ({ id, news }) => {
      requests.push(`update ${id}`);
      return Promise.resolve(news);
    },
    delete: (id, properties) => {
      requests.push(`${properties.deletionPolicy === "delete" ? "delete" : "leave"} ${id}`);
      return Promise.resolve();
    },
    ...more,
  };
  const lifecycle = new Lifecycle(definition, {
    configurationProblems: () => [],
    defaults: () => ({}),
    ...output,
    ...(notes !== undefined && { notes }),
  });
  return { lifecycle, lines, requests };
}

const named = (key: string, args: PropertyMap): PropertyMap => ({ ...args, [HIDDEN_INPUTS.key]: key });

const failuresOf = (lifecycle: Lifecycle, olds: PropertyMap | undefined, news: PropertyMap): string[] =>
  lifecycle.check(olds, news).failures.map(describeFailure);

/** Creates a resource in a run of its own; what the state has of it. */
async function deployed(news: PropertyMap): Promise<{ id: string; outputs: PropertyMap }> {
  const { lifecycle } = run();
  return lifecycle.create(lifecycle.check(undefined, news).inputs);
}

describe("one id adopted by two resources", () => {
  const refusal = (holder: string, adopt = ID): string =>
    `adopt names ${adopt}, which "${holder}" of this program already manages. Only one resource can manage it: remove the other one from the ` +
    "program, or adopt something else.";

  test("is refused at preview for the second one, in whatever spelling", () => {
    const { lifecycle } = run();
    expect(failuresOf(lifecycle, undefined, named("a", { adopt: ID }))).toEqual([]);
    const capitals = ID.toUpperCase();
    expect(failuresOf(lifecycle, undefined, named("group/b", { adopt: capitals }))).toEqual([
      refusal("a", capitals),
    ]);
  });

  test("is refused where a resource of the stack has that id", async () => {
    const stored = await deployed(named("a", { adopt: ID }));
    const { lifecycle } = run();
    expect(preview(lifecycle, stored, named("a", {})).failures).toEqual([]);
    expect(failuresOf(lifecycle, undefined, named("b", { adopt: ID }))).toEqual([refusal("a")]);
  });

  test("is refused where the engine checks the resource of the stack afterwards", async () => {
    const stored = await deployed(named("a", { adopt: ID }));
    const { lifecycle } = run();
    expect(failuresOf(lifecycle, undefined, named("b", { adopt: ID }))).toEqual([]);
    expect(() => preview(lifecycle, stored, named("a", {}))).toThrow(
      `Thing ${ID} is managed by two resources of this program, "b" and "a". Remove one of them from the program; the other one keeps it.`,
    );
  });

  test("is accepted for one resource that the engine checks twice", () => {
    const { lifecycle } = run();
    for (const _ of [1, 2]) expect(failuresOf(lifecycle, undefined, named("a", { adopt: ID }))).toEqual([]);
  });

  test("is accepted while the id is not known", () => {
    const { lifecycle } = run();
    for (const key of ["a", "b"])
      expect(failuresOf(lifecycle, undefined, named(key, { adopt: UNKNOWN }))).toEqual([]);
  });
});

describe("a resource that another provider instance of the run manages is not deleted", () => {
  const notes = (): Notes => {
    const left = new Set<string>();
    return {
      leave: (note) => left.add(note),
      withdraw: (note) => left.delete(note),
      has: (note) => left.has(note),
    };
  };

  test("where it adopts the id, or has adopted it in a run before", async () => {
    const stored = await deployed(named("old", { adopt: ID, deletionPolicy: "delete" }));
    const adopting = named("new", { adopt: stored.id });
    const first = notes();
    expect(failuresOf(run({}, first).lifecycle, undefined, adopting)).toEqual([]);
    const adopted = await deployed(adopting);
    const second = notes();
    preview(run({}, second).lifecycle, adopted, adopting);
    for (const known of [first, second]) {
      const { lifecycle, requests, lines } = run({}, known);
      await lifecycle.delete(stored.id, stored.outputs);
      expect(requests).toEqual([]);
      expect(lines).toEqual([`Thing ${stored.id} is not deleted: something else of this program uses it.`]);
    }
  });

  test("where the resource that had it is replaced and deleted by its own instance, before or after the adoption", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "datapipes-notes-"));
    const args = { adopt: ID, deletionPolicy: "delete", replacementPolicy: "allow" };
    const stored = await deployed(named("old", { ...args, place: "x" }));
    const instance = (address: string, process: number) =>
      run({}, new RunNotes(address, { folder, process }));
    const adopting = named("new", { adopt: stored.id });
    for (const adoptsFirst of [true, false]) {
      const address = adoptsFirst ? "127.0.0.1:1" : "127.0.0.1:2";
      const [replacing, other] = [instance(address, 1), instance(address, 2)];
      if (adoptsFirst) expect(failuresOf(other.lifecycle, undefined, adopting)).toEqual([]);
      preview(replacing.lifecycle, stored, named("old", { ...args, place: "y" }));
      if (!adoptsFirst) expect(failuresOf(other.lifecycle, undefined, adopting)).toEqual([]);
      await replacing.lifecycle.delete(stored.id, stored.outputs);
      expect(replacing.requests).toEqual([]);
    }
    rmSync(folder, { recursive: true });
  });

  test("except where its own replacement deletes it", async () => {
    const args = { adopt: ID, deletionPolicy: "delete", replacementPolicy: "allow" };
    const stored = await deployed(named("a", { ...args, place: "x" }));
    const { lifecycle, requests } = run({}, notes());
    preview(lifecycle, stored, named("a", { ...args, place: "y" }));
    await lifecycle.delete(stored.id, stored.outputs);
    expect(requests).toEqual([`delete ${ID}`]);
  });
});

test("an id that a replacement deletes cannot be adopted in the same run", async () => {
  const policies = { deletionPolicy: "delete", replacementPolicy: "allow" };
  const stored = await deployed(named("old", { ...policies, adopt: ID, place: "x" }));
  const { lifecycle } = run();
  preview(lifecycle, stored, named("old", { ...policies, place: "y" }));
  const refusal: unknown = expect.stringContaining(
    `adopt names ${stored.id}, which "old" of this program already manages`,
  );
  expect(failuresOf(lifecycle, undefined, named("new", { adopt: stored.id }))).toEqual([refusal]);
  // Without a preview, the resource that adopts may be asked about last.
  await lifecycle.delete(stored.id, stored.outputs);
  expect(failuresOf(lifecycle, undefined, named("newer", { adopt: stored.id }))).toEqual([refusal]);
});

test("an id that the program reads by get is not deleted", async () => {
  const stored = await deployed(named("old", { deletionPolicy: "delete" }));
  const { lifecycle, requests } = run({ read: () => Promise.resolve({ name: "x" }) });
  await lifecycle.read(stored.id, {});
  await lifecycle.delete(stored.id, stored.outputs);
  expect(requests).toEqual([]);
});

describe("a resource that this run manages is not deleted", () => {
  test.each(["retain", "delete"])(
    "by a renamed resource that was stored with another policy, and now says %s",
    async (deletionPolicy) => {
      const stored = await deployed(named("old", { adopt: ID, deletionPolicy: "delete" }));
      const { lifecycle, lines, requests } = run();
      const { inputs } = lifecycle.check(undefined, named("new", { adopt: ID, deletionPolicy }));
      await lifecycle.create(inputs);
      await lifecycle.delete(stored.id, stored.outputs);
      expect(requests).toEqual([`adopt ${ID}`]);
      expect(lines).toEqual([`Thing ${ID} is not deleted: "new" of this program uses it.`]);
    },
  );

  test("before the adoption is done either", async () => {
    const stored = await deployed(named("old", { adopt: ID, deletionPolicy: "delete" }));
    const { lifecycle, requests } = run();
    lifecycle.check(undefined, named("new", { adopt: ID.toUpperCase() }));
    await lifecycle.delete(stored.id, stored.outputs);
    expect(requests).toEqual([]);
  });

  test("where one of two resources that manage it leaves the program", async () => {
    const args = { adopt: ID, deletionPolicy: "delete" };
    const [first, second] = [await deployed(named("a", args)), await deployed(named("b", args))];
    const { lifecycle, requests } = run();
    expect(preview(lifecycle, first, named("a", args)).difference?.changed).toBe(false);
    await lifecycle.delete(second.id, second.outputs);
    expect(requests).toEqual([]);
  });

  test("but a resource that the program no longer has is deleted by its stored policy", async () => {
    const deletionPolicy = "delete";
    const stored = await deployed(named("old", { deletionPolicy }));
    const { lifecycle, requests } = run();
    await lifecycle.create(lifecycle.check(undefined, named("new", { deletionPolicy })).inputs);
    await lifecycle.delete(`${stored.id}-old`, stored.outputs);
    expect(requests).toEqual(["create new-1", "delete new-1-old"]);
  });
});

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

  test("deletes once, also where both the engine and the create would", async () => {
    const before = await deployed(program("x"));
    const { lifecycle, requests } = run();
    const news = program("y", { deletionPolicy: "delete" });
    const { inputs } = preview(lifecycle, before, news);
    await lifecycle.create(inputs);
    await lifecycle.delete(before.id, before.outputs);
    expect(requests).toEqual([`delete ${ID}`, "create new-1"]);
  });

  test("that replaceOnChanges makes of an update is refused unless the policy allows it", async () => {
    const before = await deployed(named("a", { name: "x" }));
    const { lifecycle } = run();
    const news = named("a", { name: "y" });
    const { difference } = preview(lifecycle, before, news);
    expect(difference?.replaces).toEqual([]);
    expect(failuresOf(lifecycle, undefined, news)).toEqual([
      "name changed, and replaceOnChanges would make that a replacement, which replacementPolicy refuses. Take it out of " +
        'replaceOnChanges, or set replacementPolicy: "allow" to have it replaced; the old one goes on beside the new one unless deletionPolicy is "delete".',
    ]);
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
      /^another provider, or replaceWith, .* replacementPolicy refuses/,
    ],
    ["is allowed by the policy to allow", { replacementPolicy: "allow" }, undefined],
    [
      "is refused where the deletionPolicy changes too",
      { replacementPolicy: "allow", deletionPolicy: "delete" },
      /^deletionPolicy changed, and another provider, or replaceWith, /,
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

test("several resources of one id are deleted each by itself where their kind shares ids", async () => {
  const { lifecycle, requests } = run({ sharesId: true });
  await lifecycle.create(lifecycle.check(undefined, named("a", { adopt: ID })).inputs);
  await lifecycle.delete(ID, { deletionPolicy: "delete" });
  expect(requests).toEqual([`adopt ${ID}`, `delete ${ID}`]);
});
