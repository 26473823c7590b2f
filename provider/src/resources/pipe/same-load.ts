import type { Declaration, Program } from "../../lifecycle/program/program";
import { UNKNOWN, type PropertyMap, type PropertyValue } from "../../lifecycle/comparison/property-value";
import { nameBeside, nameInKey } from "../../lifecycle/state/resource-key";
import type { StoredResource } from "../../lifecycle/program/stack";
import { idKey, isSameId } from "../../values/uuid";
import type { PipeList } from "./list";
import { observedOf } from "../../lifecycle/state/outputs";
import { completedPipe, loadsOf, overlap, without, type Load } from "./loads";
import { describePipe, pipeNamed, type ListedPipe, type ObservedPipe } from "./observed";
import { mayLoad } from "./states";

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

/** Another pipe that loads the same. */
interface Other {
  readonly id?: string | undefined;
  readonly name?: PropertyValue;
  /** The resource of the program that has it, or will create it. */
  readonly declaration?: Declaration;
  /** Its state is encrypted, and no list shows it yet. */
  readonly isUnreadable?: boolean;
}

/**
 * Nothing loads twice: why a pipe may not be created or changed, because another running pipe loads the same.
 * Undefined if it may.
 */
export function refusalOf(pipe: Declaration, views: Views): string | undefined {
  if (!mayBeRefused(pipe)) return undefined;
  // Only `--replace`, the user's command, creates again what the stack has.
  if (pipe.step === "create" && views.stack?.some(({ key }) => key === pipe.key)) return undefined;
  const added = addedLoads(pipe, views.list);
  if (added.length === 0) return undefined;
  const other =
    declaredBeside(pipe, added, views) ??
    listedBeside(pipe, added, views) ??
    storedBeside(pipe, added, views);
  return other && refusal(pipe, other, views);
}

/** Whether a pipe may have to be refused: the run creates it, or makes it load something else. */
export const mayBeRefused = (pipe: Declaration): boolean =>
  pipe.step !== "replace" &&
  !changesService(pipe) &&
  !allowsSecond(pipe) &&
  addedLoads(pipe, undefined).length > 0;

/** Another service requires a replacement: the diff refuses it, or the engine checks the pipe again. */
const changesService = ({ oldInputs, inputs: { serviceId } }: Declaration): boolean =>
  oldInputs !== undefined && typeof serviceId === "string" && !isSameId(oldInputs["serviceId"], serviceId);

/** Whether the program allows a second pipe, or may do so. */
const allowsSecond = ({ inputs: { replacementPolicy } }: Declaration): boolean =>
  replacementPolicy === "allow" || replacementPolicy === UNKNOWN;

const isNew = ({ step }: Declaration): boolean => step === "create" || step === "replace";

/** The ID that a resource of the program has or takes over. */
function idOf({ written, step, inputs, comparison }: Declaration): string | undefined {
  const id =
    written?.id ?? (step === "update" ? comparison?.id : step === "adopt" ? inputs.adopt : undefined);
  return typeof id === "string" ? id : undefined;
}

const listedOf = (declaration: Declaration, list: PipeList | undefined): ListedPipe | undefined =>
  list?.pipes.get(idKey(idOf(declaration) ?? ""));

const NOTHING: PropertyMap = {};

/** What a pipe does not load yet. */
function addedLoads(pipe: Declaration, list: PipeList | undefined): readonly Load[] {
  if (isNew(pipe)) return loadsOf(pipe.inputs);
  const listed = listedOf(pipe, list);
  if (listed !== undefined && !mayLoad(listed.state)) return [];
  const before = listed ?? pipe.oldInputs ?? NOTHING;
  return without(loadsOf(completedPipe(pipe.inputs, before)), loadsOf(before, pipe.inputs["serviceId"]));
}

/** A resource of the program whose pipe loads the same, or will. */
function declaredBeside(pipe: Declaration, added: readonly Load[], views: Views): Other | undefined {
  const declaration = views.program
    .all("Pipe")
    .find((one) => one.key !== pipe.key && overlap(added, loadsOfDeclared(one, views)));
  return declaration && { id: idOf(declaration), name: declaration.inputs["name"], declaration };
}

function loadsOfDeclared(declaration: Declaration, { list, mayBeUnlisted, isCheck }: Views): readonly Load[] {
  const { inputs, oldInputs = NOTHING, comparison, written, status } = declaration;
  if (status === "refused" || (isNew(declaration) && allowsSecond(declaration))) return [];
  const listed = listedOf(declaration, list);
  const known: ObservedPipe | undefined = listed ?? written?.current ?? comparison?.state;
  if (!mayLoad(known?.state)) return [];
  const isStarted = status === "started";
  if (listed === undefined) {
    const mayExist =
      isNew(declaration) || list === undefined || (known !== undefined && mayBeUnlisted(known));
    return mayExist && (isCheck || isStarted) ? loadsOf(completedPipe(inputs, oldInputs)) : [];
  }
  const wanted = loadsOf(completedPipe(inputs, listed));
  if (isCheck) return wanted;
  const current = loadsOf(completedPipe(written?.current ?? listed, inputs));
  return isStarted && written === undefined ? [...current, ...wanted] : current;
}

