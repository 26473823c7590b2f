import { isDeepStrictEqual } from "node:util";
import { SCOPE_SETTINGS, type ServiceScope } from "../../settings/settings";
import { typeToken, resourceKey } from "../../lifecycle/state/resource-key";
import { importedInputs } from "../../lifecycle/state/drift";
import { HIDDEN_INPUTS } from "../../lifecycle/state/hidden-inputs";
import { leafFields, type Field } from "../../lifecycle/comparison/fields";
import { withoutSecrets } from "../../program/functions/pipe-summary";
import { handlerSource } from "../../program/handler";
import type { Lifecycle } from "../../lifecycle/program/lifecycle";
import {
  isList,
  isMap,
  mapMembers,
  omit,
  pathText,
  pick,
  valueAt,
  withValueAt,
  type PropertyMap,
  type PropertyPath,
  type PropertyValue,
} from "../../lifecycle/comparison/property-value";
import { describeFailure, type Failure } from "../../lifecycle/comparison/validation";
import { printableValue } from "../../messages/printable";
import { pipeOfAnswer, type ListedPipe } from "../../resources/pipe/observed";
import { pipeFields } from "../../resources/pipe/schema";
import { SOURCE_KINDS } from "../../resources/pipe/source-schema";
import { ID_CHARACTERS, type ProgramNames } from "./names";
import { unknownFields } from "../answer-differences";
import { pathOfText } from "../text-path";
import { hasCredentialInUrl } from "../url-credentials";

