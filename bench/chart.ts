import { init, type CustomSeriesOption, type EChartsOption, type LineSeriesOption } from "echarts";
import { escapedXml } from "../tools/xml";
import type { Panel, Point } from "./panels";
import { conditionsOf, type Machine } from "./results";
import { shown } from "./statistics";
import { titleOf, VARIANT, VARIANTS, type VariantName } from "./variants";

const WIDTH = 900;
const HEIGHT = 420;
const GRID = { left: 52, right: 16, top: 104, bottom: 76 };
const FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";

/** Each color beside the lines, and what readers see who prefer dark pages. */
const PAGE_COLORS = {
  "#ffffff": "#0d1117",
  "#1f2328": "#e6edf3",
  "#57606a": "#9ea7b3",
  "#d8dee4": "#30363d",
} as const;
type Color = keyof typeof PAGE_COLORS;

/** The same for all colors of the chart. */
export const DARK_COLORS: Readonly<Record<string, string>> = {
  ...PAGE_COLORS,
  ...Object.fromEntries(VARIANTS.map((name) => [VARIANT[name].look.color, VARIANT[name].look.dark])),
};

const [BACKGROUND, TEXT, LESS, RULE]: readonly [Color, Color, Color, Color] = [
  "#ffffff",
  "#1f2328",
  "#57606a",
  "#d8dee4",
];

/** The chart as an SVG, which follows the reader's choice of light or dark. */
export function chartOf(panels: readonly Panel[], machine: Machine): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width: WIDTH, height: HEIGHT });
  chart.setOption(optionOf(panels, machine));
  const svg = chart.renderToSVGString({ useViewBox: true });
  chart.dispose();
  return withText(asImage(svg), panels, machine);
}

/**
 * An image has no use for what reacts to a pointer. Ids would count the charts of the process. The library gives a fill to lines and to the
 * borders of panels too, which have no area that is seen.
 */
export const asImage = (svg: string): string =>
  svg
    .replaceAll(/\bzr\d+-/g, "chart-")
    .replaceAll('fill="#000"', 'fill="none"')
    .replaceAll(/ (?:class|pointer-events|ecmeta_\w+)="[^"]*"/g, "")
    .replace(/<style ><!\[CDATA\[[^]*?<\/style>\n/, "");

const optionOf = (panels: readonly Panel[], machine: Machine): EChartsOption => ({
  animation: false,
  backgroundColor: BACKGROUND,
  textStyle: { fontFamily: FONT, color: TEXT },
  title: titlesOf(panels, machine),
  legend: {
    bottom: 8,
    left: "center",
    selectedMode: false,
    ...boxStyle,
    itemWidth: 40,
    itemGap: 28,
    textStyle: { color: TEXT, fontSize: 13 },
    data: VARIANTS.map(titleOf),
  },
  grid: panels.map((_, index) => ({
    left: leftOf(index, panels),
    width: widthOf(panels) - GRID.left - GRID.right,
    top: GRID.top,
    bottom: GRID.bottom,
  })),
  xAxis: panels.map((_, gridIndex) => ({ gridIndex, ...xAxisStyle })),
  yAxis: panels.map((_, gridIndex) => ({ gridIndex, ...yAxisStyle })),
  series: panels.flatMap(({ lines }, index) =>
    VARIANTS.flatMap((name) => [rangesOf(name, lines[name], index), lineOf(name, lines[name], index)]),
  ),
});

const widthOf = (panels: readonly Panel[]): number => WIDTH / panels.length;
const leftOf = (index: number, panels: readonly Panel[]): number => index * widthOf(panels) + GRID.left;

/** The library draws boxes behind texts, also where they have no color. */
const boxStyle = { backgroundColor: BACKGROUND, borderColor: BACKGROUND };

const titlesOf = (panels: readonly Panel[], machine: Machine) => [
  { text: TITLE, subtext: noteOf(machine), left: 16, top: 8, ...titleStyle(16) },
  ...panels.map(({ operation }, index) => ({
    text: operation === "refresh" ? "refresh (runs no program)" : operation,
    left: leftOf(index, panels),
    top: GRID.top - 26,
    ...titleStyle(13),
  })),
];

const TITLE = "Seconds of CPU, program and plugin together";

const noteOf = (machine: Machine): string =>
  `${conditionsOf(machine)}\nPoints are medians, bars go from the least to the most.`;

const titleStyle = (fontSize: number) => ({
  textStyle: { color: TEXT, fontSize, fontWeight: 600 },
  subtextStyle: { color: LESS, fontSize: 13 },
  itemGap: 4,
  padding: 0,
  ...boxStyle,
});

const axisStyle = {
  type: "value",
  min: 0,
  axisLabel: { color: LESS, fontSize: 12 },
} as const;

const xAxisStyle = {
  ...axisStyle,
  name: "pipes",
  nameLocation: "middle",
  nameGap: 24,
  nameTextStyle: { color: LESS, fontSize: 12 },
  axisLine: { lineStyle: { color: LESS } },
  axisTick: { lineStyle: { color: LESS } },
  splitLine: { show: false },
  splitNumber: 4,
} as const;

const yAxisStyle = {
  ...axisStyle,
  axisLine: { show: false },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: RULE } },
} as const;

