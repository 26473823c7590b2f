import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { UNKNOWN } from "../../../provider/src/core/property-value";
import { RunFlagFiles } from "../../../provider/src/run-flags";
import { preview } from "../../../testkit/preview";
import { deployed, failuresOf, ID, named, recordFlags, run } from "./run";

describe("one id adopted by two resources", () => {
  const refusal = (holder: string, adopt = ID): string =>
    `adopt names ${adopt}, which "${holder}" of this program already manages. Only one resource can manage it: remove the other resource from the ` +
    "program, or adopt a different id.";

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
      `Two resources of this program manage Thing ${ID}: "b" and "a". Remove one of them from the program; the other one keeps it.`,
    );
  });

  test("is refused for a resource that keeps what the replacement of another one deletes first", async () => {
    const policies = { deletionPolicy: "delete", replacementPolicy: "allow" };
    const stored = await deployed(named("a", { ...policies, adopt: ID, place: "x" }));
    const { lifecycle } = run();
    expect(preview(lifecycle, stored, named("a", { ...policies, place: "y" })).failures).toEqual([]);
    expect(() => preview(lifecycle, stored, named("b", { ...policies, place: "x" }))).toThrow(
      `Two resources of this program manage Thing ${ID}: "a" and "b".`,
    );
  });

  test("is not mentioned where the second one has a wrong argument", () => {
    const { lifecycle } = run();
    expect(failuresOf(lifecycle, undefined, named("a", { adopt: ID }))).toEqual([]);
    expect(failuresOf(lifecycle, undefined, named("b", { adopt: ID, name: 1 }))).toEqual([
      "name must be a string, got 1",
    ]);
  });

  test("is accepted for one resource that the engine checks twice", () => {
    const { lifecycle } = run();
    for (const _ of [1, 2]) expect(failuresOf(lifecycle, undefined, named("a", { adopt: ID }))).toEqual([]);
  });

  test("is accepted where the first one is replaced and retained", async () => {
    const policies = { deletionPolicy: "retain", replacementPolicy: "allow" };
    const stored = await deployed(named("a", { ...policies, adopt: ID, place: "x" }));
    const { lifecycle } = run();
    expect(preview(lifecycle, stored, named("a", { ...policies, place: "y" })).failures).toEqual([]);
    expect(failuresOf(lifecycle, undefined, named("b", { adopt: ID }))).toEqual([]);
  });

  test("is accepted while the id is not known", () => {
    const { lifecycle } = run();
    for (const key of ["a", "b"])
      expect(failuresOf(lifecycle, undefined, named(key, { adopt: UNKNOWN }))).toEqual([]);
  });
});

describe("a resource that another provider instance of the run manages is not deleted", () => {
  test("where it adopts the id, or has adopted it in a run before", async () => {
    const stored = await deployed(named("old", { adopt: ID, deletionPolicy: "delete" }));
    const adopting = named("new", { adopt: stored.id });
    const first = recordFlags().flags;
    expect(failuresOf(run({}, first).lifecycle, undefined, adopting)).toEqual([]);
    const adopted = await deployed(adopting);
    const second = recordFlags().flags;
    preview(run({}, second).lifecycle, adopted, adopting);
    for (const known of [first, second]) {
      const { lifecycle, requests, lines } = run({}, known);
      await lifecycle.delete(stored.id, stored.outputs);
      expect(requests).toEqual([]);
      expect(lines).toEqual([`Thing ${stored.id} is not deleted: another resource of this program uses it.`]);
    }
  });

  test("where the resource that had it is replaced and deleted by its own instance, before or after the adoption", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "datapipes-flags-"));
    const args = { adopt: ID, deletionPolicy: "delete", replacementPolicy: "allow" };
    const stored = await deployed(named("old", { ...args, place: "x" }));
    const instance = (address: string, process: number) =>
      run({}, new RunFlagFiles(address, { folder, processId: process }));
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

  test("where a resource of another provider has it: neither is that adopted, nor is it deleted for an adopter", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "datapipes-flags-"));
    const instance = (port: number, processId: number) =>
      run({}, new RunFlagFiles(`127.0.0.1:${port}`, { folder, processId, isAlive: () => true }));
    const holder = await deployed(named("a", { adopt: ID, deletionPolicy: "retain" }));
    const adopter = await deployed(named("p", { adopt: holder.id, deletionPolicy: "delete" }));
    const [first, second] = [instance(1, 1), instance(1, 2)];
    preview(first.lifecycle, holder, named("a", { deletionPolicy: "retain" }));
    expect(failuresOf(second.lifecycle, undefined, named("p", { adopt: holder.id }))).toEqual([
      expect.stringContaining("which a resource of another provider of this program already manages"),
    ]);
    const [keeping, deleting] = [instance(2, 1), instance(2, 2)];
    preview(keeping.lifecycle, holder, named("a", { deletionPolicy: "retain" }));
    await deleting.lifecycle.delete(holder.id, adopter.outputs);
    expect(deleting.requests).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test("where the program reads the id", async () => {
    const stored = await deployed(named("old", { deletionPolicy: "delete" }));
    const known = recordFlags().flags;
    const reading = run({ read: () => Promise.resolve({ name: "old" }) }, known).lifecycle;
    await reading.read(stored.id, {});
    const { lifecycle, requests } = run({}, known);
    await lifecycle.delete(stored.id, stored.outputs);
    expect(requests).toEqual([]);
  });

  test("except where its own replacement deletes it", async () => {
    const args = { adopt: ID, deletionPolicy: "delete", replacementPolicy: "allow" };
    const stored = await deployed(named("a", { ...args, place: "x" }));
    const { lifecycle, requests } = run({}, recordFlags().flags);
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

test("an id that a refresh reads is deleted", async () => {
  const stored = await deployed(named("old", { deletionPolicy: "delete" }));
  const { lifecycle, requests } = run({ read: () => Promise.resolve({ name: "x" }) });
  await lifecycle.read(stored.id, stored.outputs);
  await lifecycle.delete(stored.id, stored.outputs);
  expect(requests).toEqual([`delete ${stored.id}`]);
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
