/** The lines that a user sees, as the plugin process prints them. */
export function recordLines() {
  const lines: string[] = [];
  return {
    lines,
    log: (line: string): void => void lines.push(line),
    warn: (line: string): void => void lines.push(`warning: ${line}`),
  };
}
