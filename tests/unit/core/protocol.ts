import { dynamicProvider } from "../../../provider/src/core/dynamic";
import { Lifecycle, type ProviderContext } from "../../../provider/src/core/lifecycle";
import { shelfDefinition, type Shelf } from "./shelf";

/** The words of the engine's protocol, written down on their own. */
export const UNKNOWN_WORD = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const secretWord = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});
export const SOURCE = 'exports.handler = () => require("pulumi-datapipes/runtime").handler("Shelf");';

export interface Spoken {
  provider: ReturnType<typeof dynamicProvider>;
  lines: string[];
  /** What `configure` was told to read from. */
  configured: ((key: string) => string | undefined)[];
}

/** A shelf as the plugin process of the engine speaks with it. */
export function shelf(operations: Partial<Shelf> = {}, more: Partial<ProviderContext> = {}): Spoken {
  const lines: string[] = [];
  const configured: Spoken["configured"] = [];
  const context = {
    configurationProblems: () => [],
    defaults: () => ({}),
    log: (line: string) => {
      lines.push(line);
    },
    ...more,
  };
  const provider = dynamicProvider(new Lifecycle(shelfDefinition(operations), context), (read) => {
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
