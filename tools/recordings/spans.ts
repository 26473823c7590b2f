import type { IBufferCell, Terminal } from "@xterm/headless";

/** What a picture keeps of the look of a text. */
export interface Look {
  /** One of the sixteen colors of a terminal; undefined for the color of ordinary text. */
  readonly color: number | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly underlined: boolean;
}

/** Neighbouring characters of one look. */
export interface Span extends Look {
  readonly text: string;
  /** The column of its first character, counted from 0. */
  readonly column: number;
}

/** The rows of the screen down to the last one with text, each as spans without the spaces at its end. */
export function rowsOf(terminal: Terminal): readonly (readonly Span[])[] {
  const { active } = terminal.buffer;
  const rows: (readonly Span[])[] = [];
  for (let row = 0; row < active.length; row += 1) {
    const line = active.getLine(row);
    const end = line?.translateToString(true).trimEnd().length ?? 0;
    let spans: readonly Span[] = [];
    for (let column = 0; column < end; column += 1) {
      const cell = line?.getCell(column);
      if (cell !== undefined)
        spans = joined(spans, { ...lookOf(cell), text: cell.getChars() || " ", column });
    }
    rows.push(spans);
  }
  return rows.slice(0, rows.findLastIndex((spans) => spans.length > 0) + 1);
}

/** The spans with one more, which extends the last one if it looks the same. */
function joined(spans: readonly Span[], next: Span): readonly Span[] {
  const last = spans.at(-1);
  const isSame = last !== undefined && LOOKS.every((name) => last[name] === next[name]);
  return isSame ? [...spans.slice(0, -1), { ...last, text: last.text + next.text }] : [...spans, next];
}

const LOOKS = ["color", "bold", "dim", "underlined"] as const satisfies readonly (keyof Look)[];

/** A look that a picture could not show is an error: the picture would differ from the terminal. */
function lookOf(cell: IBufferCell): Look {
  const color = cell.isFgDefault() ? undefined : cell.getFgColor();
  if (
    cell.isFgRGB() ||
    (color ?? 0) > 15 ||
    !cell.isBgDefault() ||
    cell.isInverse() !== 0 ||
    cell.getWidth() !== 1
  )
    throw new Error(
      `a picture cannot show ${JSON.stringify(cell.getChars())}: its color is none of the sixteen, or it has a background or double width`,
    );
  return {
    color,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    underlined: cell.isUnderline() !== 0,
  };
}
