import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { adoptionFlag } from "../../../provider/src/core/managed-ids";
import { privateStateOf } from "../../../provider/src/core/private-state";
import { UNKNOWN, type PropertyMap } from "../../../provider/src/core/property-value";
import { RunFlagFiles } from "../../../provider/src/run-flags";
import { preview, type Stored } from "../../../testkit/preview";
import { deployed, failuresOf, ID, named, recordFlags, run } from "./thing";

const DELETE = { deletionPolicy: "delete" };
const ALLOW = { replacementPolicy: "allow" };
const CAPITALS = ID.toUpperCase();

/** The requests of a run in which the engine at last deletes a resource. */
async function requestsOfDelete(
  { lifecycle, requests }: ReturnType<typeof run>,
  { id, outputs }: Stored,
): Promise<string[]> {
  await lifecycle.delete(id, outputs);
  return requests;
}

/** What the state has of a resource that adopted the id. */
const adopted = (key: string, args: PropertyMap = {}) => deployed(named(key, { adopt: ID, ...args }));
const reading = { read: () => Promise.resolve({ name: "x" }) };

describe("one id adopted by two resources", () => {
  const refusal = (adopt = ID): string =>
    `adopt names ${adopt}, which "a" of this program already manages. Only one resource can manage it: remove the other resource from the ` +
    "program, or adopt a different id.";
  const replaced = { ...ALLOW, adopt: ID, spot: "x" };
  const other = (args: PropertyMap): PropertyMap => named("group/b", args);

  test.each<
    [what: string, before: PropertyMap | undefined, now: PropertyMap, then: PropertyMap, failures: string[]]
  >([
    ["refused, in any spelling", undefined, { adopt: ID }, other({ adopt: CAPITALS }), [refusal(CAPITALS)]],
    ["refused, if one is in the stack", { adopt: ID }, {}, other({ adopt: ID }), [refusal()]],
    [
      "refused, if a replacement deletes it",
      { ...replaced, ...DELETE },
      { ...ALLOW, ...DELETE, spot: "y" },
      other({ adopt: ID }),
      [refusal()],
    ],
    ["accepted, if a replacement retains it", replaced, { ...ALLOW, spot: "y" }, other({ adopt: ID }), []],
    ["accepted, if it is one resource twice", undefined, { adopt: ID }, named("a", { adopt: ID }), []],
    ["accepted, while it is not known", undefined, { adopt: UNKNOWN }, other({ adopt: UNKNOWN }), []],
    [
      "not mentioned beside a wrong argument",
      undefined,
      { adopt: ID },
      other({ adopt: ID, name: 1 }),
      ["name must be a string, got 1"],
    ],
  ])("is %s", async (_, before, now, then, failures) => {
    const { lifecycle } = run();
    const news = named("a", now);
    const first =
      before === undefined
        ? failuresOf(lifecycle, undefined, news)
        : preview(lifecycle, await deployed(named("a", before)), news).failures;
    expect(first).toEqual([]);
    expect(failuresOf(lifecycle, undefined, then)).toEqual(failures);
  });

  test("is refused where the engine checks the resource of the stack afterwards", async () => {
    const stored = await adopted("a");
    const { lifecycle } = run();
    expect(failuresOf(lifecycle, undefined, named("b", { adopt: ID }))).toEqual([]);
    expect(() => preview(lifecycle, stored, named("a", {}))).toThrow(
      `Two resources of this program manage Thing ${ID}: "b" and "a". Remove one of them from the program; the other one keeps it.`,
    );
  });

  test("is refused for a resource that keeps what the replacement of another one deletes first", async () => {
    const policies = { ...DELETE, ...ALLOW };
    const stored = await adopted("a", { ...policies, spot: "x" });
    const { lifecycle } = run();
    expect(preview(lifecycle, stored, named("a", { ...policies, spot: "y" })).failures).toEqual([]);
    expect(() => preview(lifecycle, stored, named("b", { ...policies, spot: "x" }))).toThrow(
      `Two resources of this program manage Thing ${ID}: "a" and "b".`,
    );
  });

  test("is refused also after a replacement has deleted it", async () => {
    const policies = { ...DELETE, ...ALLOW };
    const stored = await adopted("a", { ...policies, spot: "x" });
    const { lifecycle } = run();
    preview(lifecycle, stored, named("a", { ...policies, spot: "y" }));
    // Without a preview, the resource that adopts may be asked about last.
    await lifecycle.delete(stored.id, stored.outputs);
    expect(failuresOf(lifecycle, undefined, named("b", { adopt: ID }))).toEqual([refusal()]);
  });
});

