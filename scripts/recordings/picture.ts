import MarkdownIt from "markdown-it";

const FONT_SIZE = 14;
const LINE_HEIGHT = 19;
/** The width of a character of nearly all monospaced fonts. */
const CHARACTER_WIDTH = FONT_SIZE * 0.6021;
const MARGIN = 16;

/** For each color that Pulumi's CLI uses, one on white and one on black, with a contrast of at least 4.5 (WCAG). */
const COLORS: Readonly<Record<string, { readonly light: string; readonly dark: string }>> = {
  "1": { light: "#b3202c", dark: "#ff7b72" },
  "2": { light: "#116329", dark: "#56d364" },
  "3": { light: "#7d4e00", dark: "#e3b341" },
  "13": { light: "#7c2fb8", dark: "#d2a8ff" },
};

const colorRules = (theme: "light" | "dark"): string =>
  Object.entries(COLORS)
    .map(([color, themes]) => `.c${color} { fill: ${themes[theme]}; }`)
    .join("\n");

/** The styles are in the picture: GitHub shows it as an image, which loads nothing else. */
const STYLE = `
text { font: ${FONT_SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; }
.bold { font-weight: 600; }
rect { fill: #ffffff; stroke: #d0d7de; }
text { fill: #1f2328; }
${colorRules("light")}
@media (prefers-color-scheme: dark) {
rect { fill: #0d1117; stroke: #30363d; }
text { fill: #e6edf3; }
${colorRules("dark")}
}
`;

/** A code that sets colors or bold text: "Select Graphic Rendition" of ECMA-48. */
const SGR = /\u001B\[([\d;]*)m/;

/** The output of a command with SGR codes as an SVG, which follows the reader's choice of light or dark. */
export function pictureOf(title: string, output: string): string {
  const lines = output.split("\n").map(spansOf);
  const columns = Math.max(...lines.map((spans) => spans.map(({ text }) => text).join("").length));
  const width = Math.ceil(columns * CHARACTER_WIDTH) + 2 * MARGIN;
  const height = lines.length * LINE_HEIGHT + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    ...lines.map(lineOf),
    "</svg>\n",
  ].join("\n");
}

/** Neighboring characters of one look. */
interface Span {
  readonly text: string;
  readonly classes: readonly string[];
}

/** The CLI resets the look at the end of each line. */
function spansOf(line: string): readonly Span[] {
  const spans: Span[] = [];
  let classes: readonly string[] = [];
  // Texts, and between them the numbers of the codes.
  for (const [index, part] of line.split(SGR).entries()) {
    if (index % 2 === 1) classes = classesAfter(classes, part);
    else if (part !== "") spans.push({ text: part, classes });
  }
  return spans;
}

function classesAfter(classes: readonly string[], code: string): readonly string[] {
  if (code === "0" || code === "") return [];
  if (code === "1") return [...classes, "bold"];
  const color = /^38;5;(\d+)$/.exec(code)?.[1] ?? "";
  if (!(color in COLORS)) throw new Error(`a picture cannot show the SGR code ${code}`);
  return [...classes.filter((each) => each === "bold"), `c${color}`];
}

const lineOf = (spans: readonly Span[], index: number): string =>
  `<text x="${MARGIN}" y="${MARGIN + (index + 0.75) * LINE_HEIGHT}" xml:space="preserve">${spans
    .map(spanOf)
    .join("")}</text>`;

const spanOf = ({ text, classes }: Span): string =>
  classes.length === 0 ? escaped(text) : `<tspan class="${classes.join(" ")}">${escaped(text)}</tspan>`;

/** XML reserves no other characters in an element than HTML. */
const escaped = (text: string): string => new MarkdownIt().utils.escapeHtml(text);
