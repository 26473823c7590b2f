/** The versions that a combination has, as npm understands them. */
export interface Combination {
  readonly node: string;
  readonly sdk: string;
  /** The SDK says which versions it takes. */
  readonly typescript: string;
}

/** What `npm run lanes` runs: the oldest and the newest of what people use. */
export const COMBINATIONS = {
  "node-20-oldest-sdk": { node: "20", sdk: "3.216.0", typescript: "~5.9.3" },
  "node-20": { node: "20", sdk: "3.248.0", typescript: "~6.0.3" },
  "node-22": { node: "22", sdk: "latest", typescript: "~6.0.3" },
  "node-24": { node: "24", sdk: "latest", typescript: "~6.0.3" },
} as const satisfies Record<string, Combination>;

export type CombinationName = keyof typeof COMBINATIONS;
export const COMBINATION_NAMES = Object.keys(COMBINATIONS) as CombinationName[];

export interface CombinationResult {
  readonly combination: string;
  readonly node: string;
  readonly sdk: string;
  readonly typescript: string;
  readonly cli: string;
  readonly platform: string;
  /** The day of the run, as in 2026-01-31. */
  readonly date: string;
  /** The checks that passed, in their order. */
  readonly passed: readonly string[];
  /** The check that failed. */
  readonly failed?: string;
}
