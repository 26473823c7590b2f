import type { Log } from "../provider/src/core/lifecycle";

/** The lines that a user sees, as the plugin process prints them. */
export interface RecordedLines extends Log {
  readonly lines: string[];
}

export function recordLines(): RecordedLines {
  const lines: string[] = [];
  return {
    lines,
    log: (line) => {
      lines.push(line);
    },
    warn: (line) => {
      lines.push(`warning: ${line}`);
    },
  };
}
