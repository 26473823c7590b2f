import MarkdownIt from "markdown-it";
import type { Span } from "./spans";

const { utils } = new MarkdownIt();

/** A text inside an element of XML. XML reserves no other characters there than HTML. */
const escapedXml = (text: string): string => utils.escapeHtml(text);

const FONT_SIZE = 14;
const LINE_HEIGHT = 19;
/** The width of a character of nearly all monospaced fonts. */
const CHARACTER_WIDTH = FONT_SIZE * 0.6021;
const MARGIN = 16;

interface Theme {
  readonly background: string;
  readonly border: string;
  readonly text: string;
  /** Text in bright black, which is grey. */
  readonly muted: string;
  /** Red, green, yellow, blue, magenta, cyan; bright ones are the same. */
  readonly colors: readonly string[];
}

/** All colors have a contrast with the background of at least 4.5, as WCAG asks for. */
export const THEMES: Readonly<Record<"light" | "dark", Theme>> = {
  light: {
    background: "#ffffff",
    border: "#d0d7de",
    text: "#1f2328",
    muted: "#57606a",
    colors: ["#b3202c", "#116329", "#7d4e00", "#0550ae", "#7c2fb8", "#1b6b72"],
  },
  dark: {
    background: "#0d1117",
    border: "#30363d",
    text: "#e6edf3",
    muted: "#8b949e",
    colors: ["#ff7b72", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd"],
  },
};

const colorOf = ({ text, muted, colors }: Theme, color: number): string =>
  color === 8 ? muted : (colors[(color % 8) - 1] ?? text);

const rulesOf = (theme: Theme, used: readonly number[]): string =>
  [
    `rect { fill: ${theme.background}; stroke: ${theme.border}; }`,
    `text { fill: ${theme.text}; }`,
    ...used.map((color) => `.c${color} { fill: ${colorOf(theme, color)}; }`),
  ].join("\n");

/** The styles are in the picture: GitHub shows it as an image, which loads nothing else. */
const styleOf = (used: readonly number[]): string => `
text { font: ${FONT_SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; }
.bold { font-weight: 600; }
.dim { opacity: 0.8; }
.underlined { text-decoration: underline; }
${rulesOf(THEMES.light, used)}
@media (prefers-color-scheme: dark) {
${rulesOf(THEMES.dark, used)}
}
`;

/** The rows of a terminal as an SVG, which follows the reader's choice of light or dark. */
export function pictureOf(title: string, rows: readonly (readonly Span[])[], columns: number): string {
  const width = Math.ceil(columns * CHARACTER_WIDTH) + 2 * MARGIN;
  const height = rows.length * LINE_HEIGHT + 2 * MARGIN;
  const used = [...new Set(rows.flat().flatMap(({ color }) => color ?? []))].sort((a, b) => a - b);
  const text = rows.map(textOf).join("\n");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title" aria-describedby="text">`,
    `<title id="title">${escapedXml(title)}</title>`,
    `<desc id="text">${escapedXml(text)}</desc>`,
    `<style>${styleOf(used)}</style>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    ...rows.flatMap((spans, index) =>
      spans.length === 0 ? [] : [lineOf(spans, MARGIN + (index + 0.75) * LINE_HEIGHT)],
    ),
    "</svg>\n",
  ].join("\n");
}

/** The text of a row of a terminal. */
export const textOf = (spans: readonly Span[]): string => spans.map(({ text }) => text).join("");

/** Each span has its own place, so that columns are even in a font with wider or narrower characters. */
const lineOf = (spans: readonly Span[], y: number): string =>
  `<text y="${y}" xml:space="preserve">${spans
    .filter(({ text }) => text.trim() !== "")
    .map(spanOf)
    .join("")}</text>`;

function spanOf({ text, column, color, bold, dim, underlined }: Span): string {
  const classes = [
    ...(color === undefined ? [] : [`c${color}`]),
    ...(bold ? ["bold"] : []),
    ...(dim ? ["dim"] : []),
    ...(underlined ? ["underlined"] : []),
  ];
  const start = column + text.length - text.trimStart().length;
  const look = classes.length === 0 ? "" : ` class="${classes.join(" ")}"`;
  return `<tspan x="${(MARGIN + start * CHARACTER_WIDTH).toFixed(1)}"${look}>${escapedXml(text.trim())}</tspan>`;
}
