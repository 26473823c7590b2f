import { UNKNOWN } from "../../lifecycle/property-value";
import type { StoredResource } from "../../lifecycle/stack";
import { nameBeside, nameInKey } from "../../lifecycle/resource-key";
import { getOrAdd } from "../../values/get-or-add";
import { idKey } from "../../values/uuid";
import type { PipeList } from "./list";
import { loadsOf, sameLoads } from "./loads";
import { nameOf, pipeNamed, type ListedPipe, type ObservedPipe } from "./observed";
import { mayLoad } from "./states";

interface Declared {
  readonly key: string;
  readonly inputs: ObservedPipe;
  /** The run creates it. */
  readonly isCreated: boolean;
  /** The run creates it, and its policy does not allow a second pipe. */
  readonly isRefusable: boolean;
}

/** What is known of other pipes when one is checked. */
export interface World {
  readonly stored: readonly StoredResource[];
  /** The list of the service; undefined if it cannot be read. */
  readonly list: PipeList | undefined;
  /** Whether lists may still lack a pipe that the service has. */
  readonly mayBeUnlisted: (pipe: ObservedPipe) => boolean;
  readonly isMade: (id: string) => boolean;
}

/**
 * Nothing loads twice: refuses a pipe beside another one that loads the same, of the program, the stack or the
 * service.
 */
export class SameLoads {
  readonly #declared = new Map<string, Declared>();
  readonly #keysByLoad = new Map<string, Set<string>>();

  /** Records a pipe of the program. */
  declare(key: string, inputs: ObservedPipe, isCreated: boolean): void {
    const policy = inputs["replacementPolicy"];
    const isRefusable = isCreated && policy !== "allow" && policy !== UNKNOWN;
    this.#declared.set(key, { key, inputs, isCreated, isRefusable });
    for (const load of loadsOf(inputs)) getOrAdd(this.#keysByLoad, load, () => new Set()).add(key);
  }

  /** Whether a pipe, or one that loads the same, may have to be refused. */
  mayBeRefused = (key: string): boolean =>
    this.#declared.get(key)?.isRefusable === true || this.#besideDeclared(key).length > 0;

  /** Why a declared pipe may not be created; undefined if it may. */
  refusal(key: string, world: World): string | undefined {
    const declared = this.#declared.get(key);
    if (declared === undefined) return undefined;
    // Only `--replace`, the user's command, creates again what the stack has.
    const isReplaced = declared.isCreated && world.stored.some((one) => one.key === key);
    const found = isReplaced ? undefined : this.#otherBeside(declared, world);
    // One refusal for two pipes is enough.
    if (isReplaced || found !== undefined) this.#declared.set(key, { ...declared, isRefusable: false });
    return found;
  }

  #otherBeside(pipe: Declared, world: World): string | undefined {
    const { key, inputs } = pipe;
    const loads = loadsOf(inputs);
    for (const beside of this.#besideDeclared(key)) {
      const present = world.stored.find((one) => one.key === beside.key);
      const id = present?.id ?? beside.inputs["adopt"];
      const isStopped = typeof id === "string" && !isRunning({ id, outputs: present?.outputs ?? {} }, world);
      if (beside.isRefusable || !isStopped) return refused(inputs, ...besideProgram(pipe, beside, id));
    }
    if (!pipe.isRefusable) return undefined;
    const stored = sameLoads(loads, world.stored, (one) => loadsOf(one.inputs)).find(
      (one) => this.#isKept(key, one) && isRunning(one, world),
    );
    if (stored !== undefined) return refused(inputs, ...besideStack(key, inputs, stored));
    const listed = sameLoads(loads, world.list?.pipes.values() ?? [], (one) =>
      loadsOf(one, inputs["serviceId"]),
    ).find((one) => mayLoad(one.state) && !this.#isManaged(key, one, world));
    return listed === undefined ? undefined : refused(inputs, ...besideService(listed));
  }

  /**
   * The other pipes of the program with a common load, if one of the two may have to be refused: of two that the run
   * creates, both have to refuse a second pipe.
   */
  #besideDeclared(key: string): readonly Declared[] {
    const pipe = this.#declared.get(key);
    if (pipe === undefined) return [];
    const keys = new Set(loadsOf(pipe.inputs).flatMap((load) => [...(this.#keysByLoad.get(load) ?? [])]));
    keys.delete(key);
    return [...keys]
      .flatMap((other) => this.#declared.get(other) ?? [])
      .filter((other) =>
        pipe.isRefusable ? other.isRefusable || !other.isCreated : !pipe.isCreated && other.isRefusable,
      );
  }

  /** Whether a pipe of the stack stays, and the program has not declared what it loads. */
  #isKept = (key: string, { key: other, inputs, retains }: StoredResource): boolean =>
    other !== key && !this.#declared.has(other) && (retains || inputs["deletionPolicy"] !== "delete");

  /** Whether a listed pipe belongs to a resource of the stack, or of the program, which is compared as such. */
  #isManaged(key: string, { id }: ListedPipe, { stored, isMade }: World): boolean {
    const isListed = (other: unknown): boolean => typeof other === "string" && idKey(other) === idKey(id);
    return (
      isMade(id) ||
      stored.some((one) => isListed(one.id)) ||
      [...this.#declared.values()].some((one) => one.key !== key && isListed(one.inputs["adopt"]))
    );
  }
}

/** Whether a pipe of the stack, or one that the program adopts, loads data now, as far as the list knows. */
function isRunning(
  { id, outputs }: Pick<StoredResource, "id" | "outputs">,
  { list, mayBeUnlisted }: World,
): boolean {
  if (list === undefined) return mayLoad(outputs["state"]);
  const listed = list.pipes.get(idKey(id));
  if (listed !== undefined) return mayLoad(listed.state);
  return !list.isComplete || mayBeUnlisted(outputs);
}

/** `created` is the resource whose policy counts, if it is not the refused one. */
const refused = ({ name }: ObservedPipe, other: string, wayOut: string, created = ""): string =>
  `${pipeNamed(name)} would load the same source into the same table as ${other}. ${wayOut}. To load the data twice, set ` +
  `replacementPolicy: "allow"${created}.`;

function besideProgram(pipe: Declared, beside: Declared, id: unknown): [string, string, string] {
  const name = nameBeside(beside.key, pipe.key);
  const { inputs } = beside;
  const other = typeof id === "string" ? nameOf(id, inputs) : pipeNamed(inputs.name);
  return [
    `${other}, resource ${name} of this program`,
    `Remove ${pipe.isRefusable ? "this resource" : name}, or give it another table`,
    pipe.isRefusable ? "" : ` on ${name}`,
  ];
}

function besideStack(
  key: string,
  created: ObservedPipe,
  { id, urn, key: other, inputs }: StoredResource,
): [string, string] {
  const former = nameInKey(other);
  const name = JSON.stringify(inputs["name"]);
  // The argument name is by default that of the resource.
  const also = name === former && created.name !== inputs["name"] ? ` and the argument name: ${name}` : "";
  return [
    `${nameOf(id, inputs)}, resource ${former} of the stack`,
    `If ${nameInKey(key)} is that resource, renamed or moved, add the option aliases: [${JSON.stringify(urn)}]${also}. If it is a copy, ` +
      "give it another table",
  ];
}

const besideService = (pipe: ListedPipe): [string, string] => [
  `${nameOf(pipe.id, pipe)}, which this stack does not manage`,
  `To manage that pipe, set adopt: ${JSON.stringify(pipe.id)}`,
];
