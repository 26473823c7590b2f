import { addProgramId, type ProgramId } from "../../../provider/src/core/program-ids";
import type { PropertyMap } from "../../../provider/src/core/property-value";
import { preview, type Stored } from "../../../testkit/preview";
import { deployed, ID, named, recordFlags, run } from "./thing";

const DELETE = { deletionPolicy: "delete" };

/** What the state has of a resource that adopted the id. */
const adopted = (key: string, args: PropertyMap = DELETE) => deployed(named(key, { adopt: ID, ...args }));

async function requestsOfDelete(
  { lifecycle, requests }: ReturnType<typeof run>,
  { outputs }: Stored,
): Promise<string[]> {
  await lifecycle.delete(ID, outputs);
  return requests;
}

describe("a resource that the program's process lists for an id, but that the engine leaves out of the run", () => {
  const adopting: ProgramId = { type: "Thing", key: "new", id: ID.toUpperCase() };
  const holding = (createdBy?: string): ProgramId => ({ ...adopting, inStack: { createdBy } });

  test.each<[what: string, listed: ProgramId, isDeleted: boolean]>([
    ["keeps what it adopts", adopting, false],
    ["keeps what it has in the stack under another name", holding("new"), false],
    ["does not keep itself, after an alias gave it another name", holding("old"), true],
    ["does not keep itself, with its adopt", { ...adopting, key: "old" }, true],
    ["does not keep the id for another type", { ...adopting, type: "Other" }, true],
    ["does not keep another id", { ...adopting, id: "another" }, true],
  ])("%s", async (_, listed, isDeleted) => {
    const { flags } = recordFlags();
    addProgramId(flags, listed);
    const deleting = run({}, flags);
    expect(await requestsOfDelete(deleting, await adopted("old"))).toEqual(isDeleted ? [`delete ${ID}`] : []);
    expect(deleting.lines).toEqual(
      isDeleted
        ? []
        : [`Thing ${ID} is not deleted: "new" of this program uses it, and this run leaves "new" out.`],
    );
  });

  test("does not keep what its own replacement gives up, for which the engine has checked it", async () => {
    const args = { ...DELETE, replacementPolicy: "allow", adopt: ID };
    const stored = await adopted("old", { ...args, spot: "x" });
    const { flags } = recordFlags();
    addProgramId(flags, adopting);
    const replacing = run({}, flags);
    // An alias has given it this name.
    preview(replacing.lifecycle, stored, named("new", { ...args, spot: "y" }));
    expect(await requestsOfDelete(replacing, stored)).toEqual([`delete ${ID}`]);
  });

  test("keeps the id no longer when the engine has deleted it, too", async () => {
    const { flags } = recordFlags();
    for (const key of ["a", "b"]) addProgramId(flags, { ...holding(key), key });
    const destroying = run({}, flags);
    for (const key of ["a", "b"]) await destroying.lifecycle.delete(ID, (await adopted(key)).outputs);
    expect(destroying.requests).toEqual([`delete ${ID}`]);
  });
});
