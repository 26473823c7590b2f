import type { WriteStream } from "node:tty";
import { printable } from "../../messages/printable";
import { partsOf } from "../../lifecycle/state/resource-key";
import { grouped } from "../grouped";
import type { Style } from "../output";
import type { ListedStatus } from "./pipes";

interface Line {
  readonly text: string;
  readonly style?: Style | undefined;
}

const HEADER = ["NAME", "ID", "STATE", "SOURCE", "TABLE", "MANAGED BY", "SAME AS"];
const ID_COLUMN = 1;
const LEAST_WIDTH = 100;
const GAP = "  ";

/** The width of a table, in columns: that of the terminal; infinite elsewhere. */
export const widthOf = ({ isTTY, columns }: Pick<WriteStream, "isTTY" | "columns">): number =>
  isTTY ? Math.max(LEAST_WIDTH, columns) : Infinity;

/** The status as people read it, with a table for each service, and the style of each line. */
export function tableOf(pipes: readonly ListedStatus[], failOn: readonly string[], width: number) {
  const services = [...grouped(pipes, ({ serviceId }) => serviceId)];
  const lines = services.flatMap(([service, own]): readonly Line[] => [
    ...(services.length > 1 ? [{ text: `Service ${printable(service)}` }] : []),
    ...linesOf(own, failOn, width),
  ]);
  const shown = lines.length === 0 ? [{ text: "There are no pipes." }] : lines;
  return {
    text: `${shown.map(({ text }) => text).join("\n")}\n`,
    styles: shown.map(({ style }) => style),
  };
}

function linesOf(pipes: readonly ListedStatus[], failOn: readonly string[], width: number): readonly Line[] {
  const hasDuplicates = pipes.some(({ duplicates }) => duplicates.length > 0);
  const rows = [HEADER, ...pipes.map((pipe) => cellsOf(pipe, pipes))];
  const texts = aligned(hasDuplicates ? rows : rows.map((row) => row.slice(0, -1)), width);
  const styles = ["bold" as const, ...pipes.map((pipe) => styleOf(pipe, failOn))];
  return texts.map((text, index) => ({ text, style: styles[index] }));
}

function cellsOf(pipe: ListedStatus, pipes: readonly ListedStatus[]): readonly string[] {
  const { name, id, state, kind, table, resource, duplicates } = pipe;
  const same = pipes.filter((other) => duplicates.includes(other.id)).map((other) => other.name);
  const manager = resource === undefined ? "no resource" : partsOf(resource).name;
  return [name, id, state, kind, table, manager, same.join(", ")].map(printable);
}

/** The rows as lines of equal columns. Where these are too wide, the widest ones are cut: JSON has all. */
function aligned(rows: readonly (readonly string[])[], maxWidth: number): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  let excess = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - maxWidth;
  for (; excess > 0; excess -= 1) {
    const others = widths.map((width, column) => (column === ID_COLUMN ? 0 : width));
    const widest = others.indexOf(Math.max(...others));
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

function styleOf({ state, resource, duplicates }: ListedStatus, failOn: readonly string[]): Style {
  if (failOn.includes(state.toLowerCase())) return "red";
  return resource === undefined || duplicates.length > 0 ? "yellow" : undefined;
}
