import { idKey } from "../../values/uuid";
import type { Change } from "../comparison/changes";
import { inDeclaredShape } from "../comparison/declared-shape";
import { sameValue } from "../comparison/equality";
import type { Field } from "../comparison/fields";
import {
  isFalseOrEmpty,
  mapMembers,
  mapOf,
  valueAt,
  withValueAt,
  type PropertyMap,
} from "../comparison/property-value";

/** The output that holds the {@link PrivateState}. Pulumi does not show outputs that begin with two underscores. */
export const PRIVATE_STATE = "__privateState";

/** What the provider stores for its next call, beside the inputs and the values of the API. */
export interface PrivateState {
  /** The key of the resource in the program that created, adopted or last updated it; see `resourceKey`. */
  readonly key?: string | undefined;
  /** The id that `adopt` named when the resource entered the stack. */
  readonly adopt?: string | undefined;
  /** Whether the option `import`, or `pulumi import`, brought the resource into the stack. */
  readonly imported?: boolean;
  /** Whether a write succeeded after the last read. */
  readonly written?: boolean;
  /** The paths that these writes sent; undefined if one of them was a create, which sends all. */
  readonly sent?: readonly string[];
  /** The values that the API returned for these paths before. */
  readonly former?: PropertyMap;
  /** Paths of declared fields that the API accepts but does not return. */
  readonly omitted?: readonly string[];
  /** Paths of declared fields whose values a refresh found, and not the program declared. */
  readonly drifted?: readonly string[];
}

/** What an adoption has sent. */
export interface Adopted {
  readonly sent: readonly string[];
  /** The values that the API returned for the sent paths before. */
  readonly former: PropertyMap;
}

export const privateStateOf = (outputs: PropertyMap): PrivateState => mapOf(outputs[PRIVATE_STATE]);

/** What a read does not change; the rest is about writes since the last read, and about fields that it lacked. */
export const LASTING_STATE: readonly string[] = ["key", "adopt", "imported"] satisfies (keyof PrivateState)[];

export const storedKey = (outputs: PropertyMap): string | undefined => privateStateOf(outputs).key;

/** Whether the resource came into the stack by an import or an adoption. */
export function isTakenOver(outputs: PropertyMap): boolean {
  const { adopt, imported = false } = privateStateOf(outputs);
  return imported || adopt !== undefined;
}

/** Whether `adopt` names something else than the resource in the stack, and than what that resource once adopted. */
export function adoptsAnother(id: string, state: PropertyMap, adopt: unknown): adopt is string {
  const known = [id, privateStateOf(state).adopt ?? id].map(idKey);
  return typeof adopt === "string" && !known.includes(idKey(adopt));
}

/** The outputs with the private state, without its empty members. */
export function withPrivateState(outputs: PropertyMap, privateState: PrivateState): PropertyMap {
  const stored = mapMembers(privateState as PropertyMap, (value) =>
    isFalseOrEmpty(value) ? undefined : value,
  );
  return isFalseOrEmpty(stored) ? outputs : { ...outputs, [PRIVATE_STATE]: stored };
}

export const privateStateAfterCreate = (
  key: string | undefined,
  adopt: unknown,
  adopted: Adopted | undefined,
): PrivateState => ({
  key,
  adopt: typeof adopt === "string" ? adopt : undefined,
  written: adopted?.sent.length !== 0,
  ...adopted,
});

/** Whether a write since the last read has sent a field. */
export const wasSent = ({ written = false, sent }: PrivateState, { displayPath }: Field): boolean =>
  written && sent?.includes(displayPath) !== false;

/** Of a path that an earlier update has sent since the last read, the older value remains. */
export function privateStateAfterUpdate(
  privateState: PrivateState,
  changes: readonly Change[],
  lastRead: PropertyMap,
): PrivateState {
  const {
    written = false,
    sent = written ? undefined : [],
    omitted = [],
    drifted = [],
    former,
  } = privateState;
  const paths = changes.map(({ path }) => path);
  const added = changes.filter(
    ({ path, field }) => sent?.includes(path) !== true && valueAt(former, field.path) === undefined,
  );
  // What the API returned as the program declared it, it does not mask: if it returns that again, it is drift.
  const masked = added.filter(({ path, field, before }) => {
    const returned = inDeclaredShape(field, before, valueAt(lastRead, field.path));
    return drifted.includes(path) || !sameValue(field, before, returned);
  });
  return {
    ...privateState,
    written: true,
    sent: sent && [...new Set([...sent, ...paths])],
    former: valuesBefore(masked, lastRead, former),
    omitted: omitted.filter((path) => !paths.includes(path)),
  };
}

/** The values that the API returned for the fields before they change, added to `values`. */
export const valuesBefore = (
  changes: readonly Change[],
  lastRead: PropertyMap,
  values: PropertyMap = {},
): PropertyMap =>
  changes
    .filter(({ field }) => !field.writeOnly)
    .reduce((map, { field: { path } }) => withValueAt(map, path, valueAt(lastRead, path)), values);
