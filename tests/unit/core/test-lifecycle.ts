import { z } from "zod";
import {
  sentAlong,
  immutable,
  providerOnly,
  unordered,
  updatable,
  writeOnly,
} from "../../../provider/src/core/fields";
import { Lifecycle, type ResourceDefinition } from "../../../provider/src/core/lifecycle";
import { recordLines } from "../../../testkit/lines";
import { uncalledOperations } from "./test-resource";

const text = () => z.string();
export const schema = () =>
  z.strictObject({
    serviceId: immutable(text().optional()),
    name: updatable(text()),
    note: updatable(text().optional()),
    key: updatable(text().optional()),
    size: updatable(z.int().optional()),
    open: updatable(z.boolean().optional()),
    tags: updatable(unordered(z.array(z.strictObject({ name: text(), key: text().optional() })).optional())),
    place: immutable(z.strictObject({ room: text().optional(), floor: text().optional() }).optional()),
    login: writeOnly(updatable(text().optional())),
    validate: sentAlong(z.boolean().optional()),
    adopt: providerOnly(text().optional()),
    replacementPolicy: providerOnly(z.enum(["refuse", "allow"]).optional()),
  });

/** A lifecycle with the operations of a test, and the lines that the user sees. */
export function testLifecycle(more: Partial<ResourceDefinition> = {}): {
  lifecycle: Lifecycle;
  lines: string[];
} {
  const { lines, ...output } = recordLines();
  const definition: ResourceDefinition = {
    type: "Thing",
    schema: schema(),
    secretNames: new Set(["key"]),
    rules: () => [],
    computed: ["state"],
    ...uncalledOperations,
    ...more,
  };
  const lifecycle = new Lifecycle(definition, {
    configurationProblems: () => [],
    defaults: () => ({ serviceId: "s" }),
    ...output,
  });
  return { lifecycle, lines };
}
