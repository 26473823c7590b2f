import { escaped } from "../../messages/quoted";

/** What ends a line, and what a reader cannot see. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** A text as code in Markdown: a renderer takes neither Markdown nor HTML nor mentions out of it. */
export function code(text: string): string {
  const visible = text.replaceAll(INVISIBLE, escaped);
  const fence = "`".repeat(longestRun(visible) + 1);
  const needsSpace = visible.trim() === "" || /^[` ]|[` ]$/.test(visible);
  return needsSpace ? `${fence} ${visible} ${fence}` : `${fence}${visible}${fence}`;
}

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));

export const bold = (text: string): string => `**${text}**`;

/** A part of a summary under a heading. Each item is a line, or several. */
export interface Section {
  readonly heading: string;
  readonly items: readonly string[];
}

/** The head and as many items as fit into a length, from the first section on. Services refuse a comment that is too long. */
export function fitted(head: string, sections: readonly Section[], maxLength: number): string {
  const count = sections.reduce((sum, { items }) => sum + items.length, 0);
  let text = head;
  let shown = 0;
  for (const { heading, items } of sections)
    for (const [index, item] of items.entries()) {
      const next = index === 0 ? `${text}\n\n#### ${heading}\n\n${item}` : `${text}\n${item}`;
      if (next.length + omitted(count).length > maxLength) return `${text}${omitted(count - shown)}`;
      text = next;
      shown += 1;
    }
  return `${text}\n`;
}

const omitted = (count: number): string =>
  `\n\n… and ${count} more, too long for a comment: see the log of the job.\n`;
