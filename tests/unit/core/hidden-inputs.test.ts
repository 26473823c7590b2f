import { Lifecycle } from "../../../provider/src/core/lifecycle";
import type { GivenSettings } from "../../../provider/src/settings";
import { uncalledOperations, testDefinition } from "./test-resource";
import { recordLines } from "../../../testkit/lines";

const given: GivenSettings = { provider: "eu", names: ["baseUrl"] };

test.each<[what: string, input: unknown, expected: GivenSettings | undefined]>([
  ["the settings of the Provider", given, given],
  ["nothing without a Provider", undefined, undefined],
  ["nothing for an invalid value", { provider: 1, names: ["baseUrl"] }, undefined],
  ["no names that are not texts", { provider: "eu", names: [1, "baseUrl"] }, given],
])("check passes %s to the configuration, and does not store it", (_, input, expected) => {
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
