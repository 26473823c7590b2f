import fc from "fast-check";
import {
  isList,
  isMap,
  UNKNOWN,
  type PropertyMap,
  type PropertyValue,
} from "../../provider/src/core/property-value";
import { preview } from "../../testkit/preview";
import { failuresOf, offline, pipeId } from "../../testkit/offline";
import { anyPipe, anyUpdate } from "./any-pipe";
import { holds } from "./parameters";

const KINDS = ["kafka", "objectStorage", "kinesis", "postgres"] as const;

/** The same properties as another copy, members in the opposite order, nulls where nothing was. */
function rewritten(value: PropertyValue): PropertyValue {
  if (isList(value)) return value.map(rewritten);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, rewritten(member)] as const);
  return { ...Object.fromEntries(entries.reverse()), novelty: null };
}

describe.each(KINDS)("for any %s pipe", (kind) => {
  test("check accepts it, and accepts its own result unchanged", () =>
    holds(
      fc.property(anyPipe(kind), (pipe) => {
        expect(failuresOf(pipe)).toEqual([]);
        const { inputs } = offline().lifecycle.check(undefined, pipe);
        expect(offline().lifecycle.check(inputs, inputs)).toEqual({ inputs, failures: [] });
      }),
    ));

  test("diff finds no change between it and a rewritten copy", () =>
    holds(
      fc.property(anyPipe(kind), (pipe) => {
        const same = {
          changed: false,
          inputsEqual: true,
          changes: [],
          replaces: [],
          deleteBeforeReplace: false,
        };
        const { lifecycle } = offline();
        expect(lifecycle.diff(pipeId, pipe, pipe)).toEqual(same);
        expect(lifecycle.diff(pipeId, pipe, JSON.parse(JSON.stringify(pipe)) as PropertyMap)).toEqual(same);
        expect(lifecycle.diff(pipeId, pipe, rewritten(pipe) as PropertyMap)).toEqual(same);
      }),
    ));

  test("a change of updatable fields is accepted and replaces nothing", () =>
    holds(
      fc.property(anyUpdate(kind), ([before, after]) => {
        const outputs = offline().lifecycle.check(undefined, before).inputs;
        const { failures, difference } = preview(offline().lifecycle, { id: pipeId, outputs }, after);
        expect([failures, difference?.replaces]).toEqual([[], []]);
      }),
    ));

  test("an unknown source is accepted and replaces nothing", () =>
    holds(
      fc.property(anyPipe(kind), (pipe) => {
        const outputs = offline().lifecycle.check(undefined, pipe).inputs;
        const news: PropertyMap = { ...pipe, source: UNKNOWN };
        const { failures, difference } = preview(offline().lifecycle, { id: pipeId, outputs }, news);
        expect(failures).toEqual([]);
        expect(difference).toMatchObject({ changed: true, replaces: [] });
      }),
    ));
});
