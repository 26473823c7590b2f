import type { Field } from "../provider/src/lifecycle/fields";
import { pipeFields } from "../provider/src/resources/pipe/schema";

export { pipeFields };

export function fieldAt(path: string, fields: readonly Field[] = pipeFields): Field {
  for (const field of fields) {
    const own = field.path.join(".");
    if (own === path) return field;
    if (path.startsWith(`${own}.`)) return fieldAt(path, field.members ?? []);
  }
  throw new Error(`There is no field ${path}`);
}
