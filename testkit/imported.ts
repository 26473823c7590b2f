import { creationBody, type JsonObject } from "./pipes";
import type { SeedPipe } from "./simulator";

/** A pipe as the API stores it. */
export const seed = (name: string, args: JsonObject): SeedPipe => creationBody(name, args);
