import { createHmac, randomBytes } from "node:crypto";
import type { Schema } from "./definition";
import type { Json, JsonObject } from "./json";
import { canonical, isObject } from "./json";

/** Digests of write-only values by dotted path. */
export type Digests = Record<string, string>;

/**
 * Makes digests with a random key that is never stored: equal digests mean equal values, and a weak password cannot
 * be guessed from its digest.
 */
export class Digester {
  private readonly key = randomBytes(32);

  digest(value: Json): string {
    return createHmac("sha256", this.key).update(canonical(value)).digest("hex");
  }

  /** The fields of a body that are not write-only, and digests of those that are. */
  strip(body: object, schema: Schema = {}): { fields: JsonObject; digests: Digests } {
    const digests: Digests = {};
    const strip = (value: JsonObject, { properties = {} }: Schema, prefix: string): JsonObject => {
      const stripped: JsonObject = {};
      for (const [name, inner] of Object.entries(value)) {
        const field = properties[name] ?? {};
        if (field.writeOnly) digests[prefix + name] = this.digest(inner);
        else stripped[name] = isObject(inner) ? strip(inner, field, `${prefix}${name}.`) : inner;
      }
      return stripped;
    };
    return { fields: strip(body as JsonObject, schema, ""), digests };
  }
}
