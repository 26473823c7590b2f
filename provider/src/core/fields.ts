import { z } from "zod";
import { formatPath } from "./property-value";

/**
 * What a change of a field leads to.
 *
 * - `update`: the update operation takes it, in place.
 * - `replace`: no operation changes it; another value needs another resource.
 * - `sentAlong`: it is sent along with a create, or with an update that has another reason.
 * - `providerOnly`: it steers the provider and is never sent.
 */
export type OnChange = "update" | "replace" | "sentAlong" | "providerOnly";

/** What stands on a field beside its type. */
export interface FieldMetadata {
  readonly onChange?: OnChange;
  /** The API takes it and never returns it. */
  readonly writeOnly?: true;
  /** It is compared and sent as a whole, not member by member. */
  readonly atomic?: true;
  /** It decides what the resource is: where it appears or vanishes, another resource is needed. */
  readonly variant?: true;
  /** The order of the elements means nothing. */
  readonly unordered?: true;
  /** Only the declared elements are ours; what else the list has belongs to others. */
  readonly sharedList?: true;
  /** The members that tell one element of the list from another. */
  readonly identity?: readonly string[];
  /** The one form that all spellings of a text share; undefined where the text means as much as no text. */
  readonly normalize?: Normalize;
  /** Another value has no effect on a resource that exists. */
  readonly ignoredAfterCreate?: true;
}

/** Makes one form of all spellings of a text. */
export type Normalize = (text: string) => string | undefined;

const metadata = z.registry<FieldMetadata>();

/** Adds to what stands on a field. The registry belongs to the schema object, so no two fields may share one. */
function annotate<S extends z.ZodType>(schema: S, meaning: FieldMetadata): S {
  const present = metadata.get(schema);
  metadata.remove(schema);
  metadata.add(schema, { ...present, ...meaning });
  return schema;
}

/** A field that the update operation takes. */
export const updatable = <S extends z.ZodType>(schema: S): S => annotate(schema, { onChange: "update" });

/** A field that no operation changes. Inside an object it holds for all members that say nothing else. */
export const immutable = <S extends z.ZodType>(schema: S): S => annotate(schema, { onChange: "replace" });

/** A field that is given on create and never returned; another value needs another resource. */
export const createOnly = <S extends z.ZodType>(schema: S): S =>
  annotate(schema, { onChange: "replace", writeOnly: true });

/** A field that steers the provider and is never sent. */
export const providerOnly = <S extends z.ZodType>(schema: S): S =>
  annotate(schema, { onChange: "providerOnly" });

/** A field that steers only how the resource comes into the stack: another value later is no change. */
export const ignoredAfterCreate = <S extends z.ZodType>(schema: S): S =>
  annotate(schema, { onChange: "providerOnly", ignoredAfterCreate: true });

/** A text, or a list of texts, that the API may write in another way without a change of its meaning. */
export const normalized = <S extends z.ZodType>(schema: S, normalize: Normalize): S =>
  annotate(schema, { normalize });

/** A field that travels with a create or with an update that has another reason. */
export const sentAlong = <S extends z.ZodType>(schema: S): S =>
  annotate(schema, { onChange: "sentAlong", writeOnly: true });

/** A field that the API takes and never returns. */
export const writeOnly = <S extends z.ZodType>(schema: S): S => annotate(schema, { writeOnly: true });

/** An object that is compared and sent as a whole. */
export const atomic = <S extends z.ZodType>(schema: S): S => annotate(schema, { atomic: true });

/** An object whose presence decides what the resource is; another one in its place needs another resource. */
export const variant = <S extends z.ZodType>(schema: S): S =>
  annotate(schema, { onChange: "replace", variant: true });

/** A list whose order means nothing. */
export const unordered = <S extends z.ZodType>(schema: S): S => annotate(schema, { unordered: true });

/** A list of objects whose order means nothing and in which the named members tell one from another. */
export const identifiedBy = <S extends z.ZodType>(schema: S, ...identity: readonly string[]): S =>
  annotate(schema, { unordered: true, identity });

/** A list of which only the declared elements are ours. */
export const sharedList = <S extends z.ZodType>(schema: S): S => annotate(schema, { sharedList: true });

