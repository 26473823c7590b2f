import { ownMember } from "../../values/own-member";

/** A value that is not known at preview. The registered symbol is the same in every copy of the package. */
export const UNKNOWN: unique symbol = Symbol.for("pulumi-datapipes.unknown");

/** A JSON value in which any part may be unknown. */
export type PropertyValue =
  string | number | boolean | null | undefined | typeof UNKNOWN | readonly PropertyValue[] | PropertyMap;

export interface PropertyMap {
  readonly [name: string]: PropertyValue;
}

/** Values of a type during a check: any part may be unknown or missing. */
export type Draft<T> = T extends readonly (infer E)[]
  ? readonly Draft<E>[] | typeof UNKNOWN
  : T extends object
    ? { readonly [K in keyof T]?: Draft<T[K]> } | typeof UNKNOWN
    : T | typeof UNKNOWN | undefined;

export const known = <T>(value: T | typeof UNKNOWN): T | undefined => (value === UNKNOWN ? undefined : value);

export type PropertyPath = readonly (string | number)[];

/** A path as messages show it, such as `destination.columns[0].name`. */
export const pathText = (path: PropertyPath): string => path.map(stepText).join("");

function stepText(step: string | number, index: number): string {
  if (typeof step === "number") return `[${step}]`;
  if (/[^\w$]/.test(step)) return `[${JSON.stringify(step)}]`;
  return index === 0 ? step : `.${step}`;
}

export const isMap = (value: unknown): value is PropertyMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value, or an empty map in place of anything else. */
export const mapOf = (value: unknown): PropertyMap => (isMap(value) ? value : {});

/** `Array.isArray` alone does not narrow read-only arrays. */
export const isList = (value: PropertyValue): value is readonly PropertyValue[] => Array.isArray(value);

/** The map with the members that `change` returns, without undefined ones. */
export const mapMembers = <T, R>(
  map: Readonly<Record<string, T>>,
  change: (member: T, name: string) => R,
): Readonly<Record<string, R>> =>
  Object.fromEntries(
    Object.entries(map)
      .map(([name, member]) => [name, change(member, name)] as const)
      .filter(([, member]) => member !== undefined),
  );

export function containsUnknown(value: PropertyValue): boolean {
  if (isList(value)) return value.some(containsUnknown);
  return isMap(value) ? Object.values(value).some(containsUnknown) : value === UNKNOWN;
}

/** The value at a path; undefined if an object on the path is missing, UNKNOWN if one is unknown. */
export function valueAt(root: PropertyValue, path: PropertyPath): PropertyValue {
  let value = root;
  for (const step of path) {
    if (value === UNKNOWN) return UNKNOWN;
    if (isList(value) && typeof step === "number") value = value[step];
    else if (isMap(value)) value = ownMember(value, String(step));
    else return undefined;
  }
  return value;
}

/** A copy of `root` with `value` at `path`; undefined removes the member. */
export function withValueAt(root: PropertyMap, path: PropertyPath, value: PropertyValue): PropertyMap;
export function withValueAt(root: PropertyValue, path: PropertyPath, value: PropertyValue): PropertyValue;
export function withValueAt(
  root: PropertyValue,
  [step, ...rest]: PropertyPath,
  value: PropertyValue,
): PropertyValue {
  if (step === undefined) return value;
  if (isList(root))
    return root.map((element, index) => (index === step ? withValueAt(element, rest, value) : element));
  if (value === undefined && !isMap(root)) return root;
  const map = mapOf(root);
  const member = withValueAt(map[step], rest, value);
  return member === undefined ? omit(map, [String(step)]) : { ...map, [String(step)]: member };
}

export const isFalseOrEmpty = (value: PropertyValue): boolean =>
  value === false || ((isMap(value) || isList(value)) && Object.keys(value).length === 0);

export const omit = (map: PropertyMap, names: readonly string[]): PropertyMap =>
  Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name)));

export const pick = (map: PropertyMap, names: readonly string[]): PropertyMap =>
  Object.fromEntries(names.filter((name) => map[name] !== undefined).map((name) => [name, map[name]]));

/** A copy without members that are undefined or null, at any depth: to the API, `null` and absent are one. */
export function withoutNulls(value: PropertyMap): PropertyMap;
export function withoutNulls(value: PropertyValue): PropertyValue;
export function withoutNulls(value: PropertyValue): PropertyValue {
  if (isList(value)) return value.map((element) => withoutNulls(element));
  if (!isMap(value)) return value;
  return mapMembers(value, (member) => (member === null ? undefined : withoutNulls(member)));
}
