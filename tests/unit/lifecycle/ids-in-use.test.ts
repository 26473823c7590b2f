import { IdsInUse } from "../../../provider/src/lifecycle/ids-in-use";
import { privateStateOf } from "../../../provider/src/lifecycle/private-state";
import { UNKNOWN, type PropertyMap } from "../../../provider/src/lifecycle/property-value";
import type { IdUse } from "../../../provider/src/lifecycle/run-file";
import type { Deployed } from "../../../testkit/online";
import { preview } from "../../../testkit/preview";
import { newRun } from "../../../testkit/run-files";
import { created, deployed, failuresOf, keyOf, keyOfName, named, run } from "./thing";
import { ALLOW, DELETE, ID, RETAIN } from "./thing";

const CAPITALS = ID.toUpperCase();
const both = { ...DELETE, ...ALLOW };

/** The ids of provider instances in one run. */
function instances(): readonly [IdsInUse, IdsInUse, IdsInUse] {
  const fileOf = newRun();
  const [first, second, third] = [1, 2, 3].map((processId) => new IdsInUse(fileOf(processId)));
  return [first, second, third] as [IdsInUse, IdsInUse, IdsInUse];
}

/** The requests of a run in which the engine at last deletes a resource. */
async function requestsOfDelete(deleting: ReturnType<typeof run>, { id, outputs }: Deployed) {
  await deleting.lifecycle.delete(id, outputs);
  return deleting.requests;
}

/** What the state has of a resource that adopted the id. */
const adopted = (key: string, args: PropertyMap = {}) => deployed(named(key, { adopt: ID, ...args }));
const adopting = (key: string) => named(key, { adopt: ID });
const reading = { read: () => Promise.resolve({ name: "x" }) };

describe("one id adopted by two resources", () => {
  const refusal = (adopt = ID): string =>
    `adopt names ${adopt}, which "a" of this program already manages. Only one resource can manage it: remove the other resource from the ` +
    "program, or adopt a different id.";
  const wrongName = "name must be a string, got 1";
  const x = { ...ALLOW, adopt: ID, spot: "x" };
  const y = { ...ALLOW, spot: "y" };
  const other = (args: PropertyMap = { adopt: ID }): PropertyMap => named("b", args);

  test.each<[string, PropertyMap | undefined, now: PropertyMap, then: PropertyMap, failure?: string]>([
    ["refused, in any spelling", undefined, { adopt: ID }, other({ adopt: CAPITALS }), refusal(CAPITALS)],
    ["refused, if one is in the stack", { adopt: ID }, {}, other(), refusal()],
    ["refused, if a replacement deletes it", { ...x, ...DELETE }, { ...y, ...DELETE }, other(), refusal()],
    ["accepted, if a replacement retains it", x, y, other(), undefined],
    ["accepted, if it is one resource twice", undefined, { adopt: ID }, adopting("a"), undefined],
    ["accepted, while unknown", undefined, { adopt: UNKNOWN }, other({ adopt: UNKNOWN }), undefined],
    ["no failure beside another one", undefined, { adopt: ID }, other({ adopt: ID, name: 1 }), wrongName],
  ])("is %s", async (_, before, now, then, failure) => {
    const { lifecycle } = run();
    const newInputs = named("a", now);
    const first =
      before === undefined
        ? failuresOf(lifecycle, newInputs)
        : preview(lifecycle, await deployed(named("a", before)), newInputs).failures;
    expect(first).toEqual([]);
    expect(failuresOf(lifecycle, then)).toEqual(failure === undefined ? [] : [failure]);
  });

  test("is refused where the engine checks the resource of the stack afterwards", async () => {
    const stored = await adopted("a");
    const { lifecycle } = run();
    expect(failuresOf(lifecycle, adopting("b"))).toEqual([]);
    expect(() => preview(lifecycle, stored, named("a", {}))).toThrow(
      `Two resources of this program manage Thing ${ID}: "b" and "a". Remove one of them from the program; the other one keeps it.`,
    );
  });

  test("is refused for what a replacement deletes first: to keep it, or to adopt it after the deletion", async () => {
    const stored = await adopted("a", { ...both, spot: "x" });
    const { lifecycle } = run();
    expect(preview(lifecycle, stored, named("a", { ...both, spot: "y" })).failures).toEqual([]);
    expect(() => preview(lifecycle, stored, named("b", { ...both, spot: "x" }))).toThrow(
      `Two resources of this program manage Thing ${ID}: "a" and "b".`,
    );
    const replacing = run();
    preview(replacing.lifecycle, stored, named("a", { ...both, spot: "y" }));
    // Without a preview, the resource that adopts may be asked about last.
    await replacing.lifecycle.delete(stored.id, stored.outputs);
    expect(failuresOf(replacing.lifecycle, adopting("b"))).toEqual([refusal()]);
  });
});

