import { isList, isMap, type PropertyValue } from "../../core/property-value";

/** The member that marks an object of the state as the form of a secret. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Whether the engine marks a value as secret. */
export const isMarkedSecret = (value: PropertyValue): boolean => isMap(value) && SIGNATURE in value;
