import type { Outcome, Row } from "./row";
import type { Counts } from "./scenario";

const VERBS: Readonly<Record<string, string>> = {
  createPipe: "POST",
  createReversePrivateEndpoint: "POST",
  updatePipe: "PATCH",
  updateService: "PATCH",
  listPipes: "list",
  getPipeSettings: "settings read",
};

/** The length at which a cell cuts a message, in characters. */
const MAX_MESSAGE = 230;

const times = (count: number): string => ["never", "once", "twice"][count] ?? `${count} times`;

const sent = (counts: Counts): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([operation, count]) => `${VERBS[operation] ?? operation} ${times(count)}`)
    .join(", ") || "nothing sent";

const THINGS = { pipe: "pipe", endpoint: "endpoint", settings: "service" } as const;

/** What exists, and which id the state has. */
function outcomeOf({ operation }: Row, { existing, stored }: Outcome): string {
  const thing = THINGS[operation.resource ?? "pipe"];
  const count =
    existing.length === 0
      ? `no ${thing}`
      : existing.length === 1
        ? `one ${thing}`
        : `${existing.length} ${thing}s`;
  if (stored === undefined) return `${count}, none in state`;
  return existing.includes(stored) ? `${count}, id in state` : `${count}, another id in state`;
}

/** What the run with the fault did. */
export const happened = (row: Row): string =>
  `${row.during.failure === undefined ? "ended well" : "failed"}: ${sent(row.during.counts)}; ${outcomeOf(row, row.during)}`;

/** The error, or else the first of the other lines. */
export function seen({ during: { failure, lines } }: Row): string {
  if (failure !== undefined) return `error: ${shortened(failure)}`;
  const [first, ...others] = lines;
  if (first === undefined) return "success only";
  return shortened(first) + (others.length === 0 ? "" : ` (and ${others.length} more)`);
}

/** What the next run did. */
export function next(row: Row): string {
  const { after, corrections } = row;
  const [warning] = after.lines.filter((line) => line.startsWith("warning: "));
  const warned =
    warning === undefined
      ? ""
      : warning.endsWith("set adopt to its id.")
        ? "; a warning names the other id and adopt"
        : "; with a warning";
  const corrected = corrections === 0 ? "" : `; then \`pulumi up\` sent PATCH ${times(corrections)}`;
  return `${after.failure === undefined ? "" : "failed: "}${sent(after.counts)}; ${outcomeOf(row, after)}${warned}${corrected}`;
}

/** A message without what differs between runs: ids, paths, and what the server repeated of the request. */
export function shortened(message: string): string {
  const short = message
    .replace(/^.*?(?: failed)?: (?=[A-Z]+ \/v1)/, "")
    .replace(/ ?\(request [0-9a-f-]+\)/, "")
    .replace(/(\/v1\/organizations\/[0-9a-f-]+\/services\/)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
    // What the server repeats of the request, of which the error may show the beginning only.
    .replace(/\{.*\} Basic \S+|\{[^…]*…(?= )|\{.*\}/, "{…}")
    .replaceAll("\n", " ");
  return short.length > MAX_MESSAGE ? `${short.slice(0, MAX_MESSAGE)}…` : short;
}
