import { isMap } from "../../lifecycle/property-value";
import { loadsOf, sameLoads } from "../../resources/pipe/loads";
import { ownType, resourceCode } from "./own-types";
import { code } from "./markdown";
import { outcomeOf } from "./outcome";
import type { ResourceState, Step } from "./preview";
import { getOrAdd } from "../../values/get-or-add";

const CREATES: ReadonlySet<string> = new Set(["create", "replace", "create-replacement"]);

/** What connects the lines of pipes that load the same data, of which the run creates one: details by operation and URN. */
export function secondPipes(steps: readonly Step[]): ReadonlyMap<string, readonly string[]> {
  const details = new Map<string, Set<string>>();
  const add = (step: Step, line: string): void => {
    getOrAdd(details, keyOf(step), () => new Set()).add(line);
  };
  const created = steps.filter((step) => CREATES.has(step.op) && isPipe(step.newState) && !adopts(step));
  for (const step of created) {
    const same = <S extends Step>(all: readonly S[], stateOf: (one: S) => ResourceState | null | undefined) =>
      sameLoads(loadsIn(step.newState), all, (one) => loadsIn(stateOf(one)));
    if (same([step], ({ oldState }) => oldState).length > 0 && outcomeOf(step) === "stays")
      add(step, `The old one (${code(step.oldState?.id ?? "")}) keeps loading the same data: ${TWICE}.`);
    const others = steps.filter(({ urn }) => urn !== step.urn);
    for (const old of same(others, ({ oldState }) => oldState)) {
      const isDeleted = old.op === "delete" && outcomeOf(old) === "deleted";
      const what = `loads the same as ${resourceCode(old.urn)} (${code(old.oldState?.id ?? "")})`;
      add(
        step,
        isDeleted
          ? `${what}, which is deleted only after this one is created`
          : `${what}, which keeps loading: ${TWICE}`,
      );
      if (old.op === "delete" && !isDeleted)
        add(old, `keeps loading the same as the new ${resourceCode(step.urn)}: ${TWICE}`);
    }
    const createdOthers = created.filter(({ urn, op }) => urn !== step.urn && op === "create");
    for (const other of same(createdOthers, ({ newState }) => newState))
      add(step, `loads the same as the new ${resourceCode(other.urn)}: ${TWICE}`);
  }
  return new Map([...details].map(([key, lines]) => [key, [...lines]]));
}

const TWICE = "the data is loaded twice";

export const keyOf = ({ op, urn }: Step): string => `${op} ${urn}`;

const isPipe = (state: ResourceState | null | undefined): boolean => ownType(state?.type ?? "") === "Pipe";

const adopts = ({ newState }: Step): boolean => newState?.inputs?.["adopt"] != null;

const loadsIn = (state: ResourceState | null | undefined): readonly string[] =>
  isPipe(state) && isMap(state?.inputs) ? loadsOf(state.inputs) : [];
