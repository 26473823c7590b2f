/** The longest value that is shown whole, in characters. */
const MAX_VALUE = 160;

/** What ends a line, and what a reader cannot see. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** A text as code in Markdown: a renderer takes neither Markdown nor HTML nor mentions out of it. */
export function code(text: string): string {
  const visible = text.replaceAll(INVISIBLE, escaped);
  const fence = "`".repeat(longestRun(visible) + 1);
  const needsSpace = visible.trim() === "" || /^[` ]|[` ]$/.test(visible);
  return needsSpace ? `${fence} ${visible} ${fence}` : `${fence}${visible}${fence}`;
}

/** A value as code, shortened. */
export function valueCode(value: unknown): string {
  const text = typeof value === "string" && value.trim() !== "" ? value : JSON.stringify(value);
  return text.length > MAX_VALUE
    ? `${code(text.slice(0, MAX_VALUE))} … (${text.length} characters)`
    : code(text);
}

const escaped = (character: string): string =>
  [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("");

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
