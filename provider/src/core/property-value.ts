/**
 * A value that is not known yet: the output of a resource that does not exist at preview.
 * The registered symbol is one and the same in every copy of the package.
 */
export const UNKNOWN: unique symbol = Symbol.for("pulumi-datapipes.unknown");

/** What the neutral lifecycle works on: JSON values, in which any part may be unknown. */
export type PropertyValue =
  string | number | boolean | null | undefined | typeof UNKNOWN | readonly PropertyValue[] | PropertyMap;

/** The properties of a resource, or of any object inside them. */
export interface PropertyMap {
  readonly [name: string]: PropertyValue;
}

/** Values of a type as a check sees them: at preview any part may be unknown, and anything may be missing. */
export type Draft<T> = T extends readonly (infer E)[]
  ? readonly Draft<E>[] | typeof UNKNOWN
  : T extends object
    ? { readonly [K in keyof T]?: Draft<T[K]> } | typeof UNKNOWN
    : T | typeof UNKNOWN | undefined;

/** The value, unless it is unknown. */
export const known = <T>(value: T | typeof UNKNOWN): T | undefined => (value === UNKNOWN ? undefined : value);

/** The way to a property: names of members and indexes of elements. */
export type PropertyPath = readonly (string | number)[];

/** Whether a value is an object with members (no list, no marker). */
export const isMap = (value: unknown): value is PropertyMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value is a list. `Array.isArray` alone does not narrow read-only arrays. */
export const isList = (value: PropertyValue): value is readonly PropertyValue[] => Array.isArray(value);

/**
 * The members of a map as `change` makes them, without those that it makes undefined. Where it changes nothing this is the
 * map itself: most values go through unchanged, and a copy of each is what costs most.
 */
export function mapMembers<T, R>(
  map: Readonly<Record<string, T>>,
  change: (member: T, name: string) => R,
): Readonly<Record<string, R>> {
  const before = map as Readonly<Record<string, unknown>> as Readonly<Record<string, R>>;
  const names = Object.keys(map);
  let present: (readonly [string, R])[] | undefined;
  for (const name of names) {
    const changed = change(map[name] as T, name);
    if (present === undefined && changed === before[name] && changed !== undefined) continue;
    present ??= names
      .slice(0, names.indexOf(name))
      .map((earlier) => [earlier, before[earlier] as R] as const);
    if (changed !== undefined) present.push([name, changed]);
  }
  return present === undefined ? before : Object.fromEntries(present);
}

/** The elements of a list as `change` makes them; the list itself where that changes nothing. */
export function mapElements<T, R>(list: readonly T[], change: (element: T) => R): readonly R[] {
  const changed = list.map(change);
  const isSame = changed.every((element, index) => element === (list[index] as unknown));
  return isSame ? (list as readonly unknown[] as readonly R[]) : changed;
}

/** Whether a value, or anything inside it, is not known yet. */
export function containsUnknown(value: PropertyValue): boolean {
  if (isList(value)) return value.some(containsUnknown);
  return isMap(value) ? Object.values(value).some(containsUnknown) : value === UNKNOWN;
}

/** The value at a path; undefined where the path ends early, UNKNOWN where it runs through something unknown. */
export function valueAt(root: PropertyValue, path: PropertyPath): PropertyValue {
  let value = root;
  for (const step of path) {
    if (value === UNKNOWN) return UNKNOWN;
    if (isList(value) && typeof step === "number") value = value[step];
    else if (isMap(value)) value = value[step];
    else return undefined;
  }
  return value;
}

/** A copy of `root` with the value at `path` replaced, or with the member taken out when the value is undefined. */
export function withValueAt(root: PropertyMap, path: readonly string[], value: PropertyValue): PropertyMap {
  const [name, ...rest] = path;
  if (name === undefined) return root;
  if (rest.length > 0) {
    const inner = root[name];
    if (value === undefined && !isMap(inner)) return root;
    return { ...root, [name]: withValueAt(isMap(inner) ? inner : {}, rest, value) };
  }
  return value === undefined ? omit(root, [name]) : { ...root, [name]: value };
}

/** A copy without the named members. */
export const omit = (map: PropertyMap, names: readonly string[]): PropertyMap =>
  Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name)));

/** A copy with the named members only, as far as they are there. */
export const pick = (map: PropertyMap, names: readonly string[]): PropertyMap =>
  Object.fromEntries(names.filter((name) => map[name] !== undefined).map((name) => [name, map[name]]));

/** A copy without members that are undefined or null, at any depth: to the API, `null` and absent are one. */
export function withoutNulls(value: PropertyMap): PropertyMap;
export function withoutNulls(value: PropertyValue): PropertyValue;
export function withoutNulls(value: PropertyValue): PropertyValue {
  if (isList(value)) return mapElements(value, withoutNulls);
  if (!isMap(value)) return value;
  return mapMembers(value, (member) => (member === null ? undefined : withoutNulls(member)));
}

/** A path as people write it: `source.kafka.offset.timestamp`, `fieldMappings[0].sourceField`. */
export const formatPath = (path: PropertyPath): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
