import type { PropertyMap } from "./property-value";

/** A resource exists or was changed in part, and then something failed. */
export class PartialFailure extends Error {
  constructor(
    readonly id: string,
    readonly properties: PropertyMap,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** A resource was asked for by its id and is not there. */
export class MissingResourceError extends Error {
  constructor(type: string, id: string) {
    super(`${type} ${id} does not exist. Check the id, organizationId and serviceId.`);
  }
}
