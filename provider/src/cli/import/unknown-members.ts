import { printable } from "../../printable";
import type { Field } from "../../core/fields";
import { isList, isMap, type PropertyMap, type PropertyValue } from "../../core/property-value";
import type { Failure } from "../../core/validation";
import { pipeFields } from "../../resources/pipe/schema";

const UNKNOWN_MEMBER = "is a field that this version does not know";

/** The members of the parts of a pipe that this version does not know, each once, without the index of a list. */
export const unknownMembers = (pipe: PropertyMap): readonly Failure[] =>
  // Beside its parts, a pipe has values that servers make, such as a state: no program declares them.
  unique(pipeFields.flatMap((field) => within(pipe[field.name], field, [field.name])));

function within(value: PropertyValue, field: Field, path: readonly string[]): readonly Failure[] {
  if (isList(value)) return value.flatMap((element) => within(element, field, path));
  const members = field.members ?? field.elements;
  if (!isMap(value) || members === undefined) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = members.find((each) => each.name === name);
    return known === undefined
      ? [{ path: [...path, printable(name)], reason: UNKNOWN_MEMBER }]
      : within(member, known, [...path, name]);
  });
}

const unique = (failures: readonly Failure[]): readonly Failure[] => [
  ...new Map(failures.map((failure) => [failure.path.join("."), failure])).values(),
];
