import type { VariantName } from "./variant";

/** The titles of the variants in tables and charts. */
export const TITLES: Readonly<Record<VariantName, string>> = {
  floor: "floor",
  stateful: "stateful floor",
  ours: "this package",
  usual: "usual provider",
};