function lineOf(name: VariantName, points: readonly Point[], panel: number): LineSeriesOption {
  const { color, type, symbol } = VARIANT[name].look;
  return {
    type: "line",
    name: titleOf(name),
    xAxisIndex: panel,
    yAxisIndex: panel,
    symbol,
    symbolSize: 7,
    lineStyle: { color, type, width: 2 },
    itemStyle: { color },
    silent: true,
    emphasis: { disabled: true },
    data: points.map(({ pipes, median }) => [pipes, median]),
  };
}

/** Bars from the least to the most. */
function rangesOf(name: VariantName, points: readonly Point[], panel: number): CustomSeriesOption {
  const { color } = VARIANT[name].look;
  return {
    type: "custom",
    xAxisIndex: panel,
    yAxisIndex: panel,
    silent: true,
    encode: { x: 0, y: [1, 2] },
    data: points.map(({ pipes, min, max }) => [pipes, min, max]),
    renderItem: (_, api) => {
      const [[x = 0, y1 = 0], [, y2 = 0]] = [1, 2].map((value) =>
        api.coord([api.value(0), api.value(value)]),
      ) as [number[], number[]];
      const lines = [
        { x1: x, x2: x, y1, y2 },
        ...[y1, y2].map((y) => ({ x1: x - 4, x2: x + 4, y1: y, y2: y })),
      ];
      return {
        type: "group",
        children: lines.map((shape) => ({
          type: "line",
          shape,
          style: { stroke: color, lineWidth: 1.5 },
        })),
      };
    },
  };
}

/** Adds what a screen reader says, and the colors of dark pages. Styles win over the attributes that the library writes. */
function withText(svg: string, panels: readonly Panel[], machine: Machine): string {
  const rules = Object.entries(DARK_COLORS).flatMap(([light, dark]) =>
    ["fill", "stroke"].map((property) => `[${property}="${light}"]{${property}:${dark}}`),
  );
  const head = [
    `<title id="title">${escapedXml(`${TITLE}, against the number of pipes`)}</title>`,
    `<desc id="text">${escapedXml([noteOf(machine), ...panels.map(descriptionOf)].join("\n"))}</desc>`,
    `<style>@media (prefers-color-scheme:dark){${rules.join("")}}</style>`,
  ];
  return `${svg.replace(/^<svg ([^>]*)>/, `<svg role="img" aria-labelledby="title" aria-describedby="text" $1>\n${head.join("\n")}`)}\n`;
}

/** The figures of a panel, in words. */
function descriptionOf({ operation, lines }: Panel): string {
  const texts = VARIANTS.map((name) => {
    const figures = lines[name].map((point) => `${shown(point)} for ${point.pipes}`);
    return `${titleOf(name)} ${figures.join(", ")}`;
  });
  return `${operation}: ${texts.join("; ")}.`;
}
