import { z } from "zod";
import { isUuid } from "../config";
import { immutable, providerOnly, normalized, ignoredAfterCreate, writeOnly } from "../core/fields";

/** A text. A function, like all here, because what stands on a field belongs to its own schema object. */
export const text = () => z.string();

/** True or false. */
export const flag = () => z.boolean();

/** A whole number. */
export const integer = () => z.int();

/** A UUID. */
export const uuid = () =>
  normalized(
    z.string().refine(isUuid, "must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000"),
    (text) => text.toLowerCase(),
  );

/** Part of the path of every operation: another one is another resource, and no answer says it as it was given. */
export const scopeId = () => writeOnly(immutable(uuid().optional()));

/** What happens to what exists when the program no longer declares it. */
export const deletionPolicy = () => providerOnly(z.enum(["retain", "delete"]).optional());

/** What happens when a change needs another resource. */
export const replacementPolicy = () => providerOnly(z.enum(["refuse", "allow"]).optional());

/** The id of something that exists and is taken into the stack in place of creating it. */
export const adoptedId = () => ignoredAfterCreate(uuid().optional());
