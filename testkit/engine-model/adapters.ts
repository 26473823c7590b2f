import { startDynamic } from "./dynamic";
import { startNative } from "./native";

/** The plugins of both forms, by the names of the adapters. */
export const ADAPTERS = { dynamic: startDynamic, native: startNative };
