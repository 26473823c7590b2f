import { init } from "echarts";
import { asImage, DARK_COLORS } from "../../bench/chart";
import { plain, table } from "../reference/markdown";
import { HEADERS, type CountName, type HeadersName } from "./servers";
import { FIGURES, type Figures } from "./simulation";

/** The figures of one service and number of clients: means of some runs. */
export interface Row extends Figures {
  readonly count: CountName;
  readonly headers: HeadersName;
  readonly clients: number;
}

export const HEADINGS = [
  "counts in",
  "states",
  "clients",
  "time",
  "refusals",
  "unfairness",
  "failed",
  "served",
];

export const cellsOf = (row: Row): string[] => [
  row.count,
  row.headers,
  String(row.clients),
  ...FIGURES.map((figure) => row[figure].toFixed(2)),
];

/** The page, with a table of all rows. */
export const pageOf = (rows: readonly Row[]): string => `# Many clients of one key

Made by \`npm run crowd -- --write\`: clients that know nothing of each other go up at the same time, each with a list and 15 creates, against a service that serves 10 requests in 10
seconds. The limiter and the retries are the provider's, the service and the clock are simulated. Each row is the mean of some runs. What the figures mean for stacks is in
[the guide](guides/limits.md#several-stacks-with-one-key).

- **time**: of the slowest client, as a multiple of the requests that are needed divided by the limit. A single client is below 1, because a service serves the requests of its first window at once.
- **refusals**: with 429, for each served request.
- **unfairness**: the time of the slowest client divided by the mean.
- **failed**: clients that ended because the service had served none of their requests for ten minutes.
- **served**: requests served for each that is needed.

![Refusals for each served request against the number of clients, with a line for each of the headers that the service sends.](crowd.svg)

${table(
  HEADINGS,
  rows.map((row) => cellsOf(row).map(plain)),
)}
`;

const COLORS = ["#cf222e", "#0969da", "#1a7f37", "#8250df"];
const TITLE = "Refusals for each served request, by the number of clients (fixed windows)";
const LESS = { color: "#57606a" };

/** The chart as an SVG that follows the reader's choice of light or dark. */
export function chartOf(all: readonly Row[]): string {
  const rows = all.filter(({ count }) => count === "fixed windows");
  const chart = init(null, null, { renderer: "svg", ssr: true, width: 900, height: 320 });
  chart.setOption({
    animation: false,
    backgroundColor: "#ffffff",
    color: COLORS,
    legend: { bottom: 4, textStyle: LESS },
    title: { text: TITLE, left: 16, top: 8, textStyle: { fontSize: 16, color: "#1f2328" } },
    grid: { left: 48, right: 16, top: 48, bottom: 60 },
    xAxis: {
      type: "category",
      axisLabel: LESS,
      data: [...new Set(rows.map(({ clients }) => String(clients)))],
    },
    yAxis: { type: "value", axisLabel: LESS, splitLine: { lineStyle: { color: "#d8dee4" } } },
    series: (Object.keys(HEADERS) as HeadersName[]).map((name) => ({
      type: "line",
      name,
      silent: true,
      data: rows.filter(({ headers }) => headers === name).map(({ refusals }) => refusals.toFixed(2)),
    })),
  });
  const svg = asImage(chart.renderToSVGString({ useViewBox: true }));
  chart.dispose();
  const rules = Object.entries(DARK_COLORS).flatMap(([light, dark]) =>
    ["fill", "stroke"].map((property) => `[${property}="${light}"]{${property}:${dark}}`),
  );
  const head = `<title id="title">${TITLE}</title><style>@media (prefers-color-scheme:dark){${rules.join("")}}</style>`;
  return `${svg.replace(/^<svg ([^>]*)>/, `<svg role="img" aria-labelledby="title" $1>\n${head}`)}\n`;
}
