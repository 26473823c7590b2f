import type { Outcome, Row } from "./row";
import type { Counts } from "./scene";

const VERBS: Readonly<Record<string, string>> = {
  createPipe: "POST",
  createReversePrivateEndpoint: "POST",
  updatePipe: "PATCH",
  updateService: "PATCH",
  listPipes: "list",
  getPipeSettings: "settings read",
};

/** The longest message that a cell repeats, in characters. */
const MAX_MESSAGE = 230;

const times = (count: number): string => ["never", "once", "twice"][count] ?? `${count} times`;

const sent = (counts: Counts): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([operation, count]) => `${VERBS[operation] ?? operation} ${times(count)}`)
    .join(", ") || "nothing sent";

const THINGS = { pipe: "pipe", endpoint: "endpoint", settings: "service" } as const;

/** What exists and what the state says of it. */
function there({ act }: Row, { existing, stored }: Outcome): string {
  const thing = THINGS[act.resource ?? "pipe"];
  const count =
    existing.length === 0
      ? `no ${thing}`
      : existing.length === 1
        ? `one ${thing}`
        : `${existing.length} ${thing}s`;
  if (stored === undefined) return `${count}, none in state`;
  return existing.includes(stored) ? `${count}, id in state` : `${count}, another id in state`;
}

/** What the run that met the fault did. */
export const happened = (row: Row): string =>
  `${row.during.failure === undefined ? "ended well" : "failed"}: ${sent(row.during.counts)}; ${there(row, row.during)}`;

/** The error, or else what the user was told on the way. */
export function seen({ during: { failure, told } }: Row): string {
  if (failure !== undefined) return `error: ${shortened(failure)}`;
  const [first, ...others] = told;
  if (first === undefined) return "nothing but success";
  return shortened(first) + (others.length === 0 ? "" : ` (and ${others.length} more)`);
}

/** What the next run did. */
export function next(row: Row): string {
  const { after } = row;
  const warned = after.told.some((line) => line.startsWith("warning: "))
    ? "; warned of the other id, with adopt"
    : "";
  return `${after.failure === undefined ? "" : "failed: "}${sent(after.counts)}; ${there(row, after)}${warned}`;
}

/** A message without what is the same in every row: ids, paths, what the server repeated. */
export function shortened(message: string): string {
  const short = message
    .replace(/^.*?(?: failed)?: (?=[A-Z]+ \/v1)/, "")
    .replace(/ ?\(request [0-9a-f-]+\)/, "")
    .replace(/(\/v1\/organizations\/[0-9a-f-]+\/services\/)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
    .replace(/\{.*\}( Basic \S+)?/, "{…}")
    .replaceAll("\n", " ");
  return short.length > MAX_MESSAGE ? `${short.slice(0, MAX_MESSAGE)}…` : short;
}
