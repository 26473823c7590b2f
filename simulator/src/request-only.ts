import { createHmac, randomBytes } from "node:crypto";
import type { Json, JsonObject } from "./json";
import { canonical, isObject, valueAt } from "./json";

/** Fields that requests carry and that no response ever returns. */
const REQUEST_ONLY = [
  "source.validateSamples",
  "source.kafka.credentials",
  "source.kafka.schemaRegistry.credentials",
  "source.objectStorage.accessKey",
  "source.kinesis.accessKey",
  "source.postgres.credentials",
  "destination.roles",
] as const;

/** Digests of request-only values by dotted path. */
export type Digests = Record<string, string>;

/**
 * Makes digests with a key of its own that is never written anywhere. Digests are equal exactly when the values
 * are, and nobody can find a weak password by trying.
 */
export class Digester {
  private readonly key = randomBytes(32);

  digest(value: Json): string {
    return createHmac("sha256", this.key).update(canonical(value)).digest("hex");
  }

  /** Takes the request-only fields out of a copy of the body and keeps their digests alone. */
  strip(body: JsonObject): { body: JsonObject; digests: Digests } {
    const stripped = structuredClone(body);
    const digests: Digests = {};
    for (const path of REQUEST_ONLY) {
      const dot = path.lastIndexOf(".");
      const owner = valueAt(stripped, path.slice(0, dot));
      const field = path.slice(dot + 1);
      if (!isObject(owner) || owner[field] === undefined) continue;
      digests[path] = this.digest(owner[field]);
      Reflect.deleteProperty(owner, field);
    }
    return { body: stripped, digests };
  }
}
