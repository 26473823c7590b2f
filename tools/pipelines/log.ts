/** What of the log of a job is the same in every run: the pauses after a refusal are partly random. */
export const stableLog = (log: string): string =>
  inOrder(withoutProgress(log))
    .replaceAll(/retrying in \d+ s \(/g, "retrying (")
    .replaceAll(/^ *waiting \d+ s before the next request .*\n/gm, "");

/** The log of `pulumi up` from the end of its preview, without the lines whose order depends on the machine. */
const withoutProgress = (log: string): string =>
  log.replace(/^Previewing update[^]*?^(Updating .*:)\n[^]*?^(?=Diagnostics:|Resources:)/m, "$1\n\n");

/** The diagnostics in the order of their resources, and the errors of each before its messages. */
const inOrder = (log: string): string =>
  log.replace(/(?<=^Diagnostics:\n)[^]*?(?=^Resources:)/m, (diagnostics) =>
    diagnostics
      .split(/^(?= {2}\S)/m)
      .map(sorted)
      .sort()
      .join(""),
  );

function sorted(diagnostics: string): string {
  const [resource = "", ...lines] = diagnostics.split("\n").filter((line) => line.trim() !== "");
  const isError = (line: string): boolean => line.startsWith("    error:");
  const messages = lines.filter((line) => !isError(line)).toSorted();
  return `${[resource, ...lines.filter(isError), ...messages].join("\n")}\n\n`;
}
