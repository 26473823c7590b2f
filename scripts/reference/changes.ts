import { leafFields, type Field, type OnChange } from "../../provider/src/lifecycle/fields";
import { code } from "./markdown";

const MEANINGS: readonly (readonly [OnChange, (noun: string, guarded: boolean) => string])[] = [
  ["update", () => "Changed in place, by a PATCH that carries what changed"],
  [
    "replace",
    (noun, guarded) =>
      `Needs another ${noun}: ${guarded ? "refused at preview, unless a policy allows it" : "an ordinary replacement"}`,
  ],
  ["sentAlong", () => "Sent along with a create, or with an update of another field"],
  ["providerOnly", () => "Used by the provider only: kept in state, never sent"],
];

/** All fields of a resource by what their change leads to, as a list. */
export function changeList(noun: string, fields: readonly Field[]): string {
  const guarded = fields.some(({ name }) => name === "replacementPolicy");
  return MEANINGS.flatMap(([onChange, inWords]) => {
    const places = fields.flatMap((field) => placesOf(onChange, field).map(code));
    const all = [...kindsThat(onChange, fields), ...places];
    return all.length === 0 ? [] : [`- **${inWords(noun, guarded)}**: ${all.join("; ")}`];
  }).join("\n");
}

const isChoice = ({ members = [] }: Field): boolean => members.some(({ variant }) => variant);

const kindsThat = (onChange: OnChange, fields: readonly Field[]): readonly string[] =>
  onChange === "replace" ? fields.filter(isChoice).map(({ name }) => `the kind of ${code(name)}`) : [];

/** The paths of the fields with one change kind. Each kind of a choice has paths of its own. */
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
