import { dynamicProvider } from "../../../provider/src/core/dynamic";
import { Lifecycle, type ProviderContext } from "../../../provider/src/core/lifecycle";
import { testDefinition, type TestOperations } from "./test-resource";

/** The markers of the engine's protocol, written without the SDK. */
export const UNKNOWN_MARKER = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const secretMarker = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});
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
  const lines: string[] = [];
  const configured: TestProvider["configured"] = [];
  const context = {
    configurationProblems: () => [],
    defaults: () => ({}),
    log: (line: string) => {
      lines.push(line);
    },
    ...more,
  };
  const provider = dynamicProvider(new Lifecycle(testDefinition(operations), context), (read) => {
    configured.push(read);
  });
  return { provider, lines, configured };
}

/** The paths of all undefined values: one anywhere would make the engine's serializer fail. */
export function undefinedIn(value: unknown, path = "$"): string[] {
  if (value === undefined) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => undefinedIn(member, `${path}.${name}`));
}

/** What a promise is rejected with. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail.");
}