/** A pipe of the program. */
export interface ImportedPipe extends ProgramNames {
  readonly id: string;
  readonly name: string;
  readonly serviceId: string;
  /** The ids that the configuration does not give. */
  readonly scope: Readonly<Record<string, string>>;
  /** What the program declares besides. */
  readonly args: PropertyMap;
  /** The secret fields that the API returned all the same. The program does not contain their values. */
  readonly returned: readonly Field[];
  /** The fields that the program cannot declare, with the reason. */
  readonly undeclared: readonly Failure[];
  /** The inputs and outputs that `pulumi import` stores. */
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

/** Where a pipe is, and which texts contain a secret of any pipe. */
export interface PipePlace {
  readonly ids: ServiceScope;
  /** Those that the program declares. */
  readonly scope: Readonly<Record<string, string>>;
  readonly hasSecret: (text: string) => boolean;
}

export const SECRET_FIELDS = leafFields(pipeFields).filter(({ secret }) => secret);

/** The pipe as the program declares it and as the stack stores it, or the reason why the program cannot have it. */
export function importPipe(
  lifecycle: Lifecycle,
  pipe: ListedPipe,
  { ids, scope, hasSecret }: PipePlace,
  names: ProgramNames,
): ImportedPipe | string {
  const { id, name } = pipe;
  const unreadable = pathOfText(omit(pipe, ["name"]), (text) => printableValue(text) !== text);
  if (unreadable !== undefined)
    return (
      `its field ${pathText(unreadable)} contains control or invisible characters. ` +
      adopting(id, "its other fields")
    );
  const current = withoutSecrets(pipeOfAnswer(pipe));
  const unknownKind = reasonOfKind(current["source"]);
  if (unknownKind !== undefined) return unknownKind;
  if (typeof name !== "string") return `the API returns no name for it. ${adopting(id, "a name")}`;
  const stored = (args: PropertyMap) =>
    lifecycle.imported(names.logicalName, { name: names.logicalName, ...args, ...ids }, current);
  const { args, refused, inputs, outputs, failures } = declarable(argsOf(current, names, id), stored);
  if (failures.length > 0) return failures.map(describeFailure).join("; ");
  const isSecretName = (member: string): boolean => !KNOWN_NAMES.has(member) && hasSecret(member);
  const exposed = pathOfText({ ...inputs, ...outputs }, hasSecret, isSecretName);
  if (exposed !== undefined)
    return `its field ${pathText(exposed)} contains a secret. ${adopting(id, asSecret(exposed))}`;
  const { observed: answer } = outputs;
  const withCredential = pathOfText({ source: inputs["source"], observed: answer }, hasCredentialInUrl);
  if (withCredential !== undefined)
    return (
      `its field ${pathText(withCredential)} contains a credential. ` + adopting(id, asSecret(withCredential))
    );
  const returned = SECRET_FIELDS.filter(({ path }) => withoutEmpty(valueAt(pipe, path)) !== undefined);
  const undeclared = [...refused, ...unknownFields(pruned(pipeOfAnswer(pipe)))];
  return { id, name, serviceId: ids.serviceId, ...names, scope, args, returned, undeclared, inputs, outputs };
}

/** How to take over a pipe that the program cannot have. */
const adopting = (id: string, declaring: string): string =>
  `To take it over, declare it with adopt: "${id}" and ${declaring}`;

/** What `observed` has, the program does not declare. */
const asSecret = (path: PropertyPath): string =>
  path[0] === "observed"
    ? "its other fields"
    : `${path.findLast((step) => typeof step === "string") ?? ""}: config.requireSecret("<key>")`;

/** The entry of the file that `pulumi import --file` reads. */
export const importEntry = ({ id, logicalName, prefix, inputs, outputs }: ImportedPipe) => {
  const __provider = handlerSource("Pipe");
  return {
    type: typeToken("Pipe"),
    name: prefix,
    logicalName,
    id,
    // Without the key, the first preview would show it.
    inputs: { ...inputs, [HIDDEN_INPUTS.key]: resourceKey(["Pipe"], logicalName), __provider },
    outputs: { ...outputs, __provider },
  };
};

/** What the API says and the program can declare. The name of the pipe is the logical name unless the program says another. */
function argsOf(current: PropertyMap, { logicalName }: ProgramNames, id: string): PropertyMap {
  const inputs = withoutServerMade(withKnownMembers(importedInputs(pipeFields, current)), id);
  const { name, scaling, ...others } = omit(inputs, SCOPE_SETTINGS);
  // No pipe has 0 replicas: services state it while they do not know the size of a new pipe yet.
  const sizes = isMap(scaling) ? mapMembers(scaling, (size) => (size === 0 ? undefined : size)) : scaling;
  return pruned({ ...(name !== logicalName && { name }), ...others, scaling: sizes });
}

/** What services fill in when they create a pipe, and no operation changes. */
const SERVER_MADE = [
  ["source", "kafka", "consumerGroup"],
  ["source", "kinesis", "useEnhancedFanOut"],
  ["source", "postgres", "settings", "publicationName"],
  ["source", "postgres", "settings", "replicationSlotName"],
];

/** The inputs without `false`, and without names that contain the pipe's ID: a pipe that replaces this one must not use its consumer group or replication slot. */
function withoutServerMade(inputs: PropertyMap, id: string): PropertyMap {
  const isServerMade = (value: PropertyValue): boolean =>
    value === false || (typeof value === "string" && value.includes(id.slice(0, ID_CHARACTERS)));
  const found = SERVER_MADE.filter((path) => isServerMade(valueAt(inputs, path)));
  return found.reduce((map, path) => withValueAt(map, path, undefined), inputs);
}

/** The list elements without members that this version does not know. */
const withKnownMembers = (inputs: PropertyMap): PropertyMap =>
  leafFields(pipeFields).reduce((map, { path, elements = [] }) => {
    const list = valueAt(map, path);
    if (elements.length === 0 || !isList(list)) return map;
    const names = elements.map(({ name }) => name);
    const known = list.map((element) => (isMap(element) ? pick(element, names) : element));
    return withValueAt(map, path, known);
  }, inputs);

function reasonOfKind(source: PropertyValue): string | undefined {
  const kinds = isMap(source) ? Object.entries(source).filter(([, kind]) => isMap(kind)) : [];
  const known = kinds.filter(([name]) => (SOURCE_KINDS as readonly string[]).includes(name));
  const filled = known.filter(([, kind]) => withoutEmpty(kind) !== undefined);
  if ((filled.length > 0 ? filled : known).length === 1) return undefined;
  if (known.length > 1) return `it has several kinds of source: ${known.map(([name]) => name).join(", ")}`;
  if (kinds.length === 0) return "the API returns no source for it";
  const names = kinds.map(([name]) => name).join(", ");
  return `this version does not know its kind of source: ${names}. A newer version of pulumi-datapipes may`;
}

type Stored = ReturnType<Lifecycle["imported"]>;

/** A field whose value the program cannot declare, and why it cannot. */
type Refused = Failure & { readonly path: readonly string[] };

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
  const elements = isList(value)
    ? value.map((element) => (isMap(element) ? (withoutEmpty(element) ?? {}) : element))
    : [];
  if (elements.length > 0) return elements;
  return value === "" || value === null || isList(value) ? undefined : value;
}

/** The names of the API document, which are no secrets whatever a secret is. */
const KNOWN_NAMES = new Set(
  leafFields(pipeFields).flatMap(({ path, elements = [] }) => [...path, ...elements.map(({ name }) => name)]),
);
