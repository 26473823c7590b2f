import { isList, mapOf, type PropertyPath, type PropertyValue } from "../lifecycle/comparison/property-value";

type Test = (text: string) => boolean;

/** The path of the first text that passes a test, or of the object with a member whose name passes the other one. */
export function pathOfText(
  value: PropertyValue,
  isWanted: Test,
  isWantedName: Test = () => false,
  path: PropertyPath = [],
): PropertyPath | undefined {
  if (typeof value === "string") return isWanted(value) ? path : undefined;
  const members: readonly (readonly [string | number, PropertyValue])[] = isList(value)
    ? [...value.entries()]
    : Object.entries(mapOf(value));
  for (const [name, member] of members) {
    if (typeof name === "string" && isWantedName(name)) return path;
    const found = pathOfText(member, isWanted, isWantedName, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
