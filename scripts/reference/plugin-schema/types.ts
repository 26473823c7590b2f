import type { Field } from "../../../provider/src/lifecycle/comparison/fields";
import type { Declarations } from "../declarations";
import { capitalized } from "../arguments/types";

/** A type of Pulumi's schema language. */
export interface TypeSpec {
  readonly type?: "string" | "number" | "integer" | "boolean" | "array" | "object";
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly $ref?: string;
}

export interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly secret?: true;
  readonly replaceOnChanges?: never;
}

/** An object, or a text with a list of values. */
export interface NamedType {
  readonly type: "object" | "string";
  readonly description?: string;
  readonly properties?: Readonly<Record<string, PropertySpec>>;
  readonly required?: readonly string[];
  readonly enum?: readonly { readonly name: string; readonly value: string }[];
}

export const PACKAGE = "datapipes";
export const tokenOf = (name: string): string => `${PACKAGE}:index:${name}`;
export const refTo = (name: string): TypeSpec => ({ $ref: `#/types/${tokenOf(name)}` });

/** Any value, in an object of the API that has no fixed members. */
export const ANY: TypeSpec = { $ref: "pulumi.json#/Any" };

/** In .NET and Java, an integer has 32 bits. Counts of bytes and times in seconds since 1970 are larger. */
const isLarge = (name: string): boolean => /bytes$|timestamp$/i.test(name);

/** Collects the named types that the fields of resources need. */
export class FieldTypes {
  readonly types: (readonly [string, NamedType])[] = [];

  constructor(
    private readonly declarations: Declarations,
    /** The interface of the arguments. */
    private readonly root: string,
  ) {}

  /** The properties of an object, with the names of those that are required. */
  objectOf(fields: readonly Field[], path: readonly string[] = []) {
    const properties = fields.map(
      (field) => [field.name, this.#propertyOf(field, [...path, field.name])] as const,
    );
    const required = fields.filter((field) => field.required).map(({ name }) => name);
    return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
  }

  #propertyOf(field: Field, path: readonly string[]): PropertySpec {
    const comment = this.declarations.commentAt(this.root, path);
    if (comment === undefined) throw new Error(`${this.root}: ${path.join(".")} has no doc comment`);
    // The provider itself has the defaults. An SDK that sent them would change the state of a stack that moves here.
    const byDefault = comment.default === undefined ? "" : ` Default: \`${comment.default}\`.`;
    return {
      ...this.#typeOf(field, field.type, path),
      description: `${comment.text}${byDefault}`,
      ...(field.secret && isTopOfSecret(field, path) && { secret: true }),
    };
  }

  #typeOf(field: Field, type: string, path: readonly string[]): TypeSpec {
    if (type.startsWith("list of "))
      return { type: "array", items: this.#typeOf(field, type.slice("list of ".length), path) };
    if (type === "integer") return { type: isLarge(field.name) ? "number" : "integer" };
    if (type === "string" || type === "boolean" || type === "number") return { type };
    const declared = this.declarations.typeNameAt(this.root, path);
    const name =
      declared?.replace(/Args$/, "") ?? `${this.root.replace(/Args$/, "")}${capitalized(field.name)}`;
    this.types.push([
      name,
      type === "object"
        ? this.#objectType(field, path, declared)
        : enumOf(type, this.declarations.commentOf(name)?.text),
    ]);
    return refTo(name);
  }

  #objectType(field: Field, path: readonly string[], declared: string | undefined): NamedType {
    const members = field.members ?? field.elements ?? [];
    const text = declared && this.declarations.commentOf(declared)?.text;
    return { type: "object", ...(text && { description: text }), ...this.objectOf(members, path) };
  }
}

/** A whole object is secret, and not each of its members again. */
const isTopOfSecret = ({ path }: Field, place: readonly string[]): boolean => path.length === place.length;

function enumOf(type: string, description: string | undefined): NamedType {
  const values = type.split(" | ").map((value) => JSON.parse(value) as string);
  return {
    type: "string",
    ...(description !== undefined && { description }),
    enum: values.map((value) => ({ name: nameOfValue(value), value })),
  };
}

/** `VPC_RESOURCE` is `VpcResource` in languages whose values have such names. */
export const nameOfValue = (value: string): string =>
  value.toLowerCase().split("_").map(capitalized).join("");
