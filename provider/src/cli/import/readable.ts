import { harmless } from "../../printable";
import {
  isList,
  isMap,
  mapMembers,
  pick,
  type PropertyPath,
  type PropertyValue,
} from "../../core/property-value";
import type { ListedPipe } from "../../resources/pipe/observed";
import { pipeFields } from "../../resources/pipe/schema";

/** The pipe as the provider reads it: without characters that control a terminal or that nobody sees. */
export const readablePipe = (returned: ListedPipe): ListedPipe => ({
  ...readable(returned),
  id: returned.id,
});

const readable = <T extends PropertyValue>(value: T): T =>
  (typeof value === "string"
    ? harmless(value)
    : isList(value)
      ? value.map((element) => readable(element))
      : isMap(value)
        ? mapMembers(value, (member): PropertyValue => readable(member))
        : value) as T;

/** The first declared field whose text has such characters. A program without them would say something else than the service. */
export const unreadableField = (returned: ListedPipe): PropertyPath | undefined =>
  pathOfUnreadable(
    pick(
      returned,
      pipeFields.map(({ name }) => name).filter((name) => name !== "name"),
    ),
    [],
  );

export const hasReadableName = ({ name }: ListedPipe): boolean =>
  typeof name !== "string" || harmless(name) === name;

function pathOfUnreadable(value: PropertyValue, path: PropertyPath): PropertyPath | undefined {
  if (typeof value === "string") return harmless(value) === value ? undefined : path;
  const members: readonly (readonly [string | number, PropertyValue])[] = isList(value)
    ? [...value.entries()]
    : Object.entries(isMap(value) ? value : {});
  for (const [name, member] of members) {
    const found = pathOfUnreadable(member, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
