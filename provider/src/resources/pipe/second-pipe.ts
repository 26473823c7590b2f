import type { DeclaredResource } from "../../lifecycle/definition";
import type { PropertyMap } from "../../lifecycle/property-value";
import { nameInKey } from "../../lifecycle/resource-key";
import type { StoredResource } from "../../lifecycle/stack-state";
import { idKey } from "../../values/uuid";
import type { ResourceContext } from "../context";
import { loadsOf, sameLoads } from "./loads";
import { matchOf } from "./match";
import { mayLoad } from "./states";
import { nameOf, type ListedPipe, type ObservedPipe } from "./observed";
import { getOrAdd } from "../../values/get-or-add";

interface Declared {
  readonly key: string;
  readonly inputs: ObservedPipe;
  readonly loads: readonly string[];
  readonly isCreated: boolean;
}

/** What the program declares and the stack holds: which pipes of one run load the same data, as far as both say it. */
export class SecondPipes {
  readonly #declared = new Map<string, Declared>();
  /** By URN: each pipe that the run creates is compared with all that the stack has. */
  readonly #storedLoads = new Map<string, readonly string[]>();
  /** Pairs of keys, each the smaller one first. */
  readonly #named = new Set<string>();
  /** Pipes that were compared with all that this run creates. */
  readonly #compared = new Set<string>();
  /** Pipes that a refresh of this run has not found, while the state of the stack may still have them. */
  readonly #missing = new Set<string>();

  constructor(private readonly stored: ResourceContext["stored"]) {}

