import { dynamicProvider } from "../../../provider/src/core/dynamic";
import type { PropertyMap } from "../../../provider/src/core/property-value";
import { Lifecycle, type ProviderContext } from "../../../provider/src/core/lifecycle";
import { testDefinition, type TestOperations } from "./test-resource";
import { recordLines } from "../../../testkit/lines";

export const SOURCE = 'exports.handler = () => require("pulumi-datapipes/runtime").handler("TestResource");';

export interface TestProvider {
  provider: ReturnType<typeof dynamicProvider>;
  lines: string[];
  /** The readers that `configure` got. */
  configured: ((key: string) => string | undefined)[];
}

/** The dynamic provider of the test resource, as the engine calls it. */
export function testProvider(
  operations: Partial<TestOperations> = {},
  more: Partial<ProviderContext> = {},
): TestProvider {
  const { lines, ...output } = recordLines();
  const configured: TestProvider["configured"] = [];
  const context = {
    configurationProblems: () => [],
    defaults: () => ({}),
    ...output,
    ...more,
  };
  const provider = dynamicProvider(new Lifecycle(testDefinition(operations), context), (read) => {
    configured.push(read);
  });
  return { provider, lines, configured };
}

/** A provider whose API answers every create, update and read with this. */
export const answering = (answer: PropertyMap | undefined, more: Partial<ProviderContext> = {}) =>
  testProvider(
    {
      create: () => Promise.resolve({ id: "1", current: answer ?? {} }),
      update: () => Promise.resolve(answer),
      read: () => Promise.resolve(answer),
    },
    more,
  ).provider;

/** What a promise is rejected with. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail.");
}
