import { leafFields, type Field, type OnChange } from "../../provider/src/core/fields";
import { code, table } from "./markdown";

const MEANINGS: readonly (readonly [OnChange, (noun: string, guarded: boolean) => string])[] = [
  ["update", () => "in place, by a PATCH that carries what changed"],
  [
    "replace",
    (noun, guarded) =>
      `needs another ${noun}: ${guarded ? "refused at preview, unless a policy allows it" : "an ordinary replacement"}`,
  ],
  ["accompany", () => "sent along with a create, or with an update that has another reason"],
  ["local", () => "steers the provider: kept in state, never sent"],
];

/** All fields of a resource by what their change leads to, in few words. */
export function changeTable(noun: string, fields: readonly Field[]): string {
  const guarded = fields.some(({ name }) => name === "replacementPolicy");
  const rows = MEANINGS.map(([onChange, inWords]) => [
    [...kindsThat(onChange, fields), ...fields.flatMap((field) => placesOf(onChange, field).map(code))].join(
      "; ",
    ),
    inWords(noun, guarded),
  ]).filter(([places]) => places !== "");
  return table(["Field", "On change"], rows);
}

const isChoice = ({ members = [] }: Field): boolean => members.some(({ variant }) => variant);

const kindsThat = (onChange: OnChange, fields: readonly Field[]): readonly string[] =>
  onChange === "replace" ? fields.filter(isChoice).map(({ name }) => `the kind of ${code(name)}`) : [];

/** Where the fields of one meaning stand in a field. The kinds of a choice stand each on its own. */
function placesOf(onChange: OnChange, field: Field): readonly string[] {
  if (!isChoice(field)) return compact(onChange, field);
  const within = (field.members ?? []).flatMap((member) => compact(onChange, member));
  return within.map((place) => `${field.name}.${place}`);
}

/** The field itself if all of it has the meaning, else those of its members that have it, in braces. */
function compact(onChange: OnChange, field: Field): readonly string[] {
  if (leafFields([field]).every((unit) => unit.onChange === onChange)) return [field.name];
  const parts = (field.members ?? []).flatMap((member) => compact(onChange, member));
  if (parts.length === 0) return [];
  return [`${field.name}.${parts.length === 1 ? parts.join("") : `{${parts.join(", ")}}`}`];
}
