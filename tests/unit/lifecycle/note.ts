import type { ResourceDefinition } from "../../../provider/src/lifecycle/program/definition";
import {
  immutable,
  integer,
  oneOf,
  optional,
  providerOnly,
  record,
  text,
  updatable,
} from "../../../provider/src/lifecycle/comparison/field-schema";
import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";

/** The inputs. What a change of a field needs follows from the function around its type. */
const noteSchema = {
  title: updatable(text),
  shelf: immutable(optional(text)),
  deletionPolicy: providerOnly(optional(oneOf(["retain", "delete"]))),
};

/** The least that a resource needs: a note in a service that is a map, by its id. */
export const noteDefinition = (notes: Map<string, PropertyMap>): ResourceDefinition<typeof noteSchema> => ({
  type: "Note",
  noun: "note",
  takeOver: "Declare the note with its title.",
  schema: noteSchema,
  secretNames: new Set(),
  outputs: { length: integer, observed: record },
  rules: ({ title }) => (title === "" ? [{ path: ["title"], reason: "must not be empty" }] : []),
  create({ title, shelf }) {
    const id = `note-${notes.size + 1}`;
    const current = { title, shelf, length: title.length };
    notes.set(id, current);
    return Promise.resolve({ id, current });
  },
  read: (id) => Promise.resolve(notes.get(id)),
  update({ id, inputs: { title }, changes }) {
    // Another deletionPolicy is a matter of the state alone.
    if (changes.length === 0) return Promise.resolve(undefined);
    notes.set(id, { ...notes.get(id), title, length: title.length });
    return Promise.resolve(notes.get(id));
  },
  delete(id, { deletionPolicy }) {
    if (deletionPolicy === "delete") notes.delete(id);
    return Promise.resolve();
  },
});
