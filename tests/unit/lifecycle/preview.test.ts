import type { PropertyMap } from "../../../provider/src/lifecycle/property-value";
import { describeFailure } from "../../../provider/src/lifecycle/validation";
import { exportedResource, exportOf } from "../../kit/deployment";
import { preview, stackWithState } from "../../kit/lifecycle";
import { ALLOW, ID, rejection, thing } from "./thing";

describe("a preview", () => {
  const KEY = "Thing::a";
  const adopting = { name: "a", adopt: ID };
  const here = { spot: "x" };
  const there = { spot: "y", ...ALLOW };

  /** The steps for which a preview asks the resource type, after these checks and diffs of the engine. */
  async function stepsOf(oldInputs: PropertyMap | undefined, newInputs: PropertyMap, state: string) {
    const asked: unknown[] = [];
    const ask = (resource: object) => Promise.resolve({ warnings: [String(asked.push(resource))] });
    const stack = stackWithState(() => Promise.resolve(state));
    const { lifecycle } = thing({ preview: ask }, { stack });
    const check = async (old: PropertyMap | undefined) => {
      const checked = lifecycle.check(old, { ...newInputs, __key: KEY });
      await lifecycle.preview(checked);
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
    ["a new resource", undefined, { name: "a" }, ["create"]],
    ["a new resource that adopts", undefined, adopting, ["adopt"]],
    ["a resource in the stack", { name: "a" }, adopting, ["update"]],
    ["a replacement, after the update that it was to be", here, there, ["update", "replace"]],
    [
      "a replacement of an adopted one",
      { ...here, adopt: ID },
      { ...there, adopt: ID },
      ["update", "replace"],
    ],
    ["wrong arguments: nothing", undefined, { ...adopting, name: 1 }, []],
  ])("tells the resource type the step of %s", async (_, oldInputs, newInputs, steps) => {
    const asked = await stepsOf(oldInputs, newInputs, "{}");
    expect(asked).toEqual(
      steps.map((step) => ({
        key: KEY,
        inputs: expect.objectContaining(newInputs) as unknown,
        oldInputs: step === "update" ? oldInputs : undefined,
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

  test("logs the lines and the warnings of the resource type, and returns its failures", async () => {
    const failures = [{ path: ["adopt"], reason: "no" }];
    const { lifecycle, lines } = thing({
      preview: () => Promise.resolve({ lines: ["b will change"], warnings: ["c is missing"], failures }),
    });
    expect(await lifecycle.preview(lifecycle.check(undefined, adopting))).toEqual(failures);
    expect(lines).toEqual(["warning: c is missing", "b will change"]);
  });

  test("logs nothing for a resource type without such a preview", async () => {
    const { lifecycle, lines } = thing();
    expect(await lifecycle.preview(lifecycle.check(undefined, adopting))).toEqual([]);
    expect(lines).toEqual([]);
  });

  test.each<[what: string, gone: PropertyMap | undefined, wasTakenOver: boolean]>([
    ["was imported, and a refresh of this run does not find it", { imported: true }, true],
    ["was adopted, and a refresh of this run does not find it", { adopt: ID }, true],
    ["was created, and a refresh of this run does not find it", {}, false],
    ["is new", undefined, false],
  ])("tells the resource type whether a resource was taken over that %s", async (_, gone, wasTakenOver) => {
    const asked: unknown[] = [];
    const { lifecycle } = thing({
      read: () => Promise.resolve(undefined),
      preview: (resource) => Promise.resolve({ warnings: [String(asked.push(resource.wasTakenOver))] }),
    });
    if (gone !== undefined)
      await lifecycle.read("1", { name: "a", observed: {}, __privateState: { key: KEY, ...gone } });
    await lifecycle.preview(lifecycle.check(undefined, { name: "a", __key: KEY }));
    expect(asked).toEqual([wasTakenOver]);
  });
});

describe("an ID that two resources of the program would manage", () => {
  const managed = (id: string, name: string): string =>
    `names ${id}, which resource ${name} of this program manages. Remove one of the two, or adopt another ID.`;
  const adoptingAs = (name: string, id: string): PropertyMap => ({ adopt: id, __key: `Thing::${name}` });

  test("is refused for the second one that adopts it, in any spelling", async () => {
    const { lifecycle } = thing();
    const failures = async (name: string, id: string) =>
      (await lifecycle.preview(lifecycle.check(undefined, adoptingAs(name, id)))).map(describeFailure);
    expect(await failures("a", ID)).toEqual([]);
    expect(await failures("b", ID.toUpperCase())).toEqual([`adopt ${managed(ID.toUpperCase(), '"a"')}`]);
    expect(await failures("a", ID)).toEqual([]);
  });

  test.each(["before", "after"])(
    "is refused if the other one has it, and was compared %s the check",
    async (when) => {
      const { lifecycle } = thing();
      const state = { serviceId: "s", name: "a", observed: {} };
      const compared = (): unknown => {
        const { inputs } = lifecycle.check(state, { name: "a", __key: "Thing::a" });
        return lifecycle.diff(ID, state, inputs, "Thing::a");
      };
      if (when === "before") compared();
      const adoption = await lifecycle.preview(lifecycle.check(undefined, adoptingAs("b", ID)));
      if (when === "before") expect(adoption.map(({ reason }) => reason)).toEqual([managed(ID, '"a"')]);
      else
        expect(compared).toThrow(
          `adopt of "b" names ${ID}, which resource "a" of this program manages. Remove one`,
        );
    },
  );

  test("is no failure if the other one is replaced, and leaves it", async () => {
    const { lifecycle } = thing();
    const replaced = preview(
      lifecycle,
      { id: ID, outputs: { spot: "x" } },
      { spot: "y", ...ALLOW, __key: "Thing::a" },
    );
    expect(replaced.failures).toEqual([]);
    expect(await lifecycle.preview(lifecycle.check(undefined, adoptingAs("b", ID)))).toEqual([]);
  });

  test("is refused before the create if another provider instance gives it to a resource", async () => {
    const creating = { type: "Thing", inputs: { adopt: ID.toUpperCase() } };
    const { id: _, ...other } = exportedResource("a", "", creating);
    const stack = stackWithState(() => Promise.resolve(exportOf([], [other])));
    const { lifecycle } = thing({}, { stack });
    const { inputs } = lifecycle.check(undefined, adoptingAs("b", ID));
    expect(await rejection(lifecycle.create(inputs, "Thing::b"))).toEqual(
      new Error(`adopt ${managed(ID, '"a"')}`),
    );
  });
});
