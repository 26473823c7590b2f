import { creationBody, type JsonObject } from "./pipes";
import type { SeedPipe } from "./simulator";

export const seed = (name: string, args: JsonObject): SeedPipe => creationBody(name, args);