describe("a resource that another provider instance of the run manages is not deleted", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "datapipes-flags-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const instance = (port: number, processId: number) =>
    run({}, new RunFlagFiles(`127.0.0.1:${port}`, { folder, processId, isAlive: () => true }));

  test("where it adopts the id, or has adopted it in a run before", async () => {
    const stored = await adopted("old", DELETE);
    const adopting = named("new", { adopt: ID });
    const first = recordFlags().flags;
    expect(failuresOf(run({}, first).lifecycle, undefined, adopting)).toEqual([]);
    const second = recordFlags().flags;
    preview(run({}, second).lifecycle, await deployed(adopting), adopting);
    for (const known of [first, second]) {
      const deleting = run({}, known);
      expect(await requestsOfDelete(deleting, stored)).toEqual([]);
      expect(deleting.lines).toEqual([
        `Thing ${ID} is not deleted: another resource of this program uses it.`,
      ]);
    }
  });

  test.each([true, false])(
    "where the resource that had it is replaced and deleted by its own instance; adopted before: %p",
    async (adoptsFirst) => {
      const args = { ...DELETE, ...ALLOW };
      const stored = await adopted("old", { ...args, spot: "x" });
      const port = adoptsFirst ? 3 : 4;
      const [replacing, other] = [instance(port, 1), instance(port, 2)];
      const adopt = () => {
        expect(failuresOf(other.lifecycle, undefined, named("new", { adopt: ID }))).toEqual([]);
      };
      if (adoptsFirst) adopt();
      preview(replacing.lifecycle, stored, named("old", { ...args, spot: "y" }));
      if (!adoptsFirst) adopt();
      expect(await requestsOfDelete(replacing, stored)).toEqual([]);
    },
  );

  test("where a resource of another provider has it: neither is that adopted, nor is it deleted for an adopter", async () => {
    const retained = named("a", { deletionPolicy: "retain" });
    const holder = await adopted("a", { deletionPolicy: "retain" });
    const [first, second] = [instance(1, 1), instance(1, 2)];
    preview(first.lifecycle, holder, retained);
    expect(failuresOf(second.lifecycle, undefined, named("p", { adopt: ID }))).toEqual([
      expect.stringContaining("which a resource of another provider of this program already manages"),
    ]);
    preview(instance(2, 1).lifecycle, holder, retained);
    expect(await requestsOfDelete(instance(2, 2), await adopted("p", DELETE))).toEqual([]);
  });

  test("where the program reads the id", async () => {
    const [stored, known] = [await deployed(named("old", DELETE)), recordFlags().flags];
    await run(reading, known).lifecycle.read(stored.id, {});
    expect(await requestsOfDelete(run({}, known), stored)).toEqual([]);
  });

  test("except where its own replacement deletes it, or the other one manages another id", async () => {
    const args = { ...DELETE, ...ALLOW };
    const stored = await adopted("a", { ...args, spot: "x" });
    const replacing = run({}, recordFlags().flags);
    preview(replacing.lifecycle, stored, named("a", { ...args, spot: "y" }));
    expect(await requestsOfDelete(replacing, stored)).toEqual([`delete ${ID}`]);

    const { flags } = recordFlags();
    run({}, flags).lifecycle.check(undefined, named("new", { adopt: ID }));
    const created = await deployed(named("old", DELETE));
    expect(await requestsOfDelete(run({}, flags), created)).toEqual([`delete ${created.id}`]);
  });
});

describe("a preview shows the other provider instances", () => {
  const flag = `adopt ${ID}`;

  test.each<[what: string, before: PropertyMap, now: PropertyMap, flags: string[]]>([
    ["a resource that adopted the id", { adopt: ID }, {}, [flag]],
    ["a resource that is not replaced", { adopt: ID, spot: "x" }, { adopt: ID, spot: "x" }, [flag]],
    ["no resource that was created", { spot: "x" }, { spot: "x" }, []],
    [
      "no resource that is replaced",
      { ...ALLOW, adopt: ID, spot: "x" },
      { ...ALLOW, adopt: ID, spot: "y" },
      [],
    ],
  ])("%s", async (_, before, now, expected) => {
    const stored = await deployed(named("a", before));
    const { flags, left } = recordFlags();
    expect(preview(run({}, flags).lifecycle, { ...stored, id: ID }, named("a", now)).failures).toEqual([]);
    expect([...left]).toEqual(expected);
  });

  test("a resource of a state that does not say what it adopted, in any spelling of the id", () => {
    const { flags, left } = recordFlags();
    preview(run({}, flags).lifecycle, { id: ID, outputs: { adopt: ID } }, named("a", { adopt: ID }));
    expect([...left]).toEqual([flag]);
    expect(adoptionFlag(CAPITALS)).toBe(flag);
  });

  test("nothing of a replacement, which a diff finds, or which replaceOnChanges requires after it", async () => {
    const stored = await adopted("a", { ...ALLOW, spot: "x" });
    const { flags, left } = recordFlags();
    const { lifecycle } = run({}, flags);
    const { inputs } = lifecycle.check(stored.outputs, named("a", { ...ALLOW, adopt: ID, spot: "y" }));
    expect(lifecycle.diff(ID, stored.outputs, inputs).replaces).toEqual(["spot"]);
    expect([...left]).toEqual([]);
    const renamed = named("a", { ...ALLOW, spot: "x", name: "y" });
    preview(lifecycle, stored, renamed);
    expect([...left]).toEqual([flag]);
    lifecycle.check(undefined, renamed);
    expect([...left]).toEqual([]);
  });
});

