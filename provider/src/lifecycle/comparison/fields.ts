import { z } from "zod";
import { getOrAdd } from "../../values/get-or-add";

/**
 * What a change of a field needs.
 *
 * - `update`: the update operation changes it in place.
 * - `replace`: no operation changes it, so another value needs a new resource.
 * - `sentAlong`: it is sent with a create, or with an update of other fields.
 * - `providerOnly`: the provider uses it and never sends it.
 */
export type OnChange = "update" | "replace" | "sentAlong" | "providerOnly";

export interface FieldMetadata {
  readonly onChange?: OnChange;
  /** The API accepts it and never returns it. */
  readonly writeOnly?: boolean;
  /** An object that is compared and sent as a whole, not member by member. */
  readonly atomic?: true;
  /** An object whose presence decides the kind of the resource: adding or removing it needs a new resource. */
  readonly variant?: true;
  /** The order of the elements has no meaning. */
  readonly unordered?: true;
  /** The program manages only the elements that it declares; other clients may add more. */
  readonly sharedList?: true;
  /** The members that distinguish the elements of the list. */
  readonly identity?: readonly string[];
  /** The members that no two elements may have in common. Default: the identity. */
  readonly distinctBy?: readonly string[];
  readonly normalize?: Normalize;
  /** A change has no effect on an existing resource. */
  readonly ignoredAfterCreate?: true;
}

/** Maps all formats of a text to one; undefined if the text means the same as no text. */
export type Normalize = (text: string) => string | undefined;

const metadata = z.registry<FieldMetadata>();

/** Adds metadata to a field. The registry is keyed by the schema object, so no two fields may share one. */
function annotate<S extends z.ZodType>(schema: S, added: FieldMetadata): S {
  const existing = metadata.get(schema);
  metadata.remove(schema);
  metadata.add(schema, { ...existing, ...added });
  return schema;
}

export const updatable = <S extends z.ZodType>(schema: S): S => annotate(schema, { onChange: "update" });

/** A field that no operation changes. Members of an object inherit this unless they have their own. */
export const immutable = <S extends z.ZodType>(schema: S): S => annotate(schema, { onChange: "replace" });

export const providerOnly = <S extends z.ZodType>(schema: S): S =>
  annotate(schema, { onChange: "providerOnly" });

/** A field of the provider alone that only a create uses. */
export const ignoredAfterCreate = <S extends z.ZodType>(schema: S): S =>
  annotate(providerOnly(schema), { ignoredAfterCreate: true });

/** A text, or a list of texts, that the API may return in another format. */
export const normalized = <S extends z.ZodType>(schema: S, normalize: Normalize): S =>
  annotate(schema, { normalize });

export const sentAlong = <S extends z.ZodType>(schema: S): S =>
  annotate(schema, { onChange: "sentAlong", writeOnly: true });

export const writeOnly = <S extends z.ZodType>(schema: S): S => annotate(schema, { writeOnly: true });

export const atomic = <S extends z.ZodType>(schema: S): S => annotate(schema, { atomic: true });

export const variant = <S extends z.ZodType>(schema: S): S => annotate(immutable(schema), { variant: true });

export const unordered = <S extends z.ZodType>(schema: S): S => annotate(schema, { unordered: true });

/** An unordered list of objects that the named members distinguish. */
export const identifiedBy = <S extends z.ZodType>(schema: S, ...identity: readonly string[]): S =>
  annotate(schema, { unordered: true, identity });

/** A list in which no two elements may have these members in common, although others distinguish them. */
export const distinctBy = <S extends z.ZodType>(schema: S, ...members: readonly string[]): S =>
  annotate(schema, { distinctBy: members });

export const sharedList = <S extends z.ZodType>(schema: S): S => annotate(schema, { sharedList: true });

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

export const fieldsOf = (schema: z.ZodObject, secretNames: ReadonlySet<string>): readonly Field[] =>
  membersOf(schema, { path: [], onChange: "replace", writeOnly: false, secret: false }, secretNames);

const membersOf = (
  schema: z.ZodObject,
  from: Inherited,
  secretNames: ReadonlySet<string>,
): readonly Field[] =>
  Object.entries(schema.shape).map(([name, member]) => fieldOf(name, member as z.ZodType, from, secretNames));

function fieldOf(name: string, schema: z.ZodType, from: Inherited, secretNames: ReadonlySet<string>): Field {
  const { core, own } = unwrapped(schema);
  const inherited: Inherited = {
    path: [...from.path, name],
    onChange: own.onChange ?? from.onChange,
    writeOnly: own.writeOnly ?? from.writeOnly,
    secret: from.secret || secretNames.has(name),
  };
  const children = childrenOf(core, inherited, secretNames);
  const memberwise = core instanceof z.ZodObject && own.atomic === undefined;
  return {
    identity: [],
    ...own,
    ...inherited,
    name,
    displayPath: z.core.toDotPath(inherited.path),
    type: typeOf(core),
    required: !(schema instanceof z.ZodOptional),
    ...(children !== undefined && (memberwise ? { members: children } : { elements: children })),
  };
}

function childrenOf(core: z.ZodType, inherited: Inherited, secretNames: ReadonlySet<string>) {
  if (core instanceof z.ZodObject) return membersOf(core, inherited, secretNames);
  if (!(core instanceof z.ZodArray)) return undefined;
  const element = unwrapped(core.element as z.ZodType).core;
  return element instanceof z.ZodObject
    ? membersOf(element, { ...inherited, path: [] }, secretNames)
    : undefined;
}

/** The schema inside `optional()`, and the metadata of both. */
function unwrapped(schema: z.ZodType): { readonly core: z.ZodType; readonly own: FieldMetadata } {
  const own = metadata.get(schema) ?? {};
  if (!(schema instanceof z.ZodOptional)) return { core: schema, own };
  const inner = unwrapped(schema.unwrap() as z.ZodType);
  return { core: inner.core, own: { ...inner.own, ...own } };
}

function typeOf(core: z.ZodType): string {
  if (core instanceof z.ZodArray) return `list of ${typeOf(unwrapped(core.element as z.ZodType).core)}`;
  if (core instanceof z.ZodEnum) return core.options.map((option) => `"${option}"`).join(" | ");
  if (core instanceof z.ZodNumber) return core.format === null ? "number" : "integer";
  return core instanceof z.ZodObject ? "object" : core.type;
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
