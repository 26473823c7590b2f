import { Lifecycle } from "../../../provider/src/core/lifecycle";
import type { GivenSettings } from "../../../provider/src/config";
import { uncalledOperations, testDefinition } from "./test-resource";
import { recordLines } from "../../../testkit/lines";

const given: GivenSettings = { provider: "eu", names: ["baseUrl"] };

test.each<[what: string, input: unknown, expected: GivenSettings | undefined]>([
  ["what the program gave its Provider", given, given],
  ["nothing where there is none", undefined, undefined],
  ["nothing where it is something else", { provider: 1, names: ["baseUrl"] }, undefined],
])("check hands the configuration %s, and does not store it", (_, input, expected) => {
  const received: (GivenSettings | undefined)[] = [];
  const lifecycle = new Lifecycle(testDefinition(uncalledOperations), {
    configurationProblems: (_inputs, from) => {
      received.push(from);
      return [];
    },
    defaults: () => ({}),
    ...recordLines(),
  });
  const hints = { __key: "resource", ...(input !== undefined && { __given: input as never }) };
  expect(lifecycle.check(undefined, { name: "a", ...hints })).toMatchObject({
    inputs: { name: "a" },
    failures: [],
  });
  expect(lifecycle.check(undefined, { name: "a", ...hints }).inputs).not.toHaveProperty("__given");
  expect(received).toEqual([expected, expected]);
});
