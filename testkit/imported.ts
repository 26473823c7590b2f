import { snakeCase, type JsonObject } from "./pipes";
import type { SeedPipe } from "./simulator";

/** A pipe as the API stores it. */
export function seed(name: string, { settings = {}, ...pipe }: JsonObject): SeedPipe {
  const stored = Object.entries(settings as JsonObject).map(([key, value]) => [snakeCase(key), value]);
  return { ...pipe, name, settings: Object.fromEntries(stored) as object } as unknown as SeedPipe;
}