describe("a resource that another provider instance of the run manages is not deleted", () => {
  test("where it adopts the id, or has adopted it in a run before", async () => {
    const stored = await adopted("old", DELETE);
    const [adopts, adopter] = instances();
    expect(failuresOf(run({}, adopts).lifecycle, adopting("new"))).toEqual([]);
    const [has, holder] = instances();
    preview(run({}, has).lifecycle, await adopted("new"), adopting("new"));
    for (const ids of [adopter, holder]) {
      const deleting = run({}, ids);
      expect(await requestsOfDelete(deleting, stored)).toEqual([]);
      const line = `Thing ${ID} is not deleted: another resource of this program uses it.`;
      expect(deleting.lines).toEqual([line]);
    }
  });

  test.each(["before", "after"])("where it adopts the id %s the replacement of what had it", async (when) => {
    const stored = await adopted("old", { ...both, spot: "x" });
    const [one, two] = instances();
    const [replacing, other] = [run({}, one), run({}, two)];
    const adopt = () => failuresOf(other.lifecycle, adopting("new"));
    if (when === "before") expect(adopt()).toEqual([]);
    preview(replacing.lifecycle, stored, named("old", { ...both, spot: "y" }));
    if (when === "after") expect(adopt()).toEqual([]);
    expect(await requestsOfDelete(replacing, stored)).toEqual([]);
  });

  test("where a resource of another provider has it: neither is that adopted, nor is it deleted for an adopter", async () => {
    const holder = await adopted("a", RETAIN);
    const [one, two, three] = instances();
    preview(run({}, one).lifecycle, holder, named("a", RETAIN));
    expect(failuresOf(run({}, two).lifecycle, adopting("p"))).toEqual([
      expect.stringContaining("which a resource of another provider of this program already manages"),
    ]);
    expect(await requestsOfDelete(run({}, three), await adopted("p", DELETE))).toEqual([]);
  });

  test("where the program reads the id", async () => {
    const [stored, [one, two]] = [await deployed(named("old", DELETE)), instances()];
    await run(reading, one).lifecycle.read(stored.id, {});
    expect(await requestsOfDelete(run({}, two), stored)).toEqual([]);
  });

  test("except where its own replacement deletes it, or the other one manages another id", async () => {
    const stored = await adopted("a", { ...both, spot: "x" });
    const replacing = run({}, instances()[0]);
    preview(replacing.lifecycle, stored, named("a", { ...both, spot: "y" }));
    expect(await requestsOfDelete(replacing, stored)).toEqual([`delete ${ID}`]);

    const [one, two] = instances();
    run({}, one).lifecycle.check(undefined, adopting("new"));
    const another = await deployed(named("old", DELETE));
    expect(await requestsOfDelete(run({}, two), another)).toEqual([`delete ${another.id}`]);
  });
});

