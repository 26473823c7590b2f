import { z } from "zod";
import { immutable, providerOnly, updatable, writeOnly } from "../../../provider/src/core/fields";
import { PRIVATE_STATE } from "../../../provider/src/core/private-state";
import type { PropertyMap } from "../../../provider/src/core/property-value";
import { preview } from "../../../testkit/preview";
import { testLifecycle } from "./test-lifecycle";

/** What a preview logs of a resource in the stack. */
function linesOf(outputs: PropertyMap, news: PropertyMap, id = "1"): string[] {
  const { lifecycle, lines } = testLifecycle({
    schema: z.strictObject({
      serviceId: immutable(z.string().optional()),
      name: updatable(z.string().optional()),
      size: updatable(z.int().optional()),
      shelf: updatable(z.strictObject({ size: z.int().optional() }).optional()),
      pin: writeOnly(updatable(z.int().optional())),
      floor: immutable(z.int().optional()),
      adopt: providerOnly(z.string().optional()),
    }),
  });
  expect(preview(lifecycle, { id, outputs: { serviceId: "s", ...outputs } }, news).failures).toEqual([]);
  return lines;
}

test("a preview logs nothing of a change that the engine shows", () => {
  expect(linesOf({ name: "a", size: 1 }, { name: "b", size: 2 })).toEqual([]);
});

describe("of another value than the declared one, which the service returns, a preview", () => {
  test.each<[what: string, declared: PropertyMap, observed: PropertyMap]>([
    ["a number that the API should never return", { pin: 1 }, { pin: 2 }],
    ["a number that only a replacement changes", { floor: 1 }, { floor: 2 }],
    ["a number in place of a text", { name: "1" }, { name: 2 }],
    ["a text in place of a number", { size: 1 }, { size: "small" }],
  ])("does not warn if it is %s", (_, declared, observed) => {
    expect(linesOf({ ...declared, observed }, declared)).toEqual([]);
  });

  test("warns if it is a number inside an object", () => {
    const shelf = { size: 1 };
    expect(linesOf({ shelf, observed: { shelf: { size: 2 } } }, { shelf })).toEqual([
      "warning: Thing 1: shelf.size is declared as 1, but the API returns 2: the service has ignored the declared value.",
    ]);
  });
});

describe("of an adoption that comes too late, because the resource is in the stack, a preview", () => {
  test.each<[what: string, id: string, outputs: PropertyMap, adopt: string | undefined]>([
    ["nothing is adopted", "id", {}, undefined],
    ["it is the same id, in any spelling", "ID", {}, "id"],
    [
      "the resource was adopted by this id",
      "1",
      { adopt: "a", [PRIVATE_STATE]: { key: "k", adopt: "a" } },
      "A",
    ],
    ["a state without a key has the id in its inputs", "1", { adopt: "a" }, "a"],
  ])("does not warn if %s", (_, id, outputs, adopt) => {
    expect(linesOf(outputs, { adopt }, id)).toEqual([]);
  });

  test.each<[what: string, outputs: PropertyMap]>([
    ["was created", { [PRIVATE_STATE]: { key: "k" } }],
    ["has adopted another id", { adopt: "a", [PRIVATE_STATE]: { key: "k", adopt: "a" } }],
    ["got this warning before", { adopt: "b", [PRIVATE_STATE]: { key: "k", adopt: "a" } }],
    ["has a state without a key, and another id in its inputs", { adopt: "a" }],
  ])("warns if the resource %s", (_, outputs) => {
    expect(linesOf(outputs, { adopt: "b" })).toEqual([
      "warning: Thing 1 is in the stack already, so adopt does not take over b. To manage that one instead, run " +
        "`pulumi state delete <URN of the resource>`, which leaves 1 unmanaged, then `pulumi up`.",
    ]);
  });
});
