import { idKey, isUuid } from "../values/uuid";
import {
  ignoredAfterCreate,
  immutable,
  normalized,
  oneOf,
  optional,
  providerOnly,
  record,
  restricted,
  text,
  writeOnly,
} from "../lifecycle/comparison/field-schema";

export const uuid = normalized(
  restricted(text, isUuid, "must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000"),
  idKey,
);

/**
 * Part of the path of every operation. A change replaces the resource, and no answer has the id as the program wrote
 * it.
 */
export const scopeId = writeOnly(immutable(optional(uuid)));

/** What happens to the object of the API when the program no longer declares the resource. */
export const deletionPolicy = providerOnly(optional(oneOf(["retain", "delete"])));

/** What happens when a change requires a replacement. */
export const replacementPolicy = providerOnly(optional(oneOf(["refuse", "allow"])));

/** The ID of an existing object that the resource takes over instead of creating one. */
export const adoptedId = ignoredAfterCreate(optional(uuid));

/** What the API returned, without what the program declares. Its members are not checked. */
export const observedAnswer = record;
