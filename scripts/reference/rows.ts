import type { OnChange } from "../../provider/src/lifecycle/comparison/field-schema";
import { leafFields, type Field } from "../../provider/src/lifecycle/comparison/fields";
import type { Described } from "./catalogue";
import type { Comment, Declarations } from "./declarations";

/** What a change leads to, in the words of the reference. */
export const ON_CHANGE: Readonly<Record<OnChange, string>> = {
  update: "in place",
  replace: "replaces",
  sentAlong: "sent along",
  providerOnly: "never sent",
};

/** A field as the reference shows it. */
export interface Row {
  /** Its place, with `[]` for the elements of a list. */
  readonly path: string;
  readonly type: string;
  readonly onChange: string;
  readonly secret: boolean;
  /** Whether it must be given, or what holds without it. */
  readonly presence: string;
  readonly description: string;
}

/** Fields that are shown in one table. */
export interface Section {
  /** The path of the object that holds them; empty for the arguments themselves. */
  readonly path: string;
  readonly rows: readonly Row[];
}

interface Place {
  readonly resource: Described;
  readonly declarations: Declarations;
  /** Where the comment is found. */
  readonly path: readonly string[];
  /** Where the reader finds the field. */
  readonly shown: string;
}

/** The tables of a resource: one for the arguments, one for each object of them, one for each of the kinds. */
export function sectionsOf(resource: Described, declarations: Declarations): readonly Section[] {
  const root: Place = { resource, declarations, path: [], shown: "" };
  return sectionOf(root, resource.fields);
}

function sectionOf(place: Place, fields: readonly Field[]): readonly Section[] {
  const heads = fields.filter((field) => field.members !== undefined && isHead(field));
  const rows = fields.flatMap((field) => rowsOf(below(place, field.name), field));
  const inner = heads.flatMap((field) => sectionOf(below(place, field.name), field.members ?? []));
  return [{ path: place.shown, rows }, ...inner];
}

/** Whether an object has a table of its own. */
const isHead = ({ path, variant }: Field): boolean => path.length === 1 || variant === true;

const below = (place: Place, name: string, separator = "."): Place => ({
  ...place,
  path: [...place.path, name],
  shown: place.shown === "" ? name : `${place.shown}${separator}${name}`,
});

function rowsOf(place: Place, field: Field): readonly Row[] {
  const separator = field.type.startsWith("list of ") ? "[]." : ".";
  const children =
    isHead(field) && field.members !== undefined ? [] : (field.members ?? field.elements ?? []);
  return [
    rowOf(place, field),
    ...children.flatMap((child) => rowsOf(below(place, child.name, separator), child)),
  ];
}

function rowOf({ resource, declarations, path, shown }: Place, field: Field): Row {
  const comment = declarations.commentAt(`${resource.type}Args`, path);
  if (comment === undefined) throw new Error(`${resource.type}: ${shown} has no doc comment`);
  const { description, byDefault } = said(comment);
  const needed = comment.required ? "required by its type" : "optional";
  return {
    path: shown,
    type: field.type,
    onChange: onChangeOf(field),
    secret: field.secret,
    presence: field.variant ? "one of the kinds" : field.required ? "required" : (byDefault ?? needed),
    description,
  };
}

function onChangeOf(field: Field): string {
  if (field.variant) return "another kind replaces";
  const [first, ...others] = new Set(leafFields([field]).map(({ onChange }) => onChange));
  return first === undefined || others.length > 0 ? "by member" : ON_CHANGE[first];
}

/** Sentences that a column of the table says already. */
const TOLD_BY_A_COLUMN =
  /^(A change( of any part)? replaces the [a-z ]+|Changed in place|Kept in state, never sent)\.$/;

/** A comment without what the columns say, and the default that it names. */
function said({ text, default: tag }: Comment): { description: string; byDefault?: string } {
  const sentences = text.split(/(?<=\.) (?=[A-Z])/).filter((sentence) => !TOLD_BY_A_COLUMN.test(sentence));
  const named = sentences.find(isDefault);
  const byDefault = tag === undefined ? named?.slice(DEFAULT.length, -1) : `\`${tag}\``;
  return {
    description: sentences.filter((sentence) => !isDefault(sentence)).join(" "),
    ...(byDefault !== undefined && { byDefault }),
  };
}

const DEFAULT = "Default: ";

const isDefault = (sentence: string): boolean => sentence.startsWith(DEFAULT);
