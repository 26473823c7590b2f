import { z } from "zod";
import { immutable, providerOnly, updatable, atomic, writeOnly } from "../../../provider/src/core/fields";
import type { PropertyMap } from "../../../provider/src/core/property-value";
import type { ResourceDefinition } from "../../../provider/src/core/lifecycle";

/** A resource type with one field of each kind; each test supplies the operations. */
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

export type TestOperations = Pick<
  ResourceDefinition,
  "create" | "read" | "update" | "delete" | "needsUpdate"
>;

const unexpected = (): never => {
  throw new Error("This operation must not be called.");
};

/** Operations that fail the test when called. */
export const uncalledOperations: TestOperations = {
  create: unexpected,
  read: unexpected,
  update: unexpected,
  delete: unexpected,
};

export const testDefinition = (operations: Partial<TestOperations>): ResourceDefinition => ({
  type: "TestResource",
  schema: schema(),
  secretNames: new Set(["credentials"]),
  rules: () => [],
  computed: ["state"],
  ...uncalledOperations,
  ...operations,
});

/** What an API would return for a resource with these inputs. */
export const apiAnswer = (inputs: PropertyMap): PropertyMap => ({
  ...inputs,
  state: "Running",
  note: "filled in",
});
