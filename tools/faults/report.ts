import { page, plain, table } from "../reference/markdown";
import { breachesOf, REPEATED, rules } from "./rules";
import type { Outcome, Row } from "./run";

/** The requests that the report counts, as it calls them, in its order. */
const REQUESTS: Readonly<Record<string, string>> = {
  createPipe: "POST",
  createReversePrivateEndpoint: "POST",
  updatePipe: "PATCH",
  updateService: "PATCH",
  listPipes: "list",
  getPipeSettings: "settings read",
};

const NOUNS = { pipe: "pipe", endpoint: "endpoint", settings: "service" } as const;

/** The length at which a cell cuts a message, in characters. */
const MAX_MESSAGE = 230;

const times = (count: number): string => ["never", "once", "twice"][count] ?? `${count} times`;

/** What a run sent, what exists after it, and which id the state has. */
function outcomeOf({ operation }: Row, { requests, existing, stored }: Outcome): string {
  const sent = Object.entries(REQUESTS)
    .map(([id, name]) => [name, requests.filter((request) => request === id).length] as const)
    .flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${times(count)}`]));
  const noun = NOUNS[operation.kind];
  const count = [`no ${noun}`, `one ${noun}`][existing.length] ?? `${existing.length} ${noun}s`;
  const id = stored === undefined ? "none" : existing.includes(stored) ? "id" : "another id";
  return `${sent.join(", ") || "nothing sent"}; ${count}, ${id} in state`;
}

/** The error, or else the first of the other lines. */
function seen({ during: { failure, lines } }: Row): string {
  if (failure !== undefined) return `error: ${shortened(failure)}`;
  const [first, ...others] = lines;
  if (first === undefined) return "success only";
  return shortened(first) + (others.length === 0 ? "" : ` (and ${others.length} more)`);
}

function nextRun(row: Row): string {
  const { next, corrections } = row;
  const warning = next.lines.find((line) => line.startsWith("warning: "));
  const warned =
    /set adopt to the id of that one, .*, then delete the new pipe in the service's console\.$/.test(
      warning ?? "",
    )
      ? "a warning names the other id and adopt"
      : "with a warning";
  return [
    `${next.failure === undefined ? "" : "failed: "}${outcomeOf(row, next)}`,
    ...(warning === undefined ? [] : [warned]),
    ...(corrections === 0 ? [] : [`then \`pulumi up\` sent PATCH ${times(corrections)}`]),
  ].join("; ");
}

export function verdict(row: Row): string {
  const broken = breachesOf(row);
  return broken.length === 0 ? "ok" : `broken: ${broken.join("; ")}`;
}

export function cells(row: Row): readonly string[] {
  const ended = row.during.failure === undefined ? "ended well" : "failed";
  return [`${ended}: ${outcomeOf(row, row.during)}`, seen(row), nextRun(row), verdict(row)];
}

/** A message without what differs between runs: ids, paths, and what the server repeated of the request. */
function shortened(message: string): string {
  const short = message
    .replace(/^.*?(?: failed)?: (?=[A-Z]+ \/v1)/, "")
    .replace(/ ?\(request [0-9a-f-]+\)/, "")
    .replace(/(\/v1\/organizations\/[0-9a-f-]+\/services\/)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
    .replace(REPEATED, "{…}")
    .replaceAll("\n", " ");
  return short.length > MAX_MESSAGE ? `${short.slice(0, MAX_MESSAGE)}…` : short;
}

const HEADINGS = ["Fault", "What happened", "What the user saw", "Next run", "Verdict"];

const RULES_HEADING = "## What must hold";

/** The page of these rows, with the introduction of the page that is there: a table for each operation, then for each profile. */
export function faultPage(current: string, rows: readonly Row[]): string {
  const [introduction = ""] = current.split(`\n\n${RULES_HEADING}`);
  const sorted = rows.toSorted((one, other) => one.scenario.number - other.scenario.number);
  const plainRows = sorted.filter(({ scenario }) => scenario.profile === undefined);
  const titles = new Set(rows.map(({ operation }) => operation.title));
  const profiles = new Set(sorted.flatMap(({ scenario }) => scenario.profile ?? []));
  const line = (row: Row) => [row.scenario.name, ...cells(row)].map(plain);
  const byOperation = [...titles].map((title) => {
    const lines = plainRows.filter(({ operation }) => operation.title === title).map(line);
    return `## ${title}\n\n${table(HEADINGS, lines)}`;
  });
  const byProfile = [...profiles].map((profile) => {
    const own = sorted.filter(({ scenario }) => scenario.profile === profile);
    const lines = own.map((row) => [row.operation.title, ...line(row)]);
    return `## With the profile \`${profile}\`\n\n${table(["Operation", ...HEADINGS], lines)}`;
  });
  const says = rules.map(([text]) => `- ${text}`).join("\n");
  return page(introduction, RULES_HEADING, says, ...byOperation, ...byProfile);
}
