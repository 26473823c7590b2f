/** The versions that a lane has, as npm understands them. */
export interface Lane {
  readonly node: string;
  readonly sdk: string;
  /** The SDK says which versions it takes. */
  readonly typescript: string;
}

/** What `npm run lanes` runs: the oldest and the newest of what people use. */
export const LANES = {
  "node-20-oldest-sdk": { node: "20", sdk: "3.216.0", typescript: "~5.9.3" },
  "node-20": { node: "20", sdk: "3.248.0", typescript: "~6.0.3" },
  "node-22": { node: "22", sdk: "latest", typescript: "~6.0.3" },
  "node-24": { node: "24", sdk: "latest", typescript: "~6.0.3" },
} as const satisfies Record<string, Lane>;

export type LaneName = keyof typeof LANES;
export const LANE_NAMES = Object.keys(LANES) as LaneName[];

/** What a lane did. */
export interface LaneResult {
  readonly lane: string;
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
