import { z } from "zod";
import { idKey, isUuid } from "../values/uuid";
import {
  immutable,
  providerOnly,
  normalized,
  ignoredAfterCreate,
  writeOnly,
} from "../lifecycle/comparison/fields";

// Functions, because each field needs its own schema object for its metadata.

export const text = () => z.string();
export const boolean = () => z.boolean();
export const integer = () => z.int();
export const uuid = () =>
  normalized(
    z.string().refine(isUuid, "must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000"),
    idKey,
  );

/**
 * Part of the path of every operation. A change replaces the resource, and no answer has the id as the program wrote
 * it.
 */
export const scopeId = () => writeOnly(immutable(uuid().optional()));

/** What happens to the object of the API when the program no longer declares the resource. */
export const deletionPolicy = () => providerOnly(z.enum(["retain", "delete"]).optional());

/** What happens when a change requires a replacement. */
export const replacementPolicy = () => providerOnly(z.enum(["refuse", "allow"]).optional());

/** The ID of an existing object that the resource takes over instead of creating one. */
export const adoptedId = () => ignoredAfterCreate(uuid().optional());

/** What the API returned, without what the program declares. Its members are not checked. */
export const observedAnswer = () => z.record(z.string(), z.unknown());
