import { valueAt, type PropertyValue } from "../../lifecycle/property-value";
import { managedThing, ownType } from "./own-types";
import type { ResourceState, Step } from "./preview";
import { getOrAdd } from "../../values/get-or-add";

/** What becomes of the thing in the service when its resource leaves the stack or is replaced. `unclear`: the preview does not show the policy. */
export type Outcome = "deleted" | "stays" | "unclear";

/** In both forms the provider deletes by its policies; of the engine's options, the preview shows `retainOnDelete`. */
export function outcomeOf(step: Step): Outcome {
  const { oldState, newState } = step;
  const isRetained = oldState?.retainOnDelete === true;
  if (ownType((newState ?? oldState)?.type ?? "") === undefined) return isRetained ? "stays" : "deleted";
  // The engine passes the outputs to a deletion.
  const stored = policyIn(oldState?.outputs ?? oldState?.inputs);
  if (newState == null) return isRetained ? "stays" : byPolicies(stored);
  const declared = policyIn(newState.inputs);
  // Without a diff, as for `--replace`, the provider does not know that it replaces.
  if (!isDiffed(step)) return isRetained ? "stays" : byPolicies(stored, declared);
  // The engine retains what the option says. The create deletes what the policy in the state has retained.
  if (isRetained && stored !== "stays") return byPolicies(stored === "deleted" ? "stays" : stored, declared);
  return byPolicies(declared);
}

/** What a policy alone says. */
function policyIn(properties: PropertyValue): Outcome {
  const policy = valueAt(properties, ["deletionPolicy"]) ?? "retain";
  if (policy === "retain") return "stays";
  return policy === "delete" ? "deleted" : "unclear";
}

/** Deleted only if all say so. */
function byPolicies(...policies: readonly Outcome[]): Outcome {
  if (policies.includes("stays")) return "stays";
  return policies.includes("unclear") ? "unclear" : "deleted";
}

const isDiffed = ({ detailedDiff, diffReasons }: Step): boolean =>
  Object.keys(detailedDiff ?? {}).length + (diffReasons ?? []).length > 0;

/** The resources that manage things after the run, by those things: none of them is deleted, whichever resource had it before. */
export class Managers {
  readonly #urns = new Map<string, Set<string>>();

  constructor(steps: readonly Step[]) {
    for (const step of steps) {
      const thing = thingAfter(step);
      if (thing !== undefined) getOrAdd(this.#urns, thing, () => new Set()).add(step.urn);
    }
  }

  /** The URN of the resource that manages afterwards what the step takes from its own; its own URN if that takes it again. */
  of({ urn, oldState }: Step): string | undefined {
    const thing = oldState == null ? undefined : managedThing(oldState.type, oldState.id);
    const [first, ...others] = thing === undefined ? [] : (this.#urns.get(thing) ?? []);
    return first === urn ? (others[0] ?? first) : first;
  }
}

/** What the resource of a step manages after it. */
function thingAfter({ op, oldState, newState }: Step): string | undefined {
  const [before, now] = [oldState ?? undefined, newState ?? oldState ?? undefined];
  return now === undefined ? undefined : managedThing(now.type, ID_AFTER.get(op)?.(now, before));
}

type IdAfter = (now: ResourceState, before: ResourceState | undefined) => PropertyValue;

// A new resource has an id in a preview only if the option `import` names it.
const adopted: IdAfter = (now) => valueAt(now.inputs, ["adopt"]) ?? now.id;
const imported: IdAfter = (now) => now.importID ?? now.id;
// A preview of Pulumi has no id in the new state of a resource that stays.
const kept: IdAfter = (now, before) => (now.id ?? "") || before?.id;

/** The id that a resource has after a step, by the operation of the step. After other operations it is not known, or there is none. */
const ID_AFTER: ReadonlyMap<string, IdAfter> = new Map([
  ["create", adopted],
  ["replace", adopted],
  ["create-replacement", adopted],
  ["import", imported],
  ["import-replacement", imported],
  ["same", kept],
  ["update", kept],
  ["read", kept],
]);
