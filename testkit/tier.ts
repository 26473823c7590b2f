/** How much a run of the tests proves: without the engine; each promise once; every row, in both forms, with every process started anew. */
export type Tier = "quick" | "test" | "all";

export const tier: Tier = (globalThis as { tier?: Tier }).tier ?? "test";
