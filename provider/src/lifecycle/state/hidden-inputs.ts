import { omit, type PropertyMap } from "../comparison/property-value";

/** Facts that the engine does not pass to the plugin process. `check` removes all but the key. */
export const HIDDEN_INPUTS = {
  /** See `resourceKey`. */
  key: "__key",
  /** The stack, as the option `--stack` of the CLI takes it. */
  stack: "__stack",
  /** Whether the program has declared no other provider instance, which may write in the same run. */
  isAlone: "__isAlone",
} as const;

/** Separates the hidden inputs from the others. */
export function readHiddenInputs(properties: PropertyMap) {
  const key = properties[HIDDEN_INPUTS.key];
  const stack = properties[HIDDEN_INPUTS.stack];
  const isAlone = properties[HIDDEN_INPUTS.isAlone];
  return {
    key: typeof key === "string" ? key : undefined,
    stack: typeof stack === "string" ? stack : undefined,
    isAlone: typeof isAlone === "boolean" ? isAlone : undefined,
    inputs: omit(properties, Object.values(HIDDEN_INPUTS)),
  };
}
