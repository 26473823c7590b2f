import type { StoredResource } from "../../../provider/src/lifecycle/stack-state";
import { ID, thing } from "./thing";

const stored = { urn: "", key: "Thing::a", id: ID, inputs: {}, outputs: {}, retains: false };
const adoptedOnce = { id: "2", outputs: { observed: {}, __privateState: { adopt: ID } } };

test.each<[what: string, resource: Partial<StoredResource>, isReplaced: boolean]>([
  ["has adopted it", {}, true],
  ["was replaced after it had adopted it", adoptedOnce, true],
  ["has another id", { id: "2" }, false],
  ["was deleted and not created anew", { awaitsReplacement: true }, false],
  ["has another key", { key: "Thing::b" }, false],
])(
  "a create without a state adopts an id unless its resource in the stack %s",
  async (_, more, isReplaced) => {
    const sent: unknown[] = [];
    const create = (inputs: object) => Promise.resolve({ id: "3", current: { sent: sent.push(inputs) } });
    const resources = [{ ...stored, awaitsReplacement: false, ...more }];
    const { lifecycle } = thing({ create }, { stored: () => Promise.resolve(resources) });
    const { inputs } = lifecycle.check(undefined, { adopt: ID, __key: "Thing::a" });
    await lifecycle.create(inputs, "Thing::a");
    expect(sent).toEqual([isReplaced ? {} : { adopt: ID }]);
  },
);
