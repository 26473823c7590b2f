import type { PropertyMap } from "./property-value";

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

/** A rule for the values of one field. */
interface Rule<T> {
  holds(value: T): boolean;
  /** Why a value that breaks the rule is refused, as in `must not be empty`. */
  readonly reason: string;
}

declare const VALUE: unique symbol;

/** What values a field has, and what a change of it needs. It is data; the functions below return changed copies. */
export interface FieldSchema<T = unknown> {
  /** As the reference shows it. */
  readonly type: string;
  readonly metadata?: FieldMetadata;
  readonly isOptional?: true;
  /** All values of a field that has only some. */
  readonly options?: readonly string[];
  /** The members of an object. */
  readonly members?: FieldSchemas;
  /** The elements of a list. */
  readonly element?: FieldSchema;
  readonly rules?: readonly Rule<T>[];
  /** The type of the values, which only the compiler knows. */
  readonly [VALUE]?: T;
}

/** The fields of a resource or an object, by name. */
export type FieldSchemas = Readonly<Record<string, FieldSchema>>;

type ValueOf<S> = S extends FieldSchema<infer T> ? T : never;

type OptionalName<S extends FieldSchemas> = {
  [K in keyof S]: undefined extends ValueOf<S[K]> ? K : never;
}[keyof S];

/** The values of these fields. */
export type ValuesOf<S extends FieldSchemas> = {
  readonly [K in Exclude<keyof S, OptionalName<S>>]: ValueOf<S[K]>;
} & { readonly [K in OptionalName<S>]?: ValueOf<S[K]> };

export const text: FieldSchema<string> = { type: "string" };
export const boolean: FieldSchema<boolean> = { type: "boolean" };
export const number: FieldSchema<number> = { type: "number" };

/** A whole number that JavaScript does not round. */
export const integer: FieldSchema<number> = {
  type: "integer",
  rules: [
    { holds: (value) => value <= Number.MAX_SAFE_INTEGER, reason: "is too large" },
    { holds: (value) => value >= Number.MIN_SAFE_INTEGER, reason: "is too small" },
  ],
};

/** An object with any members. */
export const record: FieldSchema<PropertyMap> = { type: "record" };

export const oneOf = <T extends string>(options: readonly T[]): FieldSchema<T> => ({
  type: options.map((option) => `"${option}"`).join(" | "),
  options,
});

export const list = <T>(element: FieldSchema<T>): FieldSchema<readonly T[]> => ({
  type: `list of ${element.type}`,
  element,
});

/** An object with these members and no others. */
export const object = <S extends FieldSchemas>(members: S): FieldSchema<ValuesOf<S>> => ({
  type: "object",
  members,
});

/** A field that the program need not declare. */
export const optional = <T>(schema: FieldSchema<T>): FieldSchema<T | undefined> => ({
  ...schema,
  isOptional: true,
});

/** A field whose values must follow a rule. */
export const restricted = <T>(
  schema: FieldSchema<T>,
  holds: Rule<T>["holds"],
  reason: string,
): FieldSchema<T> => ({ ...schema, rules: [...(schema.rules ?? []), { holds, reason }] });

/** A text of limited length. */
export const atMost = (characters: number, schema: FieldSchema<string>): FieldSchema<string> =>
  restricted(schema, ({ length }) => length <= characters, `must have at most ${characters} characters`);

const annotate =
  (added: FieldMetadata) =>
  <S extends FieldSchema>(schema: S): S => ({ ...schema, metadata: { ...schema.metadata, ...added } });

export const updatable = annotate({ onChange: "update" });
/** A field that no operation changes. Members of an object inherit this unless they have their own. */
export const immutable = annotate({ onChange: "replace" });
export const sentAlong = annotate({ onChange: "sentAlong", writeOnly: true });
export const providerOnly = annotate({ onChange: "providerOnly" });
/** A field of the provider alone that only a create uses. */
export const ignoredAfterCreate = annotate({ onChange: "providerOnly", ignoredAfterCreate: true });
export const writeOnly = annotate({ writeOnly: true });
export const atomic = annotate({ atomic: true });
export const variant = annotate({ onChange: "replace", variant: true });
export const unordered = annotate({ unordered: true });
export const sharedList = annotate({ sharedList: true });

/** A text, or a list of texts, that the API may return in another format. */
export const normalized = <S extends FieldSchema>(schema: S, normalize: Normalize): S =>
  annotate({ normalize })(schema);

/** An unordered list of objects that the named members distinguish. */
export const identifiedBy = <S extends FieldSchema>(schema: S, ...identity: readonly string[]): S =>
  annotate({ unordered: true, identity })(schema);

/** A list in which no two elements may have these members in common, although others distinguish them. */
export const distinctBy = <S extends FieldSchema>(schema: S, ...members: readonly string[]): S =>
  annotate({ distinctBy: members })(schema);