describe("a resource that this run manages is not deleted", () => {
  test.each(["retain", "delete"])(
    "by a renamed resource that was stored with another policy, and now says %s",
    async (deletionPolicy) => {
      const stored = await adopted("old", DELETE);
      const renaming = run();
      const { inputs } = renaming.lifecycle.check(undefined, named("new", { adopt: ID, deletionPolicy }));
      await renaming.lifecycle.create(inputs);
      expect(await requestsOfDelete(renaming, stored)).toEqual([`adopt ${ID}`]);
      expect(renaming.lines).toEqual([`Thing ${ID} is not deleted: "new" of this program uses it.`]);
    },
  );

  test("before the adoption is done either", async () => {
    const stored = await adopted("old", DELETE);
    const adopting = run();
    adopting.lifecycle.check(undefined, named("new", { adopt: CAPITALS }));
    expect(await requestsOfDelete(adopting, stored)).toEqual([]);
  });

  test("where one of two resources that manage it leaves the program", async () => {
    const [first, second] = [await adopted("a", DELETE), await adopted("b", DELETE)];
    const staying = run();
    const news = named("a", { ...DELETE, adopt: ID });
    expect(preview(staying.lifecycle, first, news).difference?.changed).toBe(false);
    expect(await requestsOfDelete(staying, second)).toEqual([]);
  });

  test("but a resource that the program no longer has is deleted by its stored policy", async () => {
    const stored = await deployed(named("old", DELETE));
    const deleting = run();
    await deleting.lifecycle.create(deleting.lifecycle.check(undefined, named("new", DELETE)).inputs);
    const requests = await requestsOfDelete(deleting, { ...stored, id: `${stored.id}-old` });
    expect(requests).toEqual(["create new-1", "delete new-1-old"]);
  });

  test.each<[what: string, properties: (outputs: PropertyMap) => PropertyMap, isDeleted: boolean]>([
    ["by get", () => ({}), false],
    ["by a refresh alone, which does not use it", (outputs) => outputs, true],
  ])("where it reads the id %s", async (_, propertiesOf, isDeleted) => {
    const stored = await deployed(named("old", DELETE));
    const refreshing = run(reading);
    await refreshing.lifecycle.read(stored.id, propertiesOf(stored.outputs));
    expect(await requestsOfDelete(refreshing, stored)).toEqual(isDeleted ? [`delete ${stored.id}`] : []);
  });
});

describe("several resources whose kind shares ids", () => {
  const shared: Stored = { id: ID, outputs: DELETE };
  const sharing = () => run({ sharesId: true });

  test("are accepted", () => {
    const { lifecycle } = sharing();
    for (const key of ["a", "b"]) expect(preview(lifecycle, shared, named(key, DELETE)).failures).toEqual([]);
  });

  test("have each its own policy, and are deleted each by itself", async () => {
    const [retaining, outputs] = [sharing(), { deletionPolicy: "retain" }];
    preview(retaining.lifecycle, { id: ID, outputs }, named("a", outputs));
    expect(await requestsOfDelete(retaining, shared)).toEqual([`delete ${ID}`]);
    const adopting = sharing();
    await adopting.lifecycle.create(adopting.lifecycle.check(undefined, named("a", { adopt: ID })).inputs);
    expect(await requestsOfDelete(adopting, shared)).toEqual([`adopt ${ID}`, `delete ${ID}`]);
  });

  /** The state of a resource to which an alias gave a new name, after an update beside these resources. */
  async function renamed(...others: readonly string[]): Promise<PropertyMap> {
    const { lifecycle } = sharing();
    const stored = await adopted("old", DELETE);
    for (const key of others) preview(lifecycle, shared, named(key, DELETE));
    const { inputs } = preview(lifecycle, stored, named("parent/new", { ...DELETE, name: "a" }));
    return lifecycle.update(ID, stored.outputs, inputs);
  }

  test("store the name that an alias gave, so that a later resource of the old name decides nothing", async () => {
    const outputs = await renamed();
    expect(privateStateOf(outputs).key).toBe("parent/new");
    const deleting = sharing();
    await deleting.lifecycle.create(deleting.lifecycle.check(undefined, named("old", {})).inputs);
    expect(await requestsOfDelete(deleting, { id: ID, outputs })).toEqual(["create new-1", `delete ${ID}`]);
    expect(privateStateOf(await renamed("other")).key).toBe("old");
  });
});
