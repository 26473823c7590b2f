import type { Declaration, Program } from "../../lifecycle/program/program";
import { changesOf } from "../../lifecycle/comparison/changes";
import {
  isMap,
  UNKNOWN,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/comparison/property-value";
import { nameBeside, nameInKey } from "../../lifecycle/state/resource-key";
import type { StoredResource } from "../../lifecycle/program/stack";
import { idKey, isSameId } from "../../values/uuid";
import type { PipeList } from "./list";
import { observedOf } from "../../lifecycle/state/outputs";
import { isEqual, loadsOf, mayBeEqual, overlap, type Load } from "./loads";
import { describePipe, pipeNamed, type ListedPipe, type ObservedPipe } from "./observed";
import { mayLoad } from "./states";
import { withChange } from "./update";

/** What is known when a pipe is checked, or before a request creates or changes it. */
export interface Views {
  readonly program: Program;
  /** The list of the service; undefined if it cannot be read. */
  readonly list: PipeList | undefined;
  /** The pipes of the stack; undefined if its state cannot be read. */
  readonly stack: readonly StoredResource[] | undefined;
  /** Whether lists may still lack a pipe that the service has. */
  readonly mayBeUnlisted: (pipe: ObservedPipe) => boolean;
  /** A check compares with what the program declares, a request with what the service has now. */
  readonly isCheck: boolean;
}

/** Another pipe of the service. */
interface Other {
  readonly id?: string | undefined;
  readonly name?: PropertyValue;
  /** The resource of the program that has it, or will create it. */
  readonly declaration?: Declaration;
  /** Undefined if it is encrypted in the state, and no list shows it yet. */
  readonly loads: readonly Load[] | undefined;
}

/**
 * Nothing loads twice: why a pipe may not be created or changed, because another running pipe loads the same.
 * Undefined if it may.
 */
export function refusalOf(pipe: Declaration, views: Views): string | undefined {
  if (!mayBeRefused(pipe)) return undefined;
  const stored = views.stack?.find(({ key }) => key === pipe.key);
  // Only `--replace`, the user's command, creates again what the stack has.
  if (pipe.step === "create" && stored !== undefined) return undefined;
  const own = idOf(pipe) ?? stored?.id;
  const added = addedLoads(pipe, listedOf(own, views.list));
  if (added.length === 0) return undefined;
  for (const other of othersOf(pipe, own, views))
    if (other.loads === undefined || overlap(added, other.loads)) return refusal(pipe, other, views);
  return undefined;
}

/** Whether a pipe may have to be refused: the run creates it, or makes it load something else. */
export const mayBeRefused = (pipe: Declaration): boolean =>
  pipe.step !== "replace" &&
  !changesService(pipe) &&
  !allowsSecond(pipe) &&
  (addedLoads(pipe).length > 0 || dependsOnList(pipe));

/** Whether only the list can tell what a pipe loads, because the program does not declare all of it. */
function dependsOnList({ inputs, oldInputs = {} }: Declaration): boolean {
  const declared = ({ source, destination }: PropertyMap): string => JSON.stringify([source, destination]);
  return loadsOf(inputs, oldInputs).length === 0 && declared(inputs) !== declared(oldInputs);
}

/** Another service requires a replacement: the diff refuses it, or the engine checks the pipe again. */
const changesService = ({ oldInputs, inputs: { serviceId } }: Declaration): boolean =>
  oldInputs !== undefined && typeof serviceId === "string" && !isSameId(oldInputs["serviceId"], serviceId);

/** Whether the program allows a second pipe, or may do so. */
const allowsSecond = ({ inputs: { replacementPolicy } }: Declaration): boolean =>
  replacementPolicy === "allow" || replacementPolicy === UNKNOWN;

/** The ID that a resource of the program has or takes over. */
function idOf({ written, step, inputs, comparison }: Declaration): string | undefined {
  const id =
    written?.id ?? (step === "update" ? comparison?.id : step === "adopt" ? inputs.adopt : undefined);
  return typeof id === "string" ? id : undefined;
}

const listedOf = (id: string | undefined, list: PipeList | undefined): ListedPipe | undefined =>
  list?.pipes.get(idKey(id ?? ""));

/** What a pipe does not load yet. Without the list, also what it loads by the state from a source that may be another. */
function addedLoads(pipe: Declaration, listed?: ListedPipe): readonly Load[] {
  // After a failed run, only the outputs in the state say what was sent.
  const before = listed ?? pipe.comparison?.state ?? pipe.oldInputs;
  if (before === undefined) return loadsOf(pipe.inputs);
  if (listed !== undefined && !mayLoad(listed.state)) return [];
  const after = [...loadsOf(pipe.inputs, before), ...loadsOf(updated(pipe, before))];
  const isKnown = listed === undefined ? isEqual : mayBeEqual;
  return after.filter((load) => !loadsOf(before).some((one) => isKnown(one, load)));
}

/** What the service has after the update, which sends the changed fields alone. */
const updated = ({ comparison }: Declaration, before: PropertyMap): PropertyMap =>
  changesOf("update", comparison?.changes ?? []).reduce(withChange, before);

/** The other pipes of the service that count: those of the program, of the list and of the stack, in this order. */
function* othersOf(pipe: Declaration, own: string | undefined, views: Views): Generator<Other> {
  const { program, list, stack = [], mayBeUnlisted } = views;
  // The state encrypts a secret serviceId, which may be this service.
  const isHere = ({ serviceId }: PropertyMap): boolean =>
    isMap(serviceId) || isSameId(serviceId, pipe.inputs["serviceId"]);
  for (const declaration of program.all("Pipe"))
    if (declaration.key !== pipe.key && isHere(declaration.inputs)) {
      const { name } = declaration.inputs;
      yield { id: idOf(declaration), name, declaration, loads: loadsOfDeclared(declaration, views) };
    }
  const held = program.heldIds("Pipe");
  const isHeld = (id: string): boolean => isSameId(own, id) || held.has(idKey(id));
  for (const listed of list?.pipes.values() ?? [])
    if (mayLoad(listed.state) && !isHeld(listed.id))
      yield { id: listed.id, name: listed.name, loads: loadsOf(listed) };
  for (const listed of list?.unidentified ?? [])
    if (mayLoad(listed.state)) yield { name: listed.name, loads: loadsOf(listed) };
  for (const { id, inputs, outputs } of stack.filter((one) => isHere(one.inputs))) {
    const isShown = list?.pipes.has(idKey(id)) === true || program.isDeleted("Pipe", id);
    if (isShown || isHeld(id) || !mayLoad(outputs["state"]) || !mayBeUnlisted(outputs)) continue;
    const loads = loadsOf(inputs, observedOf(outputs));
    yield { id, name: inputs["name"], loads: loads.length === 0 ? undefined : loads };
  }
}

/** What a pipe of the program loads, or will. */
function loadsOfDeclared(declaration: Declaration, { list, mayBeUnlisted, isCheck }: Views): readonly Load[] {
  const { inputs, oldInputs, comparison, written, status, step } = declaration;
  const isNew = step === "create" || step === "replace";
  if (status === "refused" || (isNew && allowsSecond(declaration))) return [];
  const listed = listedOf(idOf(declaration), list);
  const known: ObservedPipe | undefined = listed ?? written?.current ?? comparison?.state;
  const mayExist =
    isNew || listed !== undefined || list === undefined || (known !== undefined && mayBeUnlisted(known));
  if (!mayExist || !mayLoad(known?.state)) return [];
  const current = written?.current ?? listed;
  const wanted = isCheck || status === "started" ? loadsOf(inputs, current ?? oldInputs) : [];
  return isCheck || current === undefined ? wanted : [...wanted, ...loadsOf(current, inputs)];
}

function refusal(pipe: Declaration, other: Other, { stack }: Views): string {
  const { id, name, loads } = other;
  const stored = stack?.find((one) => isSameId(id, one.id));
  const what = id === undefined ? pipeNamed(name) : describePipe(id, { name });
  const [owner, wayOut] = wayOutOf(pipe, other, { stack, stored });
  if (loads === undefined)
    return (
      `${pipeNamed(pipe.inputs["name"])} may load the same as ${what}${owner}: the list does not show that pipe ` +
      "yet, and its fields are encrypted in the state. Run the same command again in a minute."
    );
  return (
    `${pipeNamed(pipe.inputs["name"])} would load the same source into the same table as ${what}${owner}. ` +
    `${wayOut}. To load the data twice, set replacementPolicy: "allow".`
  );
}

/** Who has the other pipe, and what to do instead of a second one. */
function wayOutOf(
  pipe: Declaration,
  { id, declaration }: Other,
  { stack, stored }: Pick<Views, "stack"> & { readonly stored: StoredResource | undefined },
): readonly [owner: string, wayOut: string] {
  const isNew = pipe.step === "create";
  if (declaration !== undefined) {
    const owner = `, resource ${nameBeside(declaration.key, pipe.key)} of this program`;
    return [owner, isNew ? "Remove this resource, or give it another table" : "Undo this change"];
  }
  const undo = "Undo this change, or delete that pipe in an earlier run";
  if (stored !== undefined)
    return [`, resource ${nameInKey(stored.key)} of the stack`, isNew ? besideStack(pipe, stored) : undo];
  const owner = stack === undefined ? "" : ", which this stack does not manage";
  return [owner, isNew ? besideService(id) : undo];
}

function besideStack({ key, inputs }: Declaration, stored: StoredResource): string {
  const [name, former] = [stored.inputs["name"], nameInKey(stored.key)];
  // The argument name is by default that of the resource.
  const isFormerName = JSON.stringify(name) === former && inputs["name"] !== name;
  const also = isFormerName ? ` and the argument name: ${former}` : "";
  return (
    `If ${nameInKey(key)} is that resource, renamed or moved, add the option aliases: ` +
    `[${JSON.stringify(stored.urn)}]${also}. If it is a copy, give it another table. ` +
    "If it replaces that pipe, delete that pipe in an earlier run"
  );
}

const besideService = (id: string | undefined): string =>
  id === undefined
    ? "Check that pipe in the service's console: the API returns no valid ID for it"
    : `To manage that pipe, set adopt: ${JSON.stringify(id)}, unless another stack manages it`;