describe("another provider instance may adopt an id, or not", () => {
  test.each<[what: string, before: PropertyMap, now: PropertyMap, mayAdopt: boolean]>([
    ["not what a resource adopted", { adopt: ID }, {}, false],
    ["not what a resource has that is not replaced", { spot: "x" }, { spot: "x" }, false],
    ["what a replacement retains", { spot: "x" }, { ...ALLOW, spot: "y" }, true],
  ])("%s", async (_, before, now, mayAdopt) => {
    const stored = await deployed(named("a", before));
    const [one, two] = instances();
    expect(preview(run({}, one).lifecycle, { ...stored, id: ID }, named("a", now)).failures).toEqual([]);
    expect(failuresOf(run({}, two).lifecycle, adopting("p")).length === 0).toBe(mayAdopt);
  });

  test("what a replacement gives up that replaceOnChanges requires after the diff", async () => {
    const stored = await adopted("a", { ...ALLOW, spot: "x" });
    const [one, two] = instances();
    const { lifecycle } = run({}, one);
    const renamed = named("a", { ...ALLOW, spot: "x", name: "y" });
    const mayAdopt = () => failuresOf(run({}, two).lifecycle, adopting("p")).length === 0;
    preview(lifecycle, stored, renamed);
    expect(mayAdopt()).toBe(false);
    lifecycle.check(undefined, renamed);
    expect(mayAdopt()).toBe(true);
  });
});

describe("a resource that this run manages is not deleted", () => {
  test.each([RETAIN, DELETE])("by a renamed resource, stored to delete, that now has %j", async (policy) => {
    const renaming = run();
    await created(renaming, named("new", { adopt: ID, ...policy }));
    expect(await requestsOfDelete(renaming, await adopted("old", DELETE))).toEqual([`adopt ${ID}`]);
    expect(renaming.lines).toEqual([`Thing ${ID} is not deleted: "new" of this program uses it.`]);
  });

  test("before the adoption is done either", async () => {
    const renaming = run();
    renaming.lifecycle.check(undefined, named("new", { adopt: CAPITALS }));
    expect(await requestsOfDelete(renaming, await adopted("old", DELETE))).toEqual([]);
  });

  test("where one of two resources that manage it leaves the program", async () => {
    const staying = run();
    const newInputs = named("a", { ...DELETE, adopt: ID });
    expect(preview(staying.lifecycle, await adopted("a", DELETE), newInputs).difference?.changed).toBe(false);
    expect(await requestsOfDelete(staying, await adopted("b", DELETE))).toEqual([]);
  });

  test("but a resource that the program no longer has is deleted by its stored policy", async () => {
    const stored = await deployed(named("old", DELETE));
    const deleting = run();
    await created(deleting, named("new", DELETE));
    const requests = await requestsOfDelete(deleting, { ...stored, id: `${stored.id}-old` });
    expect(requests).toEqual(["create new-1", "delete new-1-old"]);
  });

  test("where it reads the id by get, but not where it only refreshes it", async () => {
    const stored = await deployed(named("old", DELETE));
    const [getting, refreshing] = [run(reading), run(reading)];
    await getting.lifecycle.read(stored.id, {});
    expect(await requestsOfDelete(getting, stored)).toEqual([]);
    await refreshing.lifecycle.read(stored.id, stored.outputs);
    expect(await requestsOfDelete(refreshing, stored)).toEqual([`delete ${stored.id}`]);
  });
});

