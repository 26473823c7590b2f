import type { PropertyMap } from "../../../provider/src/core/property-value";
import { privateStateOf } from "../../../provider/src/core/private-state";
import { preview } from "../../../testkit/preview";
import { deployed, ID, named, run } from "./run";

describe("an update of a resource to which an alias gave another name", () => {
  const policy = { deletionPolicy: "delete" };

  /** The state after an update, in a run in which the program has these resources of one id beside it. */
  async function updated(...others: readonly string[]): Promise<PropertyMap> {
    const { lifecycle } = run({ sharesId: true });
    const stored = await deployed(named("old", { ...policy, adopt: ID }));
    for (const key of others) preview(lifecycle, { id: ID, outputs: policy }, named(key, policy));
    const { inputs } = preview(lifecycle, stored, named("parent/new", { ...policy, name: "a" }));
    return lifecycle.update(ID, stored.outputs, inputs);
  }

  test("stores the new name, so that a later resource of the old name does not decide what becomes of it", async () => {
    const outputs = await updated();
    expect(privateStateOf(outputs).key).toBe("parent/new");
    const { lifecycle, requests } = run({ sharesId: true });
    await lifecycle.create(lifecycle.check(undefined, named("old", {})).inputs);
    await lifecycle.delete(ID, outputs);
    expect(requests).toEqual(["create new-1", `delete ${ID}`]);
  });

  test("keeps the stored name where several resources have the id", async () => {
    expect(privateStateOf(await updated("other")).key).toBe("old");
  });
});
