import { UNKNOWN } from "../../../provider/src/lifecycle/comparison/property-value";
import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { preview, stackWithState, type DeployedResource } from "../../kit/lifecycle";
import { exportedResource, exportOf } from "../../kit/deployment";
import { ALLOW, DELETE, deployed, failuresOf, ID, keyOfName, named, RETAIN, run } from "./thing";

const REFUSED: unknown = expect.stringMatching(/^immutableText cannot be changed in place/);
const program = (immutableText: string, more: PropertyMap = {}): PropertyMap =>
  named("a", { adopt: ID, immutableText, ...ALLOW, ...more });
const KEY = keyOfName("a");

describe("a replacement", () => {
  /** Replaces as the engine does: it asks the plugin to delete only what was not stored with the policy to retain. */
  async function replaced(stored: DeployedResource, newInputs: PropertyMap) {
    const { lifecycle, lines, requests } = run();
    const { failures, inputs, difference } = preview(lifecycle, stored, newInputs);
    expect(failures).toEqual([]);
    const isRetained = stored.outputs["deletionPolicy"] !== "delete";
    const first = difference?.deleteBeforeReplace === true;
    if (first && !isRetained) await lifecycle.delete(stored.id, stored.outputs);
    const replacement = await lifecycle.create(inputs, KEY);
    if (!first && !isRetained) await lifecycle.delete(stored.id, stored.outputs);
    return { lines, requests, replacement };
  }

  test("of an adopted resource creates a new one, and so does the next", async () => {
    const second = await replaced(await deployed(program("x")), program("y"));
    expect(second.requests).toEqual(["replace new-1"]);
    const third = await replaced(second.replacement, program("z"));
    expect(third.requests).toEqual(["replace new-1"]);
    expect(third.lines).toEqual([]);
  });

  const deleted =
    'will be deleted before its replacement is created (deletionPolicy: "delete"), although the preview may show [retain].';
  const kept =
    'will not be deleted when it is replaced (deletionPolicy: "retain"), although the preview may show delete.';

  test.each<[stored: PropertyMap, wanted: PropertyMap, requests: string[], lines: string[]]>([
    [{}, {}, ["replace new-1"], []],
    [RETAIN, RETAIN, ["replace new-1"], []],
    // The engine does not ask for a resource that was stored with the policy to retain, so the create deletes it.
    [RETAIN, DELETE, [`delete ${ID}`, "replace new-1"], [`Thing ${ID} ${deleted}`]],
    [DELETE, RETAIN, ["replace new-1", `leave ${ID}`], [`Thing ${ID} ${kept}`]],
    [DELETE, {}, ["replace new-1", `leave ${ID}`], [`Thing ${ID} ${kept}`]],
    [DELETE, DELETE, [`delete ${ID}`, "replace new-1"], []],
  ])(
    "follows the program's deletionPolicy: %j in the state, %j now",
    async (stored, wanted, sent, logged) => {
      const { requests, lines } = await replaced(await deployed(program("x", stored)), program("y", wanted));
      expect(requests).toEqual(sent);
      expect(lines).toEqual(logged);
    },
  );

  test.each<[what: string, stored: PropertyMap, wanted: PropertyMap]>([
    ["that is not known yet, beside retain", RETAIN, { deletionPolicy: UNKNOWN }],
    ["that is not known yet, beside delete", DELETE, { deletionPolicy: UNKNOWN }],
    ["where it is refused", DELETE, { ...RETAIN, replacementPolicy: "refuse" }],
  ])("logs nothing of a deletionPolicy %s", async (_, stored, wanted) => {
    const { lifecycle, lines } = run();
    preview(lifecycle, await deployed(program("x", stored)), program("y", wanted));
    expect(lines).toEqual([]);
  });

  test.each<[what: string, stored: PropertyMap, asksAfter: boolean, requests: string[]]>([
    ["nothing that the engine retains by a resource option", DELETE, false, ["replace new-1"]],
    ["once, also if both the engine and the create would", {}, true, [`delete ${ID}`, "replace new-1"]],
  ])("deletes %s", async (_, policy, asksAfter, expected) => {
    const stored = await deployed(program("x", policy));
    const { lifecycle, requests } = run();
    await lifecycle.create(preview(lifecycle, stored, program("y", DELETE)).inputs, KEY);
    if (asksAfter) await lifecycle.delete(stored.id, stored.outputs);
    expect(requests).toEqual(expected);
  });

  test.each(["before", "after"])("by --replace deletes an adopted one %s the check", async (when) => {
    const before = await deployed(program("x", DELETE));
    const state = exportOf([exportedResource("a", ID, { type: "Thing", outputs: before.outputs })]);
    const { lifecycle, requests } = run({}, { stack: stackWithState(() => Promise.resolve(state)) });
    if (when === "before") await lifecycle.delete(before.id, before.outputs);
    const checked = lifecycle.check(undefined, program("x", DELETE));
    expect(checked.failures).toEqual([]);
    expect(await lifecycle.checkAgainstOthers(checked)).toEqual([]);
    if (when === "after") await lifecycle.delete(before.id, before.outputs);
    await lifecycle.create(checked.inputs, KEY);
    expect(requests).toEqual([`delete ${ID}`, "replace new-1"]);
  });

  test.each([
    ["hush", "[secret]"],
    [undefined, "nothing"],
  ])("that is refused shows the secret %p as %s", (immutableSecret, shown) => {
    const { failures } = preview(
      run().lifecycle,
      { id: ID, outputs: { immutableSecret } },
      { immutableSecret: "canary" },
    );
    const message = `in place: the service has ${shown}, the program declares [secret].`;
    expect(failures).toEqual([expect.stringContaining(message)]);
  });
});