describe("several resources whose kind shares ids", () => {
  const shared: Deployed = { id: ID, outputs: DELETE };
  const sharing = () => run({ deletedPart: "its title" });

  test("are accepted, have each its own policy, and are deleted each by itself", async () => {
    const [staying, retaining, renaming] = [sharing(), sharing(), sharing()];
    for (const key of ["a", "b"])
      expect(preview(staying.lifecycle, shared, named(key, DELETE)).failures).toEqual([]);
    preview(retaining.lifecycle, { id: ID, outputs: RETAIN }, named("a", RETAIN));
    expect(await requestsOfDelete(retaining, shared)).toEqual([`delete ${ID}`]);
    await created(renaming, adopting("a"));
    expect(await requestsOfDelete(renaming, shared)).toEqual([`adopt ${ID}`, `delete ${ID}`]);
  });

  test("store the name that an alias gave, so that a later resource of the old name decides nothing", async () => {
    const { lifecycle } = sharing();
    const [stored, newInputs] = [await adopted("old", DELETE), named("new", { ...DELETE, name: "a" })];
    const { inputs } = preview(lifecycle, stored, newInputs);
    const outputs = await lifecycle.update(ID, stored.outputs, inputs, keyOf(newInputs));
    expect(privateStateOf(outputs).key).toBe(keyOf(newInputs));
    const deleting = sharing();
    await created(deleting, named("old", {}));
    expect(await requestsOfDelete(deleting, { id: ID, outputs })).toEqual(["create new-1", `delete ${ID}`]);
  });
});

describe("a resource that the program's process lists for an id, but that the engine leaves out of the run", () => {
  const listed: IdUse = { use: "adopts", type: "Thing", key: keyOfName("new"), id: CAPITALS };
  const holding = (name: string): IdUse => ({ ...listed, use: "has", createdBy: keyOfName(name) });

  /** A run whose program lists these uses of ids. */
  function listing(...uses: readonly IdUse[]): ReturnType<typeof run> {
    const fileOf = newRun();
    const file = fileOf(2, true);
    for (const use of uses) file.add(use);
    return run({}, new IdsInUse(fileOf(1)));
  }
  const kept = `Thing ${ID} is not deleted: "new" of this program uses it, and this run leaves "new" out.`;

  test.each<[what: string, use: IdUse, lines: string[]]>([
    ["keeps what it adopts", listed, [kept]],
    ["keeps what it has in the stack under another name", holding("new"), [kept]],
    ["does not keep itself, after an alias gave it another name", holding("old"), []],
    ["does not keep itself, with its adopt", { ...listed, key: keyOfName("old") }, []],
    ["does not keep the id for another type", { ...listed, type: "Other" }, []],
    ["does not keep another id", { ...listed, id: "another" }, []],
  ])("%s", async (_, use, lines) => {
    const deleting = listing(use);
    const requests = await requestsOfDelete(deleting, await adopted("old", DELETE));
    expect([requests, deleting.lines]).toEqual([lines.length > 0 ? [] : [`delete ${ID}`], lines]);
  });

  test("does not keep what its own replacement gives up, for which the engine has checked it", async () => {
    const stored = await adopted("old", { ...both, spot: "x" });
    const replacing = listing(listed);
    // An alias has given it this name.
    preview(replacing.lifecycle, stored, named("new", { ...both, adopt: ID, spot: "y" }));
    expect(await requestsOfDelete(replacing, stored)).toEqual([`delete ${ID}`]);
  });

  test("keeps the id no longer when the engine has deleted it, too", async () => {
    const destroying = listing(...["a", "b"].map((key) => ({ ...holding(key), key: keyOfName(key) })));
    for (const key of ["a", "b"]) await requestsOfDelete(destroying, await adopted(key, DELETE));
    expect(destroying.requests).toEqual([`delete ${ID}`]);
  });
});

test("what the program adopts is known before the check of the resource that does", () => {
  const fileOf = newRun();
  const [program, ids] = [fileOf(1, true), new IdsInUse(fileOf(2))];
  const isAdopted = (type = "Thing") => ids.isAdoptedByProgram({ type, id: CAPITALS });
  program.add({ use: "has", type: "Thing", id: ID, key: "a" });
  expect(isAdopted()).toBe(false);
  program.add({ use: "adopts", type: "Thing", id: ID, key: "b" });
  expect([isAdopted(), isAdopted("Other")]).toEqual([true, false]);
});
