/** The states of pipes of comparable services. The API document lists none. */
export const KNOWN_STATES: ReadonlySet<string> = new Set([
  ...[
    "Unknown",
    "Provisioning",
    "Setup",
    "Snapshot",
    "Running",
    "Degraded",
    "Stopping",
    "Stopped",
    "Pausing",
  ],
  ...["Paused", "Modifying", "Resync", "Failed", "Completed", "InternalError"],
]);

/** States that a pipe leaves by itself, soon. */
export const PASSING_STATES: ReadonlySet<string> = new Set([
  ...["Provisioning", "Setup", "Stopping", "Pausing", "Modifying"],
]);

/** The compressions of comparable services. The API document says only that one means automatic detection. */
export const KNOWN_COMPRESSIONS: ReadonlySet<string> = new Set([
  ...["auto", "none", "gzip", "gz", "brotli", "br", "xz", "LZMA", "zstd"],
]);