const PROVIDER =
  "Pulumi would replace the thing, because of another provider, replaceWith, replacementTrigger, replaceOnChanges, " +
  'or a replacement that an earlier run did not finish. Undo that change, or set replacementPolicy: "allow", which ' +
  'creates a second thing; the old one remains unless deletionPolicy is "delete".';
const UNFINISHED =
  "Pulumi would replace the thing, because of another provider, replaceWith, replacementTrigger, replaceOnChanges, " +
  "or a replacement that an earlier run did not finish. If an earlier run failed, run `pulumi state delete <URN of " +
  'the resource>` and set adopt: "new-1" to keep the thing. Otherwise, undo that change, or set replacementPolicy: ' +
  '"allow", which creates a second thing; the old one remains unless deletionPolicy is "delete".';
const CHANGED =
  "changed, so Pulumi would replace the thing (replaceOnChanges, or a replacement that an earlier run did not " +
  'finish). If an earlier run failed, run `pulumi state delete <URN of the resource>` and set adopt: "new-1" to ' +
  'keep the thing. Otherwise, undo that change, or set replacementPolicy: "allow", which creates a second thing; ' +
  'the old one remains unless deletionPolicy is "delete".';

type Step = "check" | "diff";

describe.each<[reason: string, lastStep: Step, edit: PropertyMap, refusals: string[]]>([
  ["another provider", "check", {}, [PROVIDER]],
  ["an unfinished replacement", "diff", {}, [UNFINISHED]],
  ["replaceOnChanges", "diff", { name: "y" }, [`name ${CHANGED}`]],
  [
    "replaceOnChanges for two fields",
    "diff",
    { name: "y", note: "z" },
    [`name ${CHANGED}`, `note ${CHANGED}`],
  ],
])("a second thing because of %s", (_, lastStep, edit, refusals) => {
  const refusalsOf = async (policy: PropertyMap) => {
    const args = { name: "x", immutableText: "x", ...policy };
    const { id, outputs } = await deployed(named("a", args));
    const { lifecycle } = run();
    const newInputs = named("a", { ...args, ...edit });
    const { inputs } = lifecycle.check(outputs, newInputs);
    if (lastStep === "diff") lifecycle.diff(id, outputs, inputs, KEY);
    return failuresOf(lifecycle, newInputs);
  };

  test("is refused", async () => {
    expect(await refusalsOf({})).toEqual(refusals);
  });

  test.each<PropertyMap>([ALLOW, { replacementPolicy: UNKNOWN }])("is accepted with %p", async (policy) => {
    expect(await refusalsOf(policy)).toEqual([]);
  });
});

test("a diff is matched by its key, although another resource has the same arguments", async () => {
  const args = { name: "same", immutableText: "x" };
  const a = await deployed(named("a", args));
  const b = await deployed(named("b", args));
  const drifted = { immutableText: "elsewhere", observed: { name: "same", immutableText: "elsewhere" } };
  const moved = { id: "b-1", outputs: { ...b.outputs, ...drifted } };
  const { lifecycle } = run();
  const inputs = lifecycle.check(a.outputs, named("a", args)).inputs;
  lifecycle.check(moved.outputs, named("b", args));
  expect(lifecycle.diff(moved.id, moved.outputs, inputs, keyOfName("b")).replaces).toEqual(["immutableText"]);
  expect(lifecycle.diff("a-1", a.outputs, inputs, KEY).replaces).toEqual([]);
  expect(await failuresOf(lifecycle, named("b", args))).toEqual([REFUSED]);
});

test.each<[what: string, ofProgram: PropertyMap, ofPack: PropertyMap, failures: unknown[]]>([
  ["refuses a replacement that the program allows", ALLOW, { replacementPolicy: "refuse" }, [REFUSED]],
  ["allows a replacement that the program refuses", {}, ALLOW, []],
])("a policy pack that changes inputs after the check %s", async (_, ofProgram, ofPack, failures) => {
  const newInputs = named("a", { immutableText: "y", ...ofProgram });
  const { id, outputs } = await deployed(named("a", { immutableText: "x" }));
  const { lifecycle } = run();
  const { inputs } = lifecycle.check(outputs, newInputs);
  lifecycle.diff(id, outputs, { ...inputs, ...ofPack }, KEY);
  expect(await failuresOf(lifecycle, newInputs)).toEqual(failures);
});

test("an unfinished replacement whose old resource is deleted is to be continued with --replace", async () => {
  const args = { immutableText: "x", ...DELETE };
  const { id, outputs } = await deployed(named("a", args));
  const stored = exportedResource("a", id, { type: "Thing", outputs, pendingReplacement: true });
  const { lifecycle } = run({}, { stack: stackWithState(() => Promise.resolve(exportOf([stored]))) });
  const { inputs } = lifecycle.check(outputs, named("a", args));
  lifecycle.diff(id, outputs, inputs, KEY);
  expect(await failuresOf(lifecycle, named("a", args))).toEqual([
    `An earlier run deleted the thing, and did not create its replacement. To create it, run \`pulumi up --replace ${stored.urn}\`.`,
  ]);
});

test("a change that the engine makes after the check is refused without replacementPolicy", async () => {
  const { id, outputs } = await deployed(named("a", { immutableText: "x", ...DELETE }));
  const { lifecycle } = run();
  const newInputs = named("a", { immutableText: "x", ...DELETE });
  lifecycle.check(outputs, newInputs);
  expect(lifecycle.diff(id, outputs, { immutableText: "y", ...DELETE }, KEY).replaces).toEqual([
    "immutableText",
  ]);
  expect(await failuresOf(lifecycle, newInputs)).toEqual([REFUSED]);
});
