import fc from "fast-check";
import { PROFILES, type Profile } from "../../../simulator/src/profile";
import type { SourceKind } from "../../../testkit/pipes";
import { fixedPart, updatablePart, type FixedPart, type UpdatablePart } from "../any-pipe";
import { anyFault, anyRefusedDeletion } from "./any-fault";
import { anyRun } from "./any-run";
import type { Step } from "./steps";

/** Arguments for the provider, which it never sends. */
export interface Policy {
  deletionPolicy?: "retain" | "delete";
  replacementPolicy?: "refuse" | "allow";
  waitFor?: { states: string[]; timeoutSeconds?: number };
}

/** An action between two runs: an edit of the program, or a change that another client makes. */
export type Action =
  | { do: "declare"; slot: string; fixed: FixedPart; updatable: UpdatablePart; policy: Policy }
  | { do: "change"; slot: string; updatable: UpdatablePart }
  | { do: "change immutable fields"; slot: string; fixed: FixedPart }
  | { do: "change policy"; slot: string; policy: Policy }
  | { do: "remove field"; slot: string; path: string }
  | { do: "remove"; slot: string }
  | { do: "adopt"; slot: string; nth: number; updatable: UpdatablePart; matching: boolean; policy: Policy }
  | { do: "adopt a managed pipe"; slot: string; nth: number; policy: Policy }
  | { do: "rename"; slot: string; to: string; how: "with alias" | "without alias" | "adopting" }
  | { do: "set replaceOnChanges"; slot: string; names: string[] }
  | { do: "set profiles"; profiles: Profile[] }
  | { do: "delete an unmanaged pipe"; nth: number }
  | { do: "create the same pipe during the run"; slot: string; after: number }
  | { do: "edit by hand"; slot: string; patch: object }
  | { do: "delete by hand"; slot: string }
  | { do: "create by hand"; fixed: FixedPart; updatable: UpdatablePart };

const slot = fc.constantFrom("first", "second", "third", "parent/first");

/** Several pipes may bear one name. */
const updatable = (kind: SourceKind): fc.Arbitrary<UpdatablePart> =>
  fc.tuple(updatablePart(kind), fc.constantFrom("a", "b")).map(([part, name]) => ({ ...part, name }));

const policy: fc.Arbitrary<Policy> = fc.record(
  {
    deletionPolicy: fc.constantFrom("retain" as const, "delete" as const, "delete" as const),
    replacementPolicy: fc.constantFrom("refuse" as const, "allow" as const),
    waitFor: fc.constantFrom(
      { states: ["Running", "Completed"] },
      { states: ["Paused"], timeoutSeconds: 20 },
    ),
  },
  { requiredKeys: [] },
);

/** Fields in the response form, as a merge patch; some can be updated, one cannot. */
const byHand = (kind: SourceKind): fc.Arbitrary<object> =>
  fc.oneof(
    fc.record({ name: fc.constantFrom("a", "b", "else") }),
    fc.record({
      source: fc.record({
        [kind]: fc.record({ [kind === "postgres" ? "host" : "iamRole"]: fc.constantFrom("else", null) }),
      }),
    }),
    fc.constant({ destination: { columns: [{ name: "a", type: "Else" }] } }),
    fc.constant({ fieldMappings: [{ sourceField: "$.else", destinationField: "a" }] }),
    fc.constant(
      kind === "postgres" ? { source: { postgres: { port: 1 } } } : { settings: { dbms_max_threads: 1 } },
    ),
    fc.constant({ scaling: { replicas: 77 } }),
    fc.record({ state: fc.constantFrom("Failed", "Stopped") }),
    fc.constant({ novelty: { of: "the server" } }),
  );

/** The simulator's profiles that concern pipes. */
export const anyProfiles: fc.Arbitrary<Profile[]> = fc.subarray(
  PROFILES.filter((profile) => profile !== "cidr"),
  { maxLength: 3 },
);

const constant = <D extends Action["do"]>(what: D) => fc.constant(what);

/** Renames, adoptions, and actions of other clients. */
const movement: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: constant("rename"),
      slot,
      to: slot,
      how: fc.constantFrom("with alias" as const, "without alias" as const, "adopting" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: constant("adopt a managed pipe"), slot, nth: fc.nat(2), policy }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: constant("set replaceOnChanges"),
      slot,
      names: fc.subarray(["name", "source"]),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: constant("set profiles"), profiles: anyProfiles }) },
  { weight: 1, arbitrary: fc.record({ do: constant("delete an unmanaged pipe"), nth: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: constant("create the same pipe during the run"), slot, after: fc.nat(1) }),
  },
);

const action = (kind: SourceKind): fc.Arbitrary<Action> => {
  const fixed = fixedPart(kind);
  const part = updatable(kind);
  return fc.oneof(
    { weight: 9, arbitrary: movement },
    { weight: 5, arbitrary: fc.record({ do: constant("declare"), slot, fixed, updatable: part, policy }) },
    { weight: 6, arbitrary: fc.record({ do: constant("change"), slot, updatable: part }) },
    { weight: 2, arbitrary: fc.record({ do: constant("change immutable fields"), slot, fixed }) },
    { weight: 2, arbitrary: fc.record({ do: constant("change policy"), slot, policy }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: constant("remove field"),
        slot,
        path: fc.constantFrom(`source.${kind}.iamRole`, "settings", "scaling"),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: constant("remove"), slot }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: constant("adopt"),
        slot,
        nth: fc.nat(3),
        updatable: part,
        matching: fc.boolean(),
        policy,
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: constant("edit by hand"), slot, patch: byHand(kind) }) },
    { weight: 1, arbitrary: fc.record({ do: constant("delete by hand"), slot }) },
    { weight: 2, arbitrary: fc.record({ do: constant("create by hand"), fixed, updatable: part }) },
  );
};

const faults = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: anyFault(
        "createPipe",
        "createPipe",
        "updatePipe",
        "updatePipe",
        "listPipes",
        "getPipeSettings",
        "deletePipe",
      ),
    },
    { weight: 1, arbitrary: anyRefusedDeletion },
  ),
  { maxLength: 2 },
);

/** Steps for pipes of one kind of source. */
export const anySteps = (kind: SourceKind): fc.Arbitrary<Step<Action>[]> =>
  fc.array(
    fc.record({ actions: fc.array(action(kind), { minLength: 1, maxLength: 3 }), faults, run: anyRun }),
    { minLength: 1, maxLength: 6 },
  );
