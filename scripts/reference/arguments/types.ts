import type { Field } from "../../../provider/src/lifecycle/comparison/fields";
import type { Declarations } from "../declarations";

/** The type of a field in TypeScript, and the name of its own, if it has one. */
export interface FieldType {
  readonly text: string;
  /** The interface, or the choice of texts, that a constant of the schema gives its name to. */
  readonly name?: string;
}

/** The type of one field, or of the elements of its list. */
export function typeOf(
  schemas: Declarations,
  root: string,
  field: Field,
  path: readonly string[],
): FieldType {
  const type = elementType(field);
  if (type === "integer") return { text: "number" };
  if (type === "string" || type === "boolean" || type === "number") return { text: type };
  if (type === "record") return { text: "Record<string, unknown>" };
  const made = schemas.typeNameAt(root, path);
  if (type !== "object") return made === undefined ? { text: type } : named(capitalized(made));
  if (made === undefined)
    throw new Error(
      `${root}: the object ${path.join(".")} needs a constant of its own, which names its type`,
    );
  return named(`${capitalized(made)}Args`);
}

/** The type in the words of the schema; of a list, that of its elements. */
export const elementType = ({ type }: Field): string => type.replace(/^list of /, "");

export const isList = ({ type }: Field): boolean => type.startsWith("list of ");

const named = (name: string): FieldType => ({ text: name, name });

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
export const uncapitalized = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1);
