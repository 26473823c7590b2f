import type { Change } from "./changes";
import { isMap, pick, valueAt, withValueAt, type PropertyMap } from "./property-value";

/** The member of the outputs that holds the {@link PrivateState}. The engine hides members of such names from people. */
export const PRIVATE_STATE = "__memory";

/** What the provider has to know of a resource at its next call, and neither the program nor the API says. */
export interface PrivateState {
  /** Which resource of the program created or adopted it; see `HIDDEN_INPUTS`. */
  readonly key?: string;
  /** The id that `adopt` named when the resource came into the stack. */
  readonly adopt?: string;
  /** A write has succeeded since the last read. */
  readonly written?: boolean;
  /** The paths that this write sent. */
  readonly sent?: readonly string[];
  /** What the API stated of these fields before it. */
  readonly former?: PropertyMap;
  /** Paths of declared fields that the API is known to leave out, although they were sent. */
  readonly omitted?: readonly string[];
}

/** The memory of a resource, as its outputs hold it. */
export function privateStateOf(outputs: PropertyMap): PrivateState {
  const stored = outputs[PRIVATE_STATE];
  return isMap(stored) ? stored : {};
}

/** The outputs with the memory, without what says nothing. */
export function withPrivateState(outputs: PropertyMap, memory: PrivateState): PropertyMap {
  const map = memory as PropertyMap;
  const kept = pick(
    map,
    Object.keys(map).filter((name) => !isEmpty(map[name])),
  );
  return Object.keys(kept).length === 0 ? outputs : { ...outputs, [PRIVATE_STATE]: kept };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (isMap(value) && Object.keys(value).length === 0);

/** What a read after a create or an adoption has to know of it. */
export const privateStateAfterCreate = (
  key: string | undefined,
  adopt: unknown,
  adopted: Pick<PrivateState, "sent" | "former"> | undefined,
): PrivateState => ({
  ...(key !== undefined && { key }),
  ...(typeof adopt === "string" && { adopt }),
  written: adopted?.sent?.length !== 0,
  ...adopted,
});

/**
 * What a read after an update has to know of it, and of the updates before it since the last read: of a field that was sent
 * twice, what was stated before the first time.
 */
export function privateStateAfterUpdate(
  memory: PrivateState,
  changes: readonly Change[],
  stated: PropertyMap,
): PrivateState {
  const before = memory.sent ?? [];
  const fresh = changes.filter(({ path }) => !before.includes(path));
  const sent = [...before, ...fresh.map(({ path }) => path)];
  const former = valuesBefore(fresh, stated, memory.former);
  const omitted = (memory.omitted ?? []).filter((path) => !sent.includes(path));
  return { ...memory, written: true, sent, former, omitted };
}

/** What the API stated of the fields that are sent. */
export const valuesBefore = (
  changes: readonly Change[],
  stated: PropertyMap,
  known: PropertyMap = {},
): PropertyMap =>
  changes
    .filter(({ field }) => !field.writeOnly)
    .reduce<PropertyMap>(
      (map, { field }) => withValueAt(map, field.path, valueAt(stated, field.path)),
      known,
    );
