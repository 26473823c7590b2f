import { memoize } from "es-toolkit/function";
import type { Identified } from "../../api/document/wire";
import { isNotReturned, sameValue } from "../../lifecycle/equality";
import type { Field } from "../../lifecycle/fields";
import { isList, isMap, type PropertyValue } from "../../lifecycle/property-value";
import { sentFields } from "../../resources/context";
import { pipeFields } from "../../resources/pipe/schema";

/**
 * How a field of an answer may differ from the API document: it is missing, null or an empty list for no list; of another type; a mask in place
 * of a secret; returned although it is request only; or 0 where no pipe has 0.
 */
export type OddityKind = "missing" | "empty" | "mistyped" | "masked" | "returned" | "zero";

/** A field that differs. */
export interface Oddity {
  readonly kind: OddityKind;
  readonly field: Field;
  readonly path: string;
  readonly value: PropertyValue;
  readonly pipe: Identified;
}

/** The fields of pipes that differ, and the paths that at least one pipe has. */
export interface Oddities {
  readonly found: readonly Oddity[];
  readonly present: ReadonlySet<string>;
}

/** The fields of a pipe in a body, which has neither the ids of the path nor what only the provider uses. */
export const SENT_FIELDS = pipeFields.filter(({ name }) => sentFields(pipeFields).includes(name));

/** Compares the fields of pipes with their schema, which is that of the API document. Several assumptions are about the result. */
export const odditiesOf = memoize((pipes: readonly Identified[]): Oddities => {
  const found: Oddity[] = [];
  const present = new Set<string>();
  for (const pipe of pipes) {
    const visit = (field: Field, value: PropertyValue, path: string): void => {
      const kind = kindOf(field, value);
      if (kind !== undefined) found.push({ kind, field, path, value, pipe });
      if (value === undefined) return;
      if (kind === undefined) present.add(path);
      if (kind === undefined || kind === "zero") visitMembers(field, value, path, visit);
    };
    for (const field of SENT_FIELDS) visit(field, pipe[field.name], field.name);
  }
  return { found, present };
});

function visitMembers(
  field: Field,
  value: PropertyValue,
  path: string,
  visit: (field: Field, value: PropertyValue, path: string) => void,
): void {
  if (isMap(value))
    for (const member of field.members ?? field.elements ?? [])
      visit(member, value[member.name], `${path}.${member.name}`);
  if (!isList(value)) return;
  for (const element of value.filter(isMap))
    for (const member of field.elements ?? [])
      // The members of an element that a program need not declare are often missing.
      if (member.required || element[member.name] !== undefined)
        visit(member, element[member.name], `${path}[].${member.name}`);
}

function kindOf(field: Field, value: PropertyValue): OddityKind | undefined {
  const isEmpty = value === null || (isList(value) && value.length === 0 && !field.type.startsWith("list"));
  if (field.writeOnly) return value === undefined || isEmpty ? undefined : "returned";
  // A pipe has one kind of source.
  if (value === undefined) return field.variant === true ? undefined : "missing";
  if (isEmpty) return "empty";
  if (!hasType(field.type, value)) return "mistyped";
  if (typeof value === "string" && isMasked(field, value)) return "masked";
  return value === 0 && field.path[0] === "scaling" ? "zero" : undefined;
}

function hasType(type: string, value: PropertyValue): boolean {
  if (type.startsWith("list of ")) {
    const element = type.replace("list of ", "");
    return isList(value) && value.every((each) => hasType(element, each));
  }
  if (type === "object") return isMap(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

const MASK = /\*{3,}|[•●]{2,}|\[(?:hidden|redacted|secret|masked)\]|<(?:hidden|redacted|secret|masked)>/i;

/** A path of files may have stars, too. */
const isMasked = ({ secret }: Field, text: string): boolean => {
  const mask = MASK.exec(text)?.[0];
  return mask !== undefined && (secret || mask === text);
};

/** Whether a refresh, an import and an adoption take a value of another type for what the program declares. */
export const isReadAs = ({ field, value }: Oddity): boolean =>
  isNotReturned(field, value) ||
  (typeof value === "string" && sameValue(field, Number(value), value)) ||
  (typeof value === "number" && field.type === "string");
