import { isDeepStrictEqual } from "node:util";
import { SECRET_NAMES } from "../../api/secrets/secret-names";
import { SCOPE_SETTINGS } from "../../settings/settings";
import { typeToken } from "../../pulumi/type-tokens";
import { importedInputs } from "../../lifecycle/drift";
import { HIDDEN_INPUTS } from "../../lifecycle/hidden-inputs";
import { leafFields, type Field } from "../../lifecycle/fields";
import { credentialsOfUrl } from "./url-credentials";
import { handlerSource } from "../../program/handler";
import { resourceKey } from "../../lifecycle/resource-key";
import type { Lifecycle } from "../../lifecycle/lifecycle";
import {
  formatPath,
  isList,
  isMap,
  mapMembers,
  omit,
  pick,
  valueAt,
  withValueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/property-value";
import { describeFailure, type Failure } from "../../lifecycle/validation";
import { observed, type ListedPipe } from "../../resources/pipe/observed";
import { pipeFields } from "../../resources/pipe/schema";
import { SOURCE_KINDS } from "../../resources/pipe/source-schema";
import type { ProgramNames } from "./names";
import { unreadableField } from "./readable";
import { pathOfText } from "./text-path";
import { unknownMembers } from "./unknown-members";
import type { UsualSettings } from "./usual-settings";

/** A pipe of the program. */
export interface ImportedPipe extends ProgramNames {
  readonly id: string;
  readonly name: string;
  readonly serviceId: string;
  /** What the program declares, without the ids of the organization and the service. */
  readonly args: PropertyMap;
  /** The secret fields that the API returned all the same. The program does not contain their values. */
  readonly returned: readonly Field[];
  /** The fields that the program cannot declare, with the reason. */
  readonly undeclared: readonly Failure[];
  /** The inputs and outputs that `pulumi import` stores. */
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

/** A pipe that the program does not have. */
export interface SkippedPipe {
  readonly id: string;
  readonly name: string;
  readonly serviceId: string;
  readonly reason: string;
  /** A declaration that adopts the pipe. */
  readonly snippet?: string;
}

/** Where a pipe is, which of these ids the program has to declare, and which texts contain a secret of any pipe. */
export interface PipePlace {
  readonly returned: ListedPipe;
  readonly serviceId: string;
  readonly declared: PropertyMap;
  readonly hasSecret: (text: string) => boolean;
  readonly usual: UsualSettings;
}

export const SECRET_FIELDS = leafFields(pipeFields).filter(({ secret }) => secret);

export const isSkipped = (pipe: ImportedPipe | SkippedPipe): pipe is SkippedPipe => "reason" in pipe;

export const isImported = (pipe: ImportedPipe | SkippedPipe): pipe is ImportedPipe => !isSkipped(pipe);

/** The pipe as the program declares it and as the stack stores it. */
export function importPipe(
  lifecycle: Lifecycle,
  pipe: ListedPipe,
  { serviceId, declared, hasSecret, usual, returned: original }: PipePlace,
  names: ProgramNames,
): ImportedPipe | SkippedPipe {
  const name = typeof pipe.name === "string" ? pipe.name : "";
  const shown = (text: string): string => (hasSecret(text) ? "[secret]" : text);
  const skipped = (reason: string): SkippedPipe => ({
    id: pipe.id,
    name: shown(name),
    serviceId,
    reason: shown(reason),
  });
  const current = withoutSecrets(observed(pipe));
  const unknownKind = reasonOfKind(current.source);
  if (unknownKind !== undefined) return skipped(unknownKind);
  if (typeof pipe.name !== "string") return skipped("the API returns no name for it");
  const unreadable = unreadableField(original);
  if (unreadable !== undefined)
    return skipped(`its field ${formatPath(unreadable)} has control characters or invisible ones`);
  const stored = (args: PropertyMap) =>
    lifecycle.imported(names.logicalName, { name: names.logicalName, ...args, ...declared }, current);
  const wanted = pruned(usual.leaveOut(argsOf(current, names)));
  const { args, refused, inputs, outputs, failures } = declarable(wanted, stored);
  if (failures.length > 0) return skipped(failures.map(describeFailure).join("; "));
  const isSecretName = (member: string): boolean => !KNOWN_NAMES.has(member) && hasSecret(member);
  const exposed = pathOfText({ ...inputs, ...outputs }, hasSecret, isSecretName);
  if (exposed !== undefined) return skipped(`its field ${formatPath(exposed)} contains a secret`);
  const withCredential = pathOfText(
    { source: inputs["source"], observed: outputs["observed"] },
    hasCredentialInUrl,
  );
  if (withCredential !== undefined)
    return skipped(`its field ${formatPath(withCredential)} is a URL that contains a credential`);
  const returned = SECRET_FIELDS.filter(({ path }) => withoutEmpty(valueAt(pipe, path)) !== undefined);
  const undeclared = [...refused, ...unknownMembers(pruned(observed(pipe)))];
  return { id: pipe.id, name, serviceId, ...names, args, returned, undeclared, inputs, outputs };
}

/** The entry of the file that `pulumi import --file` reads. */
export const importEntry = ({ id, logicalName, variable, inputs, outputs }: ImportedPipe) => {
  const __provider = handlerSource("Pipe");
  return {
    type: typeToken("Pipe"),
    name: variable,
    logicalName,
    id,
    // Without the key, the first preview would show it.
    inputs: { ...inputs, [HIDDEN_INPUTS.key]: resourceKey(["Pipe"], logicalName), __provider },
    outputs: { ...outputs, __provider },
  };
};

/** What the API says and the program can declare. The name of the pipe is the logical name unless the program says another. */
function argsOf(current: PropertyMap, { logicalName }: ProgramNames): PropertyMap {
  const { name, scaling, ...others } = omit(
    withKnownMembers(pipeFields, importedInputs(pipeFields, current)),
    SCOPE_SETTINGS,
  );
  const args: PropertyMap = { ...others, scaling: withoutZeros(scaling) };
  return pruned(typeof name === "string" && name !== logicalName ? { name, ...args } : args);
}

/** No pipe has 0 replicas: services state it while they do not know the size of a new pipe yet. */
const withoutZeros = (scaling: PropertyValue): PropertyValue =>
  isMap(scaling) ? mapMembers(scaling, (size) => (size === 0 ? undefined : size)) : scaling;

/** The list elements without members that this version does not know. */
const withKnownMembers = (fields: readonly Field[], inputs: PropertyMap): PropertyMap =>
  leafFields(fields).reduce((map, { path, elements }) => {
    const list = valueAt(map, path);
    if (elements === undefined || !isList(list)) return map;
    const names = elements.map(({ name }) => name);
    return withValueAt(
      map,
      path,
      list.map((element) => (isMap(element) ? pick(element, names) : element)),
    );
  }, inputs);

function reasonOfKind(source: PropertyValue): string | undefined {
  const kinds = isMap(source) ? Object.entries(source).filter(([, kind]) => isMap(kind)) : [];
  const known = kinds.filter(([name]) => (SOURCE_KINDS as readonly string[]).includes(name));
  const filled = known.filter(([, kind]) => withoutEmpty(kind) !== undefined);
  if ((filled.length > 0 ? filled : known).length === 1) return undefined;
  if (known.length > 1) return `it has several kinds of source: ${known.map(([name]) => name).join(", ")}`;
  const names = kinds.map(([name]) => name).join(", ");
  return names === ""
    ? "the API returns no source for it"
    : `this version does not know its kind of source: ${names}`;
}

/** A mask that a server shows in place of a credential is none. */
export const hasCredentialInUrl = (text: string): boolean =>
  credentialsOfUrl(text).some((credential) => !/^\**$/.test(credential));

type Stored = ReturnType<Lifecycle["imported"]>;

/** A field whose value the program cannot declare, and why it cannot. */
interface Refused extends Failure {
  readonly path: readonly string[];
}

/** The arguments without the values that the program cannot declare, and the state of a program with these arguments. */
function declarable(
  args: PropertyMap,
  stored: (args: PropertyMap) => Stored,
): Stored & { readonly args: PropertyMap; readonly refused: readonly Refused[] } {
  const state = stored(args);
  const refused = leavesOf(state.failures.map((failure) => ofColumns(failure, args))).filter(
    ({ path }) => valueAt(args, path) !== undefined,
  );
  if (refused.length === 0) return { ...state, args, refused };
  const declared = refused.reduce((map, { path }) => withValueAt(map, path, undefined), args);
  const rest = declarable(pruned(declared), stored);
  return { ...rest, refused: [...refused, ...rest.refused] };
}

/** Columns without a mapping are the columns' failure: the mappings that the pipe has are right. */
const ofColumns = (failure: Failure, { fieldMappings }: PropertyMap): Failure =>
  isDeepStrictEqual(failure.path, ["fieldMappings"]) && (fieldMappings === undefined || isList(fieldMappings))
    ? { path: ["destination", "columns"], reason: `needs mappings: fieldMappings ${failure.reason}` }
    : failure;

/** The failures with the paths of the fields that hold the values; none for a failure that is about no field with a value. */
const leavesOf = (failures: readonly Failure[]): readonly Refused[] =>
  failures.flatMap(({ path, reason }) => {
    const names = path.filter((step): step is string => typeof step === "string");
    const field = leafFields(pipeFields).find((leaf) =>
      leaf.path.every((step, index) => step === names[index]),
    );
    return field === undefined ? [] : [{ path: field.path, reason }];
  });

/** The arguments without what is empty. An empty name is one: without it, the provider would send the logical name. */
const pruned = ({ name, ...args }: PropertyMap): PropertyMap => ({
  ...(name !== undefined && { name }),
  ...(withoutEmpty(args) as PropertyMap | undefined),
});

/** The value without empty texts, lists and objects, which services return for what a pipe does not have. */
function withoutEmpty(value: PropertyValue): PropertyValue {
  if (isMap(value)) {
    const members = mapMembers(value, withoutEmpty);
    return Object.keys(members).length === 0 ? undefined : members;
  }
  return value === "" || value === null || (isList(value) && value.length === 0) ? undefined : value;
}

const withoutSecrets = <T extends PropertyValue>(value: T): T =>
  (isMap(value)
    ? mapMembers(value, (member, name) => (SECRET_NAMES.has(name) ? undefined : withoutSecrets(member)))
    : isList(value)
      ? value.map(withoutSecrets)
      : value) as T;

/** The names of the API document, which are no secrets whatever a secret is. */
const KNOWN_NAMES = new Set(
  leafFields(pipeFields).flatMap(({ path, elements = [] }) => [...path, ...elements.map(({ name }) => name)]),
);
