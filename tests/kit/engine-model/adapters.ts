import { startDynamic } from "./dynamic";
import { startNative } from "./native";

export const ADAPTERS = { dynamic: startDynamic, native: startNative };
