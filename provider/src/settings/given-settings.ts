/** The settings that are arguments of a `Provider` in the program. */
export interface GivenSettings {
  /** The logical name of the `Provider`. */
  readonly provider: string;
  readonly names: readonly string[];
}

/** Reads what the class of a resource has sent as these settings; undefined if it has sent none. */
export function givenSettings(value: unknown): GivenSettings | undefined {
  const { provider, names } = Object(value) as { readonly provider?: unknown; readonly names?: unknown };
  return typeof provider === "string" && Array.isArray(names)
    ? { provider, names: names.filter((name) => typeof name === "string") }
    : undefined;
}
