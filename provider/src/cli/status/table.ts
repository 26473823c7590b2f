import { counted } from "../../messages/enumerated";
import { printable } from "../../messages/printable";
import { partsOf } from "../../pulumi/resource-urn";
import { styledLines, type Style } from "../style";
import type { ListedStatus, Status } from "./pipes";

/** A line of the text, and how a terminal shows it. */
interface Line {
  readonly text: string;
  readonly style?: Style;
}

const NOBODY = "nobody";
/** Longer cells are cut: JSON has all. */
const MAX_WIDTH = 40;

/** The status as people read it, and the same with colours. */
export function tableOf(
  { pipes, backups }: Status,
  failOn: readonly string[],
  now: Date,
): { readonly text: string; readonly styled: (text: string) => string } {
  const hasServices = new Set(pipes.map(({ serviceId }) => serviceId)).size > 1;
  const rows = pipes.map((pipe) => cellsOf(pipe, pipes, hasServices));
  const header = [
    "NAME",
    "STATE",
    "SOURCE",
    "TABLE",
    "MANAGED BY",
    "LOADS THE SAME AS",
    ...(hasServices ? ["SERVICE"] : []),
  ];
  const [first = "", ...others] = pipes.length === 0 ? ["There are no pipes."] : aligned([header, ...rows]);
  const lines: readonly Line[] = [
    { text: first, style: "bold" },
    ...others.map((text, index) => ({ text, ...styleOf(pipes[index], failOn) })),
    { text: "" },
    { text: countsOf(pipes, failOn) },
    ...backups.map(({ serviceId, newest }) => ({
      text: `Newest backup of service ${printable(serviceId)}: ${newest === undefined ? "none" : `${ageOf(newest, now)} (${printable(newest)})`}`,
    })),
  ];
  const styled = styledLines(lines.map(({ style }) => style));
  return { text: `${lines.map(({ text }) => text).join("\n")}\n`, styled };
}

function cellsOf(
  { name, state, kind, table, resource, duplicates, serviceId }: ListedStatus,
  pipes: readonly ListedStatus[],
  hasServices: boolean,
): readonly string[] {
  const namesById = new Map(pipes.map((pipe) => [pipe.id, pipe.name]));
  const isUnique = (other: string): boolean => pipes.filter((pipe) => pipe.name === other).length === 1;
  const same = duplicates.map((id) => {
    const other = namesById.get(id) ?? id;
    return isUnique(other) ? other : id;
  });
  const manager = resource === undefined ? NOBODY : partsOf(resource).name;
  return [name, state, kind, table, manager, same.join(", "), ...(hasServices ? [serviceId] : [])].map(
    printable,
  );
}

/** The rows as lines of equal columns. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const cut = rows.map((row) =>
    row.map((cell) => (cell.length > MAX_WIDTH ? `${cell.slice(0, MAX_WIDTH - 1)}…` : cell)),
  );
  const widths = (cut[0] ?? []).map((_, column) => Math.max(...cut.map((row) => row[column]?.length ?? 0)));
  return cut.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Whether a state is one of those that the user named, in any case. */
export const isOneOf = (state: string, states: readonly string[]): boolean =>
  states.some((wanted) => wanted.toLowerCase() === state.toLowerCase());

function styleOf(pipe: ListedStatus | undefined, failOn: readonly string[]): { readonly style?: Style } {
  if (pipe === undefined) return {};
  if (isOneOf(pipe.state, failOn)) return { style: "red" };
  return pipe.resource === undefined || pipe.duplicates.length > 0 ? { style: "yellow" } : {};
}

function countsOf(pipes: readonly ListedStatus[], failOn: readonly string[]): string {
  const count = (text: string, isCounted: (pipe: ListedStatus) => boolean): readonly string[] => {
    const { length } = pipes.filter(isCounted);
    return length === 0 ? [] : [`${length} ${text}`];
  };
  return [
    counted(pipes.length, "pipe"),
    ...count(failOn.join(" or "), ({ state }) => isOneOf(state, failOn)),
    ...count(`managed by ${NOBODY}`, ({ resource }) => resource === undefined),
    ...count("loaded twice", ({ duplicates }) => duplicates.length > 0),
  ].join(", ");
}

const HOUR_MS = 3_600_000;

function ageOf(time: string, now: Date): string {
  const hours = Math.floor((now.getTime() - Date.parse(time)) / HOUR_MS);
  if (hours < 1) return "less than an hour ago";
  if (hours < 48) return hours === 1 ? "1 hour ago" : `${hours} hours ago`;
  return `${Math.floor(hours / 24)} days ago`;
}
