import type { Log } from "../provider/src/core/lifecycle";

/** Collects the lines that a user sees, as the plugin process prints them. */
export function recordLines(): Log & { readonly lines: string[] } {
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
