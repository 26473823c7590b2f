import fc from "fast-check";
import { isNotReturned, sameValue } from "../../provider/src/core/equality";
import { isReadable, leafFields } from "../../provider/src/core/fields";
import { valueAt, type PropertyMap } from "../../provider/src/core/property-value";
import { withoutDeclaredValues, withDeclaredValues } from "../../provider/src/core/statement";
import { pipeFields } from "../../testkit/pipe-fields";
import { anyUpdate } from "./any-pipe";
import { holds } from "./parameters";

const KINDS = ["kafka", "objectStorage", "kinesis", "postgres"] as const;
const readable = leafFields(pipeFields).filter(isReadable);

/** What an API would state: nothing that it never returns, and more than any program declares. */
const stated = (pipe: PropertyMap): PropertyMap => ({
  ...Object.fromEntries(
    Object.entries(pipe).filter(([name]) => pipeFields.some((field) => field.name === name)),
  ),
  id: "1",
  novelty: { of: ["the server"] },
});

describe.each(KINDS)("of any %s pipe that is declared, and any that the API states", (kind) => {
  const holdsFor = (law: (declared: PropertyMap, stated: PropertyMap) => void): Promise<void> =>
    holds(
      fc.property(anyUpdate(kind), ([declared, other]) => {
        law(declared, stated(other));
      }),
    );

  test("the stored part restores the API's answer, except declared fields that the answer omits", () =>
    holdsFor((declared, answer) => {
      const again = withDeclaredValues(
        pipeFields,
        declared,
        withoutDeclaredValues(pipeFields, declared, answer),
      );
      const lost = readable.filter((field) => {
        const before = valueAt(answer, field.path);
        const after = valueAt(again, field.path);
        return !sameValue(field, before, after) && !isNotReturned(field, before);
      });
      expect(lost.map(({ displayPath: text }) => text)).toEqual([]);
      expect([again["id"], again["novelty"]]).toEqual([answer["id"], answer["novelty"]]);
    }));

  test("the stored part repeats no declared value", () =>
    holdsFor((declared, answer) => {
      const beyond = withoutDeclaredValues(pipeFields, declared, answer);
      const repeated = readable.filter(({ path }) => {
        const value = valueAt(beyond, path);
        return value !== undefined && JSON.stringify(value) === JSON.stringify(valueAt(declared, path));
      });
      expect(repeated.map(({ displayPath: text }) => text)).toEqual([]);
    }));

  test("the stored part of a restored answer is the same", () =>
    holdsFor((declared, answer) => {
      const once = withoutDeclaredValues(pipeFields, declared, answer);
      expect(
        withoutDeclaredValues(pipeFields, declared, withDeclaredValues(pipeFields, declared, once)),
      ).toEqual(once);
    }));
});
