import fc from "fast-check";
import { isNotReturned, sameValue } from "../../provider/src/lifecycle/comparison/equality";
import { isReadable, leafFields, type Field } from "../../provider/src/lifecycle/comparison/fields";
import { withoutDeclaredValues, withDeclaredValues } from "../../provider/src/lifecycle/state/outputs";
import { isList, isMap, valueAt } from "../../provider/src/lifecycle/comparison/property-value";
import type { PropertyMap, PropertyValue } from "../../provider/src/lifecycle/comparison/property-value";
import { SOURCE_KINDS } from "../../provider/src/resources/pipe/source-schema";
import { pipeFields } from "../../provider/src/resources/pipe/schema";
import { anyPipe, anyUpdate } from "./any-pipe";
import { holds } from "./parameters";
import { checkFailuresOf, offlineLifecycle, pipeId } from "../kit/lifecycle";

/** The same properties as another copy, members in the opposite order, nulls where nothing was. */
function rewritten(value: PropertyValue): PropertyValue {
  if (isList(value)) return value.map(rewritten);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, rewritten(member)] as const);
  return { ...Object.fromEntries(entries.reverse()), novelty: null };
}

describe.each(SOURCE_KINDS)("for any %s pipe", (kind) => {
  test("check accepts it, and accepts its own result unchanged", () =>
    holds(
      fc.property(anyPipe(kind), (pipe) => {
        expect(checkFailuresOf(pipe)).toEqual([]);
        const { inputs } = offlineLifecycle().lifecycle.check(undefined, pipe);
        const again = offlineLifecycle().lifecycle.check(inputs, inputs);
        expect(again.inputs).toEqual(inputs);
        expect(again.failures).toEqual([]);
      }),
    ));

  test("diff finds no change between it and a rewritten copy", () =>
    holds(
      fc.property(anyPipe(kind), (pipe) => {
        const none = { changes: [], replaces: [], deleteBeforeReplace: false };
        for (const copy of [pipe, JSON.parse(JSON.stringify(pipe)) as PropertyMap, rewritten(pipe)])
          expect(offlineLifecycle().lifecycle.diff(pipeId, pipe, copy as PropertyMap)).toEqual({
            changed: false,
            inputsEqual: true,
            ...none,
          });
      }),
    ));
});

const readable = leafFields(pipeFields).filter(isReadable);

/** What an API would state: nothing that it never returns, and more than any program declares. */
const stated = (pipe: PropertyMap): PropertyMap => ({
  ...Object.fromEntries(
    Object.entries(pipe).filter(([name]) => pipeFields.some((field) => field.name === name)),
  ),
  id: "1",
  novelty: { of: ["the server"] },
});

test.each(SOURCE_KINDS)(
  "the stored part of any answer about a %s pipe repeats no declared value, and restores it",
  (kind) =>
    holds(
      fc.property(anyUpdate(kind), ([declared, other]) => {
        const answer = stated(other);
        const beyond = withoutDeclaredValues(pipeFields, declared, answer);
        const again = withDeclaredValues(pipeFields, declared, beyond);
        const texts = (test: (field: Field) => boolean): string[] =>
          readable.filter(test).map(({ displayPath }) => displayPath);
        const lost = texts((field) => {
          const before = valueAt(answer, field.path);
          return !sameValue(field, before, valueAt(again, field.path)) && !isNotReturned(field, before);
        });
        const repeated = texts(({ path }) => {
          const value = valueAt(beyond, path);
          return value !== undefined && JSON.stringify(value) === JSON.stringify(valueAt(declared, path));
        });
        expect({ lost, repeated }).toEqual({ lost: [], repeated: [] });
        expect(again["id"]).toEqual(answer["id"]);
        expect(again["novelty"]).toEqual(answer["novelty"]);
        expect(withoutDeclaredValues(pipeFields, declared, again)).toEqual(beyond);
      }),
    ),
);
