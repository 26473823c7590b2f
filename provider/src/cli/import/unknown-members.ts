import { printable } from "../../messages/printable";
import type { Field } from "../../lifecycle/fields";
import { isList, isMap, type PropertyMap, type PropertyValue } from "../../lifecycle/property-value";
import type { Failure } from "../../lifecycle/validation";
import { OUTPUTS } from "../../program/outputs";
import { pipeFields } from "../../resources/pipe/schema";

const UNKNOWN_MEMBER = "is a field that this version does not know";

/** The members of a pipe that this version does not know, each once, without the index of a list. */
export const unknownMembers = (pipe: PropertyMap): readonly Failure[] =>
  unique([
    ...Object.keys(pipe)
      .filter((name) => !OUTPUT_NAMES.has(name))
      .map((name) => unknown([], name)),
    ...pipeFields.flatMap((field) => within(pipe[field.name], field, [field.name])),
  ]);

const OUTPUT_NAMES: ReadonlySet<string> = new Set(["id", ...OUTPUTS.Pipe]);

const unknown = (path: readonly string[], name: string): Failure => ({
  path: [...path, printable(name)],
  reason: UNKNOWN_MEMBER,
});

function within(value: PropertyValue, field: Field, path: readonly string[]): readonly Failure[] {
  if (isList(value)) return value.flatMap((element) => within(element, field, path));
  const members = field.members ?? field.elements;
  if (!isMap(value) || members === undefined) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = members.find((each) => each.name === name);
    return known === undefined ? [unknown(path, name)] : within(member, known, [...path, name]);
  });
}

const unique = (failures: readonly Failure[]): readonly Failure[] => [
  ...new Map(failures.map((failure) => [failure.path.join("."), failure])).values(),
];
