import type { Field } from "../../../provider/src/lifecycle/comparison/fields";
import type { Described } from "../catalogue";
import type { Comment, Declarations } from "../declarations";
import { nameOfValue } from "../plugin-schema/types";
import { argumentComment, doc, type Place } from "./comments";
import { capitalized, elementType, isList, typeOf, uncapitalized } from "./types";
import { FIELDS_BY_TYPE } from "../../../provider/src/resources/reverse-private-endpoint/schema";

/** The file of a resource's arguments. `shared` are the schemas whose types have a file of their own. */
export function argumentFile(resource: Described, schemas: Declarations, shared: Declarations): string {
  const made = new ArgumentTypes(resource, schemas, shared);
  const text = `The arguments of {@link ${resource.type}}.`;
  made.add({ name: `${resource.type}Args`, text, fields: resource.fields, path: [], noun: resource.noun });
  return [
    "// `npm run reference` makes this file from the schema of the resource and the comments in it.",
    'import type * as pulumi from "@pulumi/pulumi";',
    `import type { ${[...made.imported].sort().join(", ")} } from "../argument-types";`,
    ...made.declarations.flatMap((lines) => ["", ...lines]),
    "",
  ].join("\n");
}

/** An object of the schema that becomes a type. */
interface ObjectOf {
  readonly name: string;
  readonly text: string;
  readonly fields: readonly Field[];
  readonly path: readonly string[];
  readonly parent?: Field | undefined;
  readonly isElement?: boolean;
  /** What one of them is called. */
  readonly noun: string;
}

type Lines = readonly string[];

class ArgumentTypes {
  readonly declarations: Lines[] = [];
  readonly imported = new Set(["Optional"]);
  readonly #root: string;
  readonly #known = new Set<string>();

  constructor(
    private readonly resource: Described,
    private readonly schemas: Declarations,
    private readonly shared: Declarations,
  ) {
    this.#root = `${uncapitalized(resource.type)}Schema`;
  }

  /** Declares an object, after the types that it needs. */
  add(object: ObjectOf): void {
    const hasTypes = this.resource.type === "ReversePrivateEndpoint";
    const discriminator = object.fields.find(({ name }) => hasTypes && name === "type");
    if (object.fields.some(({ variant }) => variant)) this.#addKinds(object);
    else if (discriminator !== undefined) this.#addByValue(object, discriminator);
    else {
      const members = object.fields.flatMap((field) => this.#member(object, field));
      this.#declare(object.text, `export interface ${object.name}`, members);
    }
  }

  #declare(text: string, head: string, members: Lines): void {
    this.declarations.push([...doc(text, [], ""), `${head} {`, ...members, "}"]);
  }

  #declareUnion({ name, text }: ObjectOf, parts: readonly string[]): void {
    this.declarations.push([...doc(text, [], ""), `export type ${name} = ${parts.join(" | ")};`]);
  }

  /** A union with one member for each kind, of which the object has one. */
  #addKinds(object: ObjectOf): void {
    const { name, noun, fields } = object;
    const base = `Any${capitalized(noun)}Args`;
    const text =
      "All kinds as optional fields, so that the compiler names a mistake inside of a kind. " +
      `\`check\` refuses a ${noun} of two kinds.`;
    const members = fields.flatMap((field) => this.#member(object, field));
    this.#declare(text, `interface ${base}`, members);
    const parts = fields
      .filter(({ variant }) => variant)
      .map((field) => {
        const part = `${capitalized(field.name)}${name}`;
        const said = uncapitalized(this.#commentOn([...object.path, field.name]).text);
        const required = this.#member(object, { ...field, required: true });
        this.#declare(`A ${noun} that is ${said}`, `export interface ${part} extends ${base}`, required);
        return part;
      });
    this.#declareUnion(object, parts);
  }

  /** A union with one member for each value of a field, which says what other fields there are. */
  #addByValue(object: ObjectOf, discriminator: Field): void {
    const fieldsByValue: Readonly<Record<string, Readonly<Record<string, "required" | "optional">>>> =
      FIELDS_BY_TYPE;
    const owners = new Map(
      Object.entries(fieldsByValue).flatMap(([value, own]) => Object.keys(own).map((name) => [name, value])),
    );
    const common = object.fields.filter((field) => field !== discriminator && !owners.has(field.name));
    const base = `Any${object.name}`;
    const members = common.flatMap((field) => this.#member(object, field));
    this.#declare(`The arguments of every ${object.noun}.`, `interface ${base}`, members);
    const parts = Object.entries(fieldsByValue).map(([value, own]) => {
      const part = `${nameOfValue(value)}Args`;
      const ofValue = object.fields.flatMap((field) => {
        if (field === discriminator) return this.#member(object, { ...field, type: JSON.stringify(value) });
        const owner = owners.get(field.name);
        if (owner === undefined) return [];
        if (owner !== value)
          return [...doc(`Belongs to \`${owner}\`.`), `  ${field.name}?: null | undefined;`];
        return this.#member(object, field, own[field.name]);
      });
      const { text } = this.#commentOn([...object.path, discriminator.name, value]);
      this.#declare(text, `export interface ${part} extends ${base}`, ofValue);
      return part;
    });
    this.#declareUnion(object, parts);
  }

  /** A member with its comment. Of a field that only some of a union have, `presence` says whether this one requires it. */
  #member(object: ObjectOf, field: Field, presence?: "required" | "optional"): Lines {
    const place: Place = { ...object, field, path: [...object.path, field.name] };
    const type = this.#typeOf(place);
    const comment = argumentComment(place, this.#commentOn(place.path), this.resource);
    if (presence === "optional")
      return [...comment, `  ${field.name}?: pulumi.Input<${type} | null | undefined>;`];
    return field.required || presence === "required"
      ? [...comment, `  ${field.name}: pulumi.Input<${type}>;`]
      : [...comment, `  ${field.name}?: Optional<${type}>;`];
  }

  #typeOf(place: Place): string {
    const { field, path } = place;
    const { text, name } = typeOf(this.schemas, this.#root, field, path);
    if (name !== undefined) this.#addNamed(name, place);
    return isList(field) ? `pulumi.Input<${text}>[]` : text;
  }

  #addNamed(name: string, { field, path }: Place): void {
    const made = uncapitalized(name.replace(/Args$/, ""));
    const text = this.schemas.commentOf(made)?.text;
    if (text === undefined)
      throw new Error(`${made} of the schema of ${this.resource.type} has no doc comment`);
    if (this.shared.commentOf(made) !== undefined) this.imported.add(name);
    else if (!this.#known.has(name)) {
      this.#known.add(name);
      const { members, elements } = field;
      const fields = members ?? elements;
      if (fields === undefined)
        this.declarations.push([...doc(text, [], ""), `export type ${name} = ${elementType(field)};`]);
      else {
        const isElement = members === undefined;
        this.add({ name, text, fields, path, parent: field, isElement, noun: field.name });
      }
    }
  }

  #commentOn(path: readonly string[]): Comment {
    const comment = this.schemas.commentAt(this.#root, path);
    if (comment === undefined) throw new Error(`${this.#root}: ${path.join(".")} has no doc comment`);
    return comment;
  }
}
