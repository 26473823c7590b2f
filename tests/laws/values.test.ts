import fc from "fast-check";
import { sameValue } from "../../provider/src/lifecycle/comparison/equality";
import { isReadable, leafFields, type Field } from "../../provider/src/lifecycle/comparison/fields";
import { withoutDeclaredValues, withDeclaredValues } from "../../provider/src/lifecycle/state/outputs";
import { isList, isMap, valueAt } from "../../provider/src/lifecycle/comparison/property-value";
import type { PropertyMap, PropertyValue } from "../../provider/src/lifecycle/comparison/property-value";
import { SOURCE_KINDS } from "../../provider/src/resources/pipe/source-schema";
import { pipeFields } from "../../provider/src/resources/pipe/schema";
import { anyPipe, anyUpdate } from "./any-pipe";
import { holds } from "./parameters";
import { offlineLifecycle, pipeId } from "../kit/lifecycle";

/** The same properties as another copy, members in the opposite order, nulls where nothing was. */
function rewritten(value: PropertyValue): PropertyValue {
  if (isList(value)) return value.map(rewritten);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, rewritten(member)] as const);
  return { ...Object.fromEntries(entries.reverse()), novelty: null };
}

describe.each(SOURCE_KINDS)("for any %s pipe", (kind) => {
  test("check accepts it, and leaves its own result unchanged", () =>
    holds(
      fc.property(anyPipe(kind), (pipe) => {
        const { inputs } = offlineLifecycle().lifecycle.check(undefined, pipe);
        const again = offlineLifecycle().lifecycle.check(inputs, inputs);
        expect(again.inputs).toEqual(inputs);
        expect(again.failures).toEqual([]);
      }),
    ));

  test("diff finds no change between it and a rewritten copy", () =>
    holds(
      fc.property(anyPipe(kind), (pipe) => {
        const { lifecycle } = offlineLifecycle();
        expect(lifecycle.diff(pipeId, pipe, rewritten(pipe) as PropertyMap)).toEqual({
          changed: false,
          inputsEqual: true,
          changes: [],
          replaces: [],
          deleteBeforeReplace: false,
        });
      }),
    ));
});

const readable = leafFields(pipeFields).filter(isReadable);

describe.each(SOURCE_KINDS)("of any answer about a %s pipe", (kind) => {
  /** Holds for what a program declares, what the API answers, and the part of it that the state stores. */
  const holdsFor = (law: (declared: PropertyMap, answer: PropertyMap, stored: PropertyMap) => void) =>
    holds(
      fc.property(anyUpdate(kind), ([declared, other]) => {
        const answer: PropertyMap = { ...other, novelty: { of: ["the server"] } };
        law(declared, answer, withoutDeclaredValues(pipeFields, declared, answer));
      }),
    );

  test("the stored part repeats no declared value", () =>
    holdsFor((declared, _, stored) => {
      for (const { path } of readable) {
        const value = valueAt(stored, path);
        if (value !== undefined) expect(value).not.toEqual(valueAt(declared, path));
      }
    }));

  test("declared and stored part together are the answer", () =>
    holdsFor((declared, answer, stored) => {
      const restored = withDeclaredValues(pipeFields, declared, stored);
      const isLost = (field: Field): boolean => {
        const value = valueAt(answer, field.path);
        return value !== undefined && !sameValue(field, value, valueAt(restored, field.path));
      };
      expect(readable.filter(isLost).map(({ displayPath }) => displayPath)).toEqual([]);
      expect(restored["novelty"]).toEqual(answer["novelty"]);
    }));
});
