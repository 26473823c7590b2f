import { omit, type PropertyMap } from "./property-value";

/**
 * Inputs that the resource class adds, because the engine does not pass these facts to the plugin process. `check`
 * removes all but the key, so they are neither compared nor stored.
 */
export const HIDDEN_INPUTS = {
  /**
   * The key of the resource, see `resourceKey`. It stays in the checked inputs, by which later calls know what they
   * are about.
   */
  key: "__key",
  /** What the program passed to its `Provider`. Only the context reads it. */
  given: "__given",
  /** The stack, as the option `--stack` of the CLI takes it. */
  stack: "__stack",
} as const;

/** Separates the hidden inputs from the others. */
export function readHiddenInputs(properties: PropertyMap) {
  const key = properties[HIDDEN_INPUTS.key];
  const stack = properties[HIDDEN_INPUTS.stack];
  return {
    key: typeof key === "string" ? key : undefined,
    stack: typeof stack === "string" ? stack : undefined,
    given: properties[HIDDEN_INPUTS.given],
    inputs: omit(properties, Object.values(HIDDEN_INPUTS)),
  };
}