/** A pipe of the list that loads the same, and that no resource of the program has or takes over. */
function listedBeside(pipe: Declaration, added: readonly Load[], views: Views): Other | undefined {
  const { program, list, stack } = views;
  if (list === undefined) return undefined;
  const loadsSame = (listed: ObservedPipe): boolean =>
    mayLoad(listed.state) && overlap(added, loadsOf(listed, pipe.inputs["serviceId"]));
  const isOwn = (id: string): boolean =>
    stack?.some((one) => one.key === pipe.key && isSameId(one.id, id)) === true;
  const isOther = (listed: ListedPipe): boolean =>
    loadsSame(listed) && program.holders("Pipe", listed.id).length === 0 && !isOwn(listed.id);
  const unidentified = list.unidentified.find(loadsSame);
  return [...list.pipes.values()].find(isOther) ?? (unidentified && { name: unidentified.name });
}

/** A pipe of the stack that the list does not show yet, and that no resource of the program has. */
function storedBeside(pipe: Declaration, added: readonly Load[], views: Views): Other | undefined {
  const { program, list, stack = [], mayBeUnlisted } = views;
  for (const { key, id, inputs, outputs } of stack) {
    const isShown = list?.pipes.has(idKey(id)) === true || program.isDeleted("Pipe", id);
    if (isShown || key === pipe.key || program.holders("Pipe", id).length > 0) continue;
    if (!mayLoad(outputs["state"]) || !mayBeUnlisted(outputs)) continue;
    const loads = loadsOf(completedPipe(inputs, observedOf(outputs)));
    const isUnreadable = loads.length === 0;
    if (isUnreadable || overlap(added, loads)) return { id, name: inputs["name"], isUnreadable };
  }
  return undefined;
}

function refusal(pipe: Declaration, other: Other, { stack }: Views): string {
  const { id, name } = other;
  const stored = stack?.find((one) => id !== undefined && isSameId(one.id, id));
  const what = id === undefined ? pipeNamed(name) : describePipe(id, { name });
  if (other.isUnreadable === true)
    return (
      `${pipeNamed(pipe.inputs["name"])} may load the same as ${what}, resource ${nameInKey(stored?.key ?? "")} of the stack: the list does ` +
      "not show that pipe yet, and its fields are encrypted in the state. Run the same command again in a minute."
    );
  const [owner, wayOut] =
    other.declaration !== undefined
      ? [`, resource ${nameBeside(other.declaration.key, pipe.key)} of this program`, besideProgram(pipe)]
      : stored !== undefined
        ? [`, resource ${nameInKey(stored.key)} of the stack`, besideStack(pipe, stored)]
        : [stack === undefined ? "" : ", which this stack does not manage", besideService(pipe, id, stack)];
  return (
    `${pipeNamed(pipe.inputs["name"])} would load the same source into the same table as ${what}${owner}. ${wayOut}. ` +
    'To load the data twice, set replacementPolicy: "allow".'
  );
}

const besideProgram = ({ step }: Declaration): string =>
  step === "create" ? "Remove this resource, or give it another table" : "Undo this change";

function besideStack({ key, step, inputs }: Declaration, stored: StoredResource): string {
  if (step !== "create") return UNDO;
  const [name, former] = [stored.inputs["name"], nameInKey(stored.key)];
  // The argument name is by default that of the resource.
  const isFormerName = JSON.stringify(name) === former && inputs["name"] !== name;
  const also = isFormerName ? ` and the argument name: ${former}` : "";
  return (
    `If ${nameInKey(key)} is that resource, renamed or moved, add the option aliases: [${JSON.stringify(stored.urn)}]${also}. ` +
    "If it is a copy, give it another table. If it replaces that pipe, delete that pipe in an earlier run"
  );
}

function besideService({ step }: Declaration, id: string | undefined, stack: Views["stack"]): string {
  if (step !== "create") return UNDO;
  if (id === undefined) return "Check that pipe in the service's console: the API returns no valid ID for it";
  const adopt = `To manage that pipe, set adopt: ${JSON.stringify(id)}, unless another stack manages it`;
  return stack === undefined
    ? `${adopt}. For \`pulumi up --replace\`, make \`pulumi stack export\` work: the provider cannot read the state`
    : adopt;
}

const UNDO = "Undo this change, or delete that pipe in an earlier run";
