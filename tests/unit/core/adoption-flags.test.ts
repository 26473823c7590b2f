import type { PropertyMap } from "../../../provider/src/core/property-value";
import { adoptionFlag } from "../../../provider/src/core/managed-ids";
import { preview } from "../../../testkit/preview";
import { deployed, ID, named, recordFlags, run } from "./run";

const allow = { replacementPolicy: "allow" };
const flag = `adopt ${ID}`;

test.each<[what: string, before: PropertyMap, now: PropertyMap, flags: string[]]>([
  ["a resource that adopted the id", { adopt: ID }, {}, [flag]],
  ["a resource that is not replaced", { adopt: ID, place: "x" }, { adopt: ID, place: "x" }, [flag]],
  ["no resource that was created", { place: "x" }, { place: "x" }, []],
  [
    "no resource that is replaced",
    { ...allow, adopt: ID, place: "x" },
    { ...allow, adopt: ID, place: "y" },
    [],
  ],
])("a preview shows the other provider instances %s", async (_, before, now, expected) => {
  const stored = await deployed(named("a", before));
  const { flags, left } = recordFlags();
  expect(preview(run({}, flags).lifecycle, { ...stored, id: ID }, named("a", now)).failures).toEqual([]);
  expect([...left]).toEqual(expected);
});

test("a preview shows the other provider instances a resource of a state that does not say what it adopted", () => {
  const { flags, left } = recordFlags();
  const outputs = { adopt: ID };
  preview(run({}, flags).lifecycle, { id: ID, outputs }, named("a", outputs));
  expect([...left]).toEqual([flag]);
});

test("another spelling of an id has the same flag", () => {
  expect(adoptionFlag(ID.toUpperCase())).toBe(adoptionFlag(ID));
});

test("a diff that needs a replacement shows the other provider instances nothing, also before its check", async () => {
  const stored = await deployed(named("a", { ...allow, adopt: ID, place: "x" }));
  const { flags, left } = recordFlags();
  const { lifecycle } = run({}, flags);
  const { inputs } = lifecycle.check(stored.outputs, named("a", { ...allow, adopt: ID, place: "y" }));
  expect(lifecycle.diff(ID, stored.outputs, inputs).replaces).toEqual(["place"]);
  expect([...left]).toEqual([]);
});

test("an adopted id protects no other id from the deletion by another provider instance", async () => {
  const stored = await deployed(named("old", { deletionPolicy: "delete" }));
  const { flags } = recordFlags();
  run({}, flags).lifecycle.check(undefined, named("new", { adopt: ID }));
  const { lifecycle, requests } = run({}, flags);
  await lifecycle.delete(stored.id, stored.outputs);
  expect(requests).toEqual([`delete ${stored.id}`]);
});