  /** One warning for each pipe beside which the run creates a second one. Sends no request. */
  async warnings({ key, creation }: DeclaredResource, inputs: ObservedPipe): Promise<readonly string[]> {
    const loads = loadsOf(inputs);
    // What the program adopts, it declares.
    if (typeof inputs["adopt"] === "string") this.addCompared(inputs["adopt"]);
    this.#declared.set(key, { key, inputs, loads, isCreated: creation !== undefined });
    const all = creation === undefined ? [] : await this.stored("Pipe", creation.stack);
    const stored = all.filter(({ id }) => !this.#missing.has(idKey(id)));
    for (const { id } of stored) this.addCompared(id);
    const { retained } = creation ?? {};
    const ofReplaced = retained === undefined ? [] : this.#replacement(retained, inputs);
    const ofStack = sameLoads(loads, stored, (pipe) => this.#loadsOf(pipe))
      .filter(
        (pipe) => pipe.id !== retained?.id && !(pipe.key === key && inputs["deletionPolicy"] === "delete"),
      )
      .toSorted(this.#likelierFirst(loads))
      .flatMap((pipe) => this.#once(key, pipe.key, () => this.#besideStored(key, inputs, pipe)));
    const declared = [...this.#declared.values()].filter(
      (other) => other.key !== key && (creation !== undefined || other.isCreated),
    );
    const ofProgram = sameLoads(loads, declared, (other) => other.loads).flatMap((other) =>
      this.#once(key, other.key, () => besideDeclared(inputs, other)),
    );
    // One warning for each pipe, also where fifty load the same.
    const [first, ...others] = [...ofReplaced, ...ofStack, ...ofProgram];
    if (first === undefined) return [];
    return [
      others.length === 0
        ? first
        : `${first} ${others.length} more of the stack and the program load the same.`,
    ];
  }

  /** Records a pipe of the stack, or one that this run has created. */
  addCompared(id: string): void {
    this.#compared.add(idKey(id));
  }

  /** Records that the service no longer has a pipe. */
  addMissing(id: string): void {
    this.#missing.add(idKey(id));
  }

  isCompared = (id: string): boolean => this.#compared.has(idKey(id));

  /** What a pipe of the stack loads: nothing if the program declares something else for it. */
  #loadsOf({ key, urn, inputs }: StoredResource): readonly string[] {
    const loads = getOrAdd(this.#storedLoads, urn, () => loadsOf(inputs));
    const declared = this.#declared.get(key);
    return declared === undefined ? loads : loads.filter((load) => declared.loads.includes(load));
  }

  /** Orders pipes of the stack that a new pipe may be under another name: those that the program still declares come last. */
  #likelierFirst(loads: readonly string[]) {
    const isDeclared = ({ key }: StoredResource): number => (this.#declared.has(key) ? 1 : 0);
    const common = (pipe: StoredResource): number =>
      this.#loadsOf(pipe).filter((load) => loads.includes(load)).length;
    return (one: StoredResource, other: StoredResource): number =>
      isDeclared(one) - isDeclared(other) || common(other) - common(one);
  }

  #once(key: string, other: string, warning: () => string): readonly string[] {
    const pair = JSON.stringify([key, other].sort());
    if (this.#named.has(pair)) return [];
    this.#named.add(pair);
    return [warning()];
  }

  #replacement(
    { id, state }: { readonly id: string; readonly state: ObservedPipe },
    inputs: ObservedPipe,
  ): readonly string[] {
    this.addCompared(id);
    return sameLoads(loadsOf(inputs), [state], loadsOf).map((old) => besideReplaced(id, old));
  }

  #besideStored(key: string, inputs: ObservedPipe, stored: StoredResource): string {
    const { id, urn } = stored;
    if (stored.key === key) return besideReplaced(id, stored.inputs);
    const [created, old] = [nameInKey(key), nameInKey(stored.key)];
    const what = `${sameAs(inputs)} ${nameOf(id, stored.inputs)}, resource ${old} of the stack`;
    const moved = created === old ? "it was moved" : `${created} is ${old} under another name`;
    const alias = `If ${moved}, add the option aliases: [${JSON.stringify(urn)}] to it`;
    if (isDeletedLast(stored) && !this.#declared.has(stored.key))
      return (
        `${what}, which Pulumi deletes, if the program no longer declares it, only after it has created the new pipe: the new pipe starts ` +
        `anew, and data may be loaded twice. ${alias}, and no pipe is created or deleted. To keep both, first set ` +
        `deletionPolicy: "retain" on ${old} in its place, and run \`pulumi up\`.`
      );
    return (
      `${what}, which goes on loading: the data is loaded twice. ${alias}, and no pipe is created. To end the old pipe, set ` +
      `deletionPolicy: "delete" on ${old}, and run \`pulumi up\` before you remove it from the program.`
    );
  }
}

const isDeletedLast = ({ inputs, retains }: StoredResource): boolean =>
  inputs["deletionPolicy"] === "delete" && !retains;

const sameAs = ({ name }: ObservedPipe): string =>
  `pipe ${JSON.stringify(name)} reads the same source into the same table as`;

const besideReplaced = (id: string, old: PropertyMap): string =>
  `the replacement of ${nameOf(id, old)} reads the same source into the same table, and the old pipe goes on loading: the data is loaded ` +
  `twice. Set deletionPolicy: "delete" to delete the old pipe first, or undo the change that requires the replacement.`;

const besideDeclared = (inputs: ObservedPipe, other: Declared): string =>
  `${sameAs(inputs)} pipe ${JSON.stringify(other.inputs.name)}, resource ${nameInKey(other.key)} of this program: the data is loaded twice. ` +
  `Remove one of the two resources from the program, or give it another table.`;

/** The warning of a create beside pipes of the service that load the same, or that look the same if it is not known what one loads. */
export function secondPipeWarning(
  body: ObservedPipe,
  others: readonly ListedPipe[],
  isCompared: (id: string) => boolean = () => false,
): string | undefined {
  const loads = loadsOf(body, "");
  const same =
    loads.length > 0
      ? sameLoads(loads, others, (pipe) => loadsOf(pipe, ""))
      : others.filter((pipe) => matchOf(body, pipe) !== "none");
  const matches = same.filter(({ id }) => !isCompared(id));
  if (matches.length === 0) return undefined;
  return (
    `the service already has ${namesOf(matches)}, which ${matches.length === 1 ? "reads" : "read"} the same source into the same table as the ` +
    `new pipe ${JSON.stringify(body.name)}: the data is loaded twice. To manage that one, set adopt to its id, run ` +
    "`pulumi state delete <URN of the resource>` and `pulumi up`, then delete the new one in the console."
  );
}

/** The pipes of a list by what they load, and the pairs of them that a warning has named. */
interface ListIndex {
  readonly byLoad: ReadonlyMap<string, readonly ListedPipe[]>;
  readonly named: Set<string>;
}

/** By list: a refresh of 800 pipes compares each with all. */
const indexes = new WeakMap<ReadonlyMap<string, ListedPipe>, ListIndex>();

function indexOf(pipes: ReadonlyMap<string, ListedPipe>): ListIndex {
  const byLoad = new Map<string, ListedPipe[]>();
  for (const pipe of pipes.values())
    for (const load of loadsOf(pipe, "")) getOrAdd(byLoad, load, () => []).push(pipe);
  return { byLoad, named: new Set<string>() };
}

/**
 * The other pipes of a list that may load the same now, once for each pair. The service may have rewritten in any of them what the
 * program declares.
 */
export function listedBeside(
  pipe: ListedPipe,
  declared: ObservedPipe,
  pipes: ReadonlyMap<string, ListedPipe>,
): readonly ListedPipe[] {
  const { byLoad, named } = getOrAdd(indexes, pipes, () => indexOf(pipes));
  const loads = [pipe, declared].flatMap((one) => loadsOf(one, ""));
  const others = new Set(loads.flatMap((load) => byLoad.get(load) ?? []));
  const pairOf = (other: ListedPipe): string => JSON.stringify([pipe.id, other.id].sort());
  const unnamed = [...others].filter(
    (other) => other !== pipe && mayLoad(other.state) && !named.has(pairOf(other)),
  );
  for (const other of unnamed) named.add(pairOf(other));
  return unnamed;
}

/** How many pipes a message names. */
const MAX_NAMED = 3;

export function namesOf(pipes: readonly ListedPipe[]): string {
  const names = pipes.slice(0, MAX_NAMED).map((pipe) => nameOf(pipe.id, pipe));
  const more = pipes.length - MAX_NAMED;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(" and ");
}
