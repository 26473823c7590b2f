/** A cell's text where it must not be taken for a column or a tag. Code is left as it is, but for the bars. */
export const plain = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "\\<")))
    .join("")
    .replaceAll("|", "\\|");

/** A text as code in a cell. */
export const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

/** A table with aligned columns, as the formatter of this repository writes it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[], fill = " "): string =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width, fill)).join(" | ")} |`;
  return [line(head), line([], "-"), ...rows.map((row) => line(row))].join("\n");
}

/** Paragraphs, headings and tables as one text. */
export const page = (...blocks: readonly string[]): string => `${blocks.join("\n\n")}\n`;

/** In Markdown or in TypeScript. */
const GENERATED = /((?:<!--|\/\/) generated: (\S+)(?: -->)?)\n[^]*?( *(?:<!--|\/\/) end of generated)/g;

/** A text whose blocks between marks are replaced. The groups of `marks` are the first mark, the name in it, and the last mark. */
export function refilled(text: string, blocks: ReadonlyMap<string, string>, marks = GENERATED): string {
  return text.replace(marks, (_, begin: string, name: string, end: string) => {
    const block = blocks.get(name);
    if (block === undefined) {
      throw new Error(`no block is named ${name}; there are ${[...blocks.keys()].join(", ")}`);
    }
    return `${begin}\n\n${block}\n\n${end}`;
  });
}