/** A declared field: its place, what it is, and what a change of it means. */
export interface Field {
  readonly name: string;
  readonly path: readonly string[];
  /** The path as people write it. */
  readonly displayPath: string;
  readonly type: string;
  readonly required: boolean;
  readonly onChange: OnChange;
  readonly writeOnly: boolean;
  readonly secret: boolean;
  readonly variant: boolean;
  readonly unordered: boolean;
  readonly sharedList: boolean;
  readonly ignoredAfterCreate: boolean;
  readonly identity: readonly string[];
  readonly normalize?: Normalize;
  /** The members of an object that is compared member by member. */
  readonly members?: readonly Field[];
  /** The members of the elements of a list, or of an object that is compared as a whole. */
  readonly elements?: readonly Field[];
}

interface Inherited {
  readonly path: readonly string[];
  readonly onChange: OnChange;
  readonly writeOnly: boolean;
  readonly secret: boolean;
}

/** The fields that an object schema declares, in their order, with what stands on them. */
export const fieldsOf = (schema: z.ZodObject, secretNames: ReadonlySet<string>): readonly Field[] =>
  membersOf(schema, { path: [], onChange: "replace", writeOnly: false, secret: false }, secretNames);

const membersOf = (
  schema: z.ZodObject,
  from: Inherited,
  secretNames: ReadonlySet<string>,
): readonly Field[] =>
  Object.entries(schema.shape).map(([name, member]) => fieldOf(name, member as z.ZodType, from, secretNames));

function fieldOf(name: string, schema: z.ZodType, from: Inherited, secretNames: ReadonlySet<string>): Field {
  const { core, meaning } = unwrapped(schema);
  const inherited: Inherited = {
    path: [...from.path, name],
    onChange: meaning.onChange ?? from.onChange,
    writeOnly: meaning.writeOnly ?? from.writeOnly,
    secret: from.secret || secretNames.has(name),
  };
  const children = childrenOf(core, inherited, secretNames);
  const memberwise = core instanceof z.ZodObject && meaning.atomic === undefined;
  return {
    ...inherited,
    name,
    displayPath: formatPath(inherited.path),
    type: typeOf(core),
    required: !(schema instanceof z.ZodOptional),
    variant: meaning.variant ?? false,
    unordered: meaning.unordered ?? false,
    sharedList: meaning.sharedList ?? false,
    ignoredAfterCreate: meaning.ignoredAfterCreate ?? false,
    identity: meaning.identity ?? [],
    ...(meaning.normalize !== undefined && { normalize: meaning.normalize }),
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

/** The schema inside `optional()`, and all that stands on either of them. */
function unwrapped(schema: z.ZodType): { readonly core: z.ZodType; readonly meaning: FieldMetadata } {
  const meaning = metadata.get(schema) ?? {};
  if (!(schema instanceof z.ZodOptional)) return { core: schema, meaning };
  const inner = unwrapped(schema.unwrap() as z.ZodType);
  return { core: inner.core, meaning: { ...inner.meaning, ...meaning } };
}

function typeOf(core: z.ZodType): string {
  if (core instanceof z.ZodArray) return `list of ${typeOf(unwrapped(core.element as z.ZodType).core)}`;
  if (core instanceof z.ZodEnum) return core.options.map((option) => `"${option}"`).join(" | ");
  if (core instanceof z.ZodNumber) return core.format === null ? "number" : "integer";
  return core instanceof z.ZodObject ? "object" : core.type;
}

const leaves = new WeakMap<readonly Field[], readonly Field[]>();

/** The fields that are compared, sent and reported on their own: all but the objects that only hold others. */
export function leafFields(fields: readonly Field[]): readonly Field[] {
  const found =
    leaves.get(fields) ??
    fields.flatMap((field) => (field.members === undefined ? [field] : leafFields(field.members)));
  // Every read asks for those of the same fields.
  leaves.set(fields, found);
  return found;
}

/** Whether an answer of the API can say something of a field. */
export const isReadable = ({ writeOnly, onChange }: Field): boolean =>
  !writeOnly && onChange !== "providerOnly" && onChange !== "sentAlong";
