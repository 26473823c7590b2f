import { escaped } from "../../messages/printable";

/** The longest value that is shown whole, in characters. */
const MAX_VALUE = 160;
/** How much of what differs is shown at least, and how much of what is equal before it. */
const MIN_DIFFERENT = 40;
const SHOWN_BEFORE = 40;

/** What ends a line, and what a reader cannot see. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** A text as code in Markdown: a renderer takes neither Markdown nor HTML nor mentions out of it. */
export function code(text: string): string {
  const visible = text.replaceAll(INVISIBLE, escaped);
  const fence = "`".repeat(longestRun(visible) + 1);
  const needsSpace = visible.trim() === "" || /^[` ]|[` ]$/.test(visible);
  return needsSpace ? `${fence} ${visible} ${fence}` : `${fence}${visible}${fence}`;
}

/** A value as text: texts as they are, others as JSON. */
export const shownText = (value: unknown): string =>
  typeof value === "string" && value.trim() !== "" ? value : JSON.stringify(value);

/** A text as code, shortened to the part from `start` on. */
export function excerpt(text: string, start = 0): string {
  if (text.length <= MAX_VALUE) return code(text);
  const end = start + MAX_VALUE;
  const part = `${start > 0 ? "… " : ""}${code(text.slice(start, end))}${end < text.length ? " …" : ""}`;
  return `${part} (${text.length} characters)`;
}

/** Both texts as code. Of long ones, the part that differs is shown: they may begin alike. */
export function changeCode(one: string, other: string): string {
  const isLong = Math.max(one.length, other.length) > MAX_VALUE;
  const difference = firstDifference(one, other);
  const start = isLong && difference > MAX_VALUE - MIN_DIFFERENT ? difference - SHOWN_BEFORE : 0;
  return `${excerpt(one, start)} → ${excerpt(other, start)}`;
}

function firstDifference(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index += 1;
  return index;
}

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
