import { z } from "zod";
import { immutable, providerOnly, updatable, atomic, writeOnly } from "../../../provider/src/core/fields";
import type { PropertyMap } from "../../../provider/src/core/property-value";
import type { ResourceDefinition } from "../../../provider/src/core/lifecycle";

/** A resource with one field of each meaning, whose operations a test decides. */
const schema = () =>
  z.strictObject({
    name: updatable(z.string().optional()),
    place: immutable(z.strictObject({ room: z.string().optional(), floor: z.int().optional() }).optional()),
    lock: updatable(writeOnly(atomic(z.strictObject({ credentials: z.string() }))).optional()),
    books: updatable(
      z.array(z.strictObject({ title: z.string(), credentials: z.string().optional() })).optional(),
    ),
    deletionPolicy: providerOnly(z.enum(["retain", "delete"]).optional()),
    replacementPolicy: providerOnly(z.enum(["refuse", "allow"]).optional()),
  });

export type Shelf = Pick<ResourceDefinition, "create" | "read" | "update" | "delete">;

const unexpected = (): never => {
  throw new Error("This operation must not be called.");
};

/** No operation may be called but those that a test gives. */
export const forbidden: Shelf = {
  create: unexpected,
  read: unexpected,
  update: unexpected,
  delete: unexpected,
};

export const shelfDefinition = (operations: Partial<Shelf>): ResourceDefinition => ({
  type: "Shelf",
  schema: schema(),
  secretNames: new Set(["credentials"]),
  rules: () => [],
  computed: ["state"],
  ...forbidden,
  ...operations,
});

/** What an API would return of a shelf that it was given. */
export const found = (inputs: PropertyMap): PropertyMap => ({
  ...inputs,
  state: "Standing",
  note: "filled in",
});
