import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { describeFailure } from "../../../provider/src/lifecycle/comparison/validation";
import { exportedResource, exportOf } from "../../kit/deployment";
import { stackWithState } from "../../kit/lifecycle";
import { ALLOW, ID, thing } from "./thing";

describe("a preview", () => {
  const KEY = "Thing::a";
  const adopting = { name: "a", adopt: ID };
  const here = { immutableText: "x" };
  const there = { immutableText: "y", ...ALLOW };

  /** The steps for which a preview asks the resource type, after these checks and diffs of the engine. */
  async function stepsOf(oldInputs: PropertyMap | undefined, newInputs: PropertyMap, state: string) {
    const asked: unknown[] = [];
    const ask = (resource: object) => Promise.resolve({ warnings: [String(asked.push(resource))] });
    const stack = stackWithState(() => Promise.resolve(state));
    const { lifecycle } = thing({ checkAgainstOthers: ask }, { stack });
    const check = async (old: PropertyMap | undefined) => {
      const checked = lifecycle.check(old, { ...newInputs, __key: KEY });
      await lifecycle.checkAgainstOthers(checked);
      return checked.inputs;
    };
    const inputs = await check(oldInputs);
    if (oldInputs !== undefined && lifecycle.diff("1", oldInputs, inputs, KEY).replaces.length > 0)
      await check(undefined);
    return asked;
  }

  const storedAs = (id: string, adopt?: string): string => {
    const outputs = { __privateState: { key: KEY, ...(adopt !== undefined && { adopt }) } };
    return exportOf([exportedResource("a", id, { type: "Thing", outputs })]);
  };
  const ofOther = exportOf([exportedResource("b", ID, { type: "Thing" })]);

  test.each<[what: string, old: PropertyMap | undefined, args: PropertyMap, steps: string[]]>([
    ["a resource in the stack", { name: "a" }, adopting, ["update"]],
    ["a replacement, after the update that it was to be", here, there, ["update", "replace"]],
    ["wrong arguments: nothing", undefined, { ...adopting, name: 1 }, []],
  ])("tells the resource type the step of %s", async (_, oldInputs, newInputs, steps) => {
    const asked = await stepsOf(oldInputs, newInputs, "{}");
    expect(asked).toEqual(
      steps.map((step) => ({
        key: KEY,
        inputs: expect.objectContaining(newInputs) as unknown,
        oldInputs,
        step,
        wasTakenOver: false,
      })),
    );
  });

  test.each<[what: string, state: string, step: string]>([
    ["for a resource that has adopted it", storedAs(ID), "replace"],
    ["for a resource that has adopted it, and was replaced then", storedAs("2", ID), "replace"],
    ["for a resource that has another ID", storedAs("2"), "adopt"],
    ["while another resource of the stack has it", ofOther, "adopt"],
  ])(
    "decides whether --replace of a resource with an ID in adopt replaces or adopts, %s",
    async (_, state, step) => {
      expect(await stepsOf(undefined, adopting, state)).toMatchObject([{ step }]);
    },
  );

  test.each<[what: string, gone: PropertyMap, wasTakenOver: boolean]>([
    ["was imported, and a refresh of this run does not find it", { imported: true }, true],
    ["was created, and a refresh of this run does not find it", {}, false],
  ])("tells the resource type whether a resource was taken over that %s", async (_, gone, wasTakenOver) => {
    const asked: unknown[] = [];
    const { lifecycle } = thing({
      read: () => Promise.resolve(undefined),
      checkAgainstOthers: (resource) =>
        Promise.resolve({ warnings: [String(asked.push(resource.wasTakenOver))] }),
    });
    await lifecycle.read("1", { name: "a", observed: {}, __privateState: { key: KEY, ...gone } });
    await lifecycle.checkAgainstOthers(lifecycle.check(undefined, { name: "a", __key: KEY }));
    expect(asked).toEqual([wasTakenOver]);
  });

  test("an imported resource counts as taken over after a refresh", async () => {
    const { lifecycle } = thing({ read: () => Promise.resolve({ name: "a" }) });
    const state = { name: "a", observed: { name: "a" }, __privateState: { key: KEY, imported: true } };
    const read = await lifecycle.read("1", state);
    expect(read?.outputs).toMatchObject({ __privateState: { imported: true } });
  });
});

describe("an ID in adopt that another resource of the program has", () => {
  /** The adoption, and the diff of the other resource. */
  function twoResources() {
    const { lifecycle } = thing();
    const state = { serviceId: "s", name: "a", observed: {} };
    return {
      adopt: () => lifecycle.checkAgainstOthers(lifecycle.check(undefined, { adopt: ID, __key: "Thing::b" })),
      compare: () => {
        const { inputs } = lifecycle.check(state, { name: "a", __key: "Thing::a" });
        return lifecycle.diff(ID, state, inputs, "Thing::a");
      },
    };
  }

  const managed = `names ${ID}, which resource "a" of this program manages. Remove one`;

  test("is refused after the diff of the other one", async () => {
    const { adopt, compare } = twoResources();
    compare();
    expect((await adopt()).map(describeFailure)).toEqual([expect.stringContaining(`adopt ${managed}`)]);
  });

  test("fails the diff of the other one after the check of the adoption", async () => {
    const { adopt, compare } = twoResources();
    expect(await adopt()).toEqual([]);
    expect(compare).toThrow(`adopt of "b" ${managed}`);
  });
});
