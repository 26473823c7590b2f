import fc from "fast-check";
import { sameValue } from "../../provider/src/lifecycle/comparison/equality";
import { leafFields, type Field } from "../../provider/src/lifecycle/comparison/fields";
import { isList, valueAt } from "../../provider/src/lifecycle/comparison/property-value";
import type { PropertyMap, PropertyValue } from "../../provider/src/lifecycle/comparison/property-value";
import { SOURCE_KINDS } from "../../provider/src/resources/pipe/source-schema";
import { pipeFields } from "../../provider/src/resources/pipe/schema";
import { anyPipe, anyUpdate } from "./any-pipe";
import { anyPolicy } from "./lifecycle/any-pipe-step";

/** The laws have one service, and adoptions are actions of their own. */
const NOT_GENERATED = ["organizationId", "serviceId", "adopt"];

const listOf = (value: PropertyValue): readonly PropertyValue[] => (isList(value) ? value : [value]);

/** The fields, and the members of their elements, that have the same value in all samples, or none. */
function constantIn(fields: readonly Field[], samples: readonly PropertyMap[]): string[] {
  const isConstant = (valuesOf: (sample: PropertyMap) => readonly unknown[]): boolean =>
    new Set(samples.flatMap(valuesOf).map((value) => JSON.stringify(value ?? null))).size < 2;
  return leafFields(fields)
    .filter(({ name }) => !NOT_GENERATED.includes(name))
    .flatMap(({ displayPath, path, elements }) => {
      if (elements === undefined) return isConstant((one) => [valueAt(one, path)]) ? [displayPath] : [];
      const constant = elements.filter(({ name }) =>
        isConstant((one) => listOf(valueAt(one, path)).map((element) => valueAt(element, [name]))),
      );
      return constant.map(({ name }) => `${displayPath}.${name}`);
    });
}

const sampled = <T>(arbitrary: fc.Arbitrary<T>): T[] => fc.sample(arbitrary, { numRuns: 300, seed: 1 });

test.each(SOURCE_KINDS)("the laws make several values, and changes, of every field of a %s pipe", (kind) => {
  const isOther = (path: string): boolean =>
    SOURCE_KINDS.some((one) => one !== kind && path.startsWith(`source.${one}`)) ||
    (kind === "postgres" && path.startsWith("settings"));
  const any = fc.tuple(anyPipe(kind), anyPolicy).map(([pipe, policy]) => ({ ...pipe, ...policy }));
  const updates = sampled(anyUpdate(kind));
  const unchanged = leafFields(pipeFields).filter(
    (field) =>
      ["update", "sentAlong"].includes(field.onChange) &&
      updates.every(([a, b]) => sameValue(field, valueAt(a, field.path), valueAt(b, field.path))),
  );
  const missing = [...constantIn(pipeFields, sampled(any)), ...unchanged.map((field) => field.displayPath)];
  expect(missing.filter((path) => !isOther(path))).toEqual([]);
});
