/** A cell's text where it must not be taken for a column or a tag. Code is left as it is, but for the bars. */
export const plain = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "\\<")))
    .join("")
    .replaceAll("|", "\\|");

/** A text as code in a cell. */
export const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

/** A table; the formatter aligns its columns. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "-"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Paragraphs, headings and tables as one text. */
export const page = (...blocks: readonly string[]): string => `${blocks.join("\n\n")}\n`;

/** In Markdown or in TypeScript. */
const GENERATED = /((?:<!--|\/\/) generated: (\S+)(?: -->)?)\n[^]*?( *(?:<!--|\/\/) end of generated)/g;

/** A text whose blocks between marks are replaced. */
export function refilled(text: string, blocks: ReadonlyMap<string, string>): string {
  return text.replace(GENERATED, (_, begin: string, name: string, end: string) => {
    const block = blocks.get(name);
    if (block === undefined) {
      throw new Error(`no block is named ${name}; there are ${[...blocks.keys()].join(", ")}`);
    }
    return `${begin}\n\n${block}\n\n${end}`;
  });
}
