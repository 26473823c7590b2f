import { counted } from "../../messages/enumerated";
import { printable } from "../../messages/printable";
import { partsOf } from "../../pulumi/resource-urn";
import { styledLines, type Style } from "../style";
import type { ListedStatus } from "./pipes";

/** A line of the text, and how a terminal shows it. */
interface Line {
  readonly text: string;
  readonly style?: Style | undefined;
}

const NOBODY = "nobody";
const ID_COLUMN = 1;
const MAX_WIDTH = 100;
const GAP = "  ";

/** The status as people read it, and the same with colours. */
export function tableOf(
  pipes: readonly ListedStatus[],
  failOn: readonly string[],
): { readonly text: string; readonly styled: (text: string) => string } {
  const services = [...new Set(pipes.map(({ serviceId }) => serviceId))];
  const tables = services.flatMap((service): readonly Line[] => [
    ...(services.length > 1 ? [{ text: `Service ${printable(service)}` }] : []),
    ...linesOf(
      pipes.filter(({ serviceId }) => serviceId === service),
      failOn,
    ),
    { text: "" },
  ]);
  const lines =
    pipes.length === 0 ? [{ text: "There are no pipes." }] : [...tables, { text: countsOf(pipes, failOn) }];
  const styled = styledLines(lines.map(({ style }) => style));
  return { text: `${lines.map(({ text }) => text).join("\n")}\n`, styled };
}

function linesOf(pipes: readonly ListedStatus[], failOn: readonly string[]): readonly Line[] {
  const hasDuplicates = pipes.some(({ duplicates }) => duplicates.length > 0);
  const header = [
    "NAME",
    "ID",
    "STATE",
    "SOURCE",
    "TABLE",
    "MANAGED BY",
    ...(hasDuplicates ? ["SAME AS"] : []),
  ];
  const rows = pipes.map((pipe) => cellsOf(pipe, pipes).slice(0, header.length));
  const [first = "", ...others] = aligned([header, ...rows]);
  return [
    { text: first, style: "bold" },
    ...others.map((text, index) => ({ text, style: styleOf(pipes[index], failOn) })),
  ];
}

function cellsOf(pipe: ListedStatus, pipes: readonly ListedStatus[]): readonly string[] {
  const { name, id, state, kind, table, resource, duplicates } = pipe;
  const same = pipes.filter((other) => duplicates.includes(other.id)).map((other) => other.name);
  const manager = resource === undefined ? NOBODY : partsOf(resource).name;
  return [name, id, state, kind, table, manager, same.join(", ")].map(printable);
}

/** The rows as lines of equal columns. Where these are too wide, the widest ones are cut: JSON has all. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const others = (): readonly number[] => widths.map((width, column) => (column === ID_COLUMN ? 0 : width));
  const total = (): number => widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  while (total() > MAX_WIDTH && Math.max(...others()) > 1) {
    const widest = others().indexOf(Math.max(...others()));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const cell = (text: string, width: number): string =>
    (text.length > width ? `${text.slice(0, width - 1)}…` : text).padEnd(width);
  return rows.map((row) =>
    row
      .map((text, column) => cell(text, widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** Whether a state is one of those that the user named, in any case. */
export const isOneOf = (state: string, states: readonly string[]): boolean =>
  states.some((wanted) => wanted.toLowerCase() === state.toLowerCase());

function styleOf(pipe: ListedStatus | undefined, failOn: readonly string[]): Style | undefined {
  if (pipe === undefined) return undefined;
  if (isOneOf(pipe.state, failOn)) return "red";
  return pipe.resource === undefined || pipe.duplicates.length > 0 ? "yellow" : undefined;
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
