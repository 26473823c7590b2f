import { getOrAdd } from "../../values/get-or-add";
import type { FieldMetadata, FieldSchema, FieldSchemas, OnChange } from "./field-schema";
import { pathText } from "./property-value";

/** A field with what it inherits from the object that holds it. */
export interface Field extends FieldMetadata {
  readonly path: readonly string[];
  readonly onChange: OnChange;
  readonly writeOnly: boolean;
  readonly secret: boolean;
  readonly name: string;
  readonly displayPath: string;
  readonly type: string;
  readonly required: boolean;
  readonly identity: readonly string[];
  /** The members of an object that is compared member by member. */
  readonly members?: readonly Field[];
  /** The members of an atomic object, or of the elements of a list. */
  readonly elements?: readonly Field[];
}

/** What a member takes over from its object. */
type Inherited = Pick<Field, "path" | "onChange" | "writeOnly" | "secret">;

export const fieldsOf = (schemas: FieldSchemas, secretNames: ReadonlySet<string>): readonly Field[] =>
  membersOf(schemas, { path: [], onChange: "replace", writeOnly: false, secret: false }, secretNames);

const membersOf = (
  schemas: FieldSchemas,
  from: Inherited,
  secretNames: ReadonlySet<string>,
): readonly Field[] =>
  Object.entries(schemas).map(([name, schema]) => fieldOf(name, schema, from, secretNames));

function fieldOf(
  name: string,
  { type, metadata = {}, isOptional, members, element }: FieldSchema,
  from: Inherited,
  secretNames: ReadonlySet<string>,
): Field {
  const inherited: Inherited = {
    path: [...from.path, name],
    onChange: metadata.onChange ?? from.onChange,
    writeOnly: metadata.writeOnly ?? from.writeOnly,
    secret: from.secret || secretNames.has(name),
  };
  const children = members && membersOf(members, inherited, secretNames);
  const elements = element?.members && membersOf(element.members, { ...inherited, path: [] }, secretNames);
  return {
    identity: [],
    ...metadata,
    ...inherited,
    name,
    displayPath: pathText(inherited.path),
    type,
    required: isOptional !== true,
    ...(children && (metadata.atomic ? { elements: children } : { members: children })),
    ...(elements && { elements }),
  };
}

const leaves = new WeakMap<readonly Field[], readonly Field[]>();

/** All fields but the objects that are compared member by member: their members instead. */
export const leafFields = (fields: readonly Field[]): readonly Field[] =>
  getOrAdd(leaves, fields, () =>
    fields.flatMap((field) => (field.members === undefined ? [field] : leafFields(field.members))),
  );

/** Whether the API returns the field; fields that are only sent along are write-only. */
export const isReadable = ({ writeOnly, onChange }: Field): boolean =>
  !writeOnly && onChange !== "providerOnly";
