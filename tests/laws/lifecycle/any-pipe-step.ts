import fc from "fast-check";
import type { Fault } from "../../../simulator/src/index";
import { PROFILES, type Profile } from "../../../simulator/src/profile";
import type { SourceKind } from "../../kit/pipe-fields";
import { fixedPart, updatablePart, type Generated, type Part } from "../any-pipe";
import { anyFault, anyRefusedDeletion } from "./any-fault";
import type { Run } from "./session";

const slot = fc.constantFrom("first", "second", "third", "parent/first");
const nth = fc.nat(3);

/** Several pipes may bear one name. */
const partOf = (kind: SourceKind): fc.Arbitrary<Part> =>
  fc.tuple(updatablePart(kind), fc.constantFrom("a", "b")).map(([part, name]) => ({ ...part, name }));

/** Arguments for the provider, which it never sends. */
const anyPolicy = fc.record(
  {
    deletionPolicy: fc.constantFrom("retain", "delete", "delete"),
    replacementPolicy: fc.constantFrom("refuse", "allow"),
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
    fc
      .constantFrom("else", null)
      .map((value) => ({ source: { [kind]: { [kind === "postgres" ? "host" : "iamRole"]: value } } })),
    fc.constantFrom(
      { destination: { columns: [{ name: "a", type: "Else" }] } },
      { fieldMappings: [{ sourceField: "$.else", destinationField: "a" }] },
      kind === "postgres" ? { source: { postgres: { port: 1 } } } : { settings: { dbms_max_threads: 1 } },
      { scaling: { replicas: 77 } },
      { novelty: { of: "the server" } },
    ),
    fc.record({ state: fc.constantFrom("Failed", "Stopped") }),
  );

/** The simulator's profiles that concern pipes. */
export const anyProfiles: fc.Arbitrary<Profile[]> = fc.subarray(
  PROFILES.filter((profile) => profile !== "cidr"),
  { maxLength: 3 },
);

/** An action with its arguments, and how often it is among the steps. */
const weighted = <D extends string, A extends object>(
  weight: number,
  what: D,
  args: { [K in keyof A]: fc.Arbitrary<A[K]> },
) => ({
  weight,
  arbitrary: fc.record({ ...args, do: fc.constant(what) }) as unknown as fc.Arbitrary<{ do: D } & A>,
});

const anyRenaming = fc.constantFrom("with alias" as const, "without alias" as const, "adopting" as const);

/** An action between two runs: an edit of the program, or a change that another client makes. */
const anyAction = (kind: SourceKind) => {
  const fixed = fixedPart(kind);
  const updatable = partOf(kind);
  const policy = anyPolicy;
  const path = fc.constantFrom(`source.${kind}.iamRole`, "settings", "scaling");
  const parts = { fixed, updatable };
  return fc.oneof(
    weighted(5, "declare", { slot, ...parts, policy }),
    weighted(6, "change", { slot, updatable }),
    weighted(2, "change immutable fields", { slot, fixed }),
    weighted(2, "change policy", { slot, policy }),
    weighted(1, "remove field", { slot, path }),
    weighted(2, "remove", { slot }),
    weighted(2, "adopt", { slot, nth, updatable, matching: fc.boolean(), policy }),
    weighted(2, "adopt a managed pipe", { slot, nth, policy }),
    weighted(3, "rename", { slot, to: slot, how: anyRenaming }),
    weighted(1, "set replaceOnChanges", { slot, names: fc.subarray(["name", "source"]) }),
    weighted(1, "set profiles", { profiles: anyProfiles }),
    weighted(2, "set read lag", { seconds: fc.constantFrom(0, 3, 12, 28, 33, 50) }),
    weighted(1, "delete an unmanaged pipe", { nth }),
    weighted(2, "create the same pipe during the run", { slot, after: fc.nat(1) }),
    weighted(2, "edit by hand", { slot, patch: byHand(kind) }),
    weighted(1, "delete by hand", { slot }),
    weighted(2, "create by hand", parts),
  );
};

export type PipeAction = Generated<ReturnType<typeof anyAction>>;

/** Some actions on the program or on the service, then a run in which requests may fail. */
export interface Step {
  readonly actions: readonly PipeAction[];
  readonly faults: readonly Fault[];
  readonly run: Run;
}

const anyPipeFault = fc.oneof(
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
);

const runs = ["up", "up", "up", "up in parallel", "up --refresh", "up --replace", "refresh"] as const;

export function anyPipeSteps(kind: SourceKind) {
  const step = fc.record<Step>({
    actions: fc.array(anyAction(kind), { minLength: 1, maxLength: 3 }),
    faults: fc.array(anyPipeFault, { maxLength: 2 }),
    run: fc.constantFrom<Run>(...runs),
  });
  return fc.array(step, { minLength: 1, maxLength: 6 });
}
