import { chartOf, DARK_COLORS } from "../../../bench/chart";
import { costsOf } from "../../../bench/costs";
import { panelsOf } from "../../../bench/panels";
import { VARIANT, VARIANTS } from "../../../bench/variants";
import { cell, machine } from "./cells";

const cells = [
  cell("up", 1),
  cell("refresh", 1),
  cell("destroy", 1),
  cell("up", 200, 1000),
  cell("refresh", 200, 1000),
  cell("destroy", 200, 1000),
  cell("preview", 200),
];

test("a cost is what program and plugin take, and what the plugin takes where no program runs", () => {
  const [up, refresh] = costsOf(cells);
  expect(up).toMatchObject({ operation: "up", pipes: 1 });
  expect(up?.cpuSeconds.floor).toEqual({ median: 1.15, min: 1.1, max: 1.2 });
  expect(refresh?.cpuSeconds.ours).toEqual({ median: 0.45, min: 0.3, max: 0.6 });
});

test("a run whose program was not measured has no cost", () => {
  const { samples, ...one } = cell("up", 1);
  const [first, ...others] = samples.ours;
  if (first === undefined) throw new Error("a cell has no samples");
  const [cost] = costsOf([
    { ...one, samples: { ...samples, ours: [{ ...first, program: undefined }, ...others] } },
  ]);
  expect(cost?.cpuSeconds.ours).toEqual({ median: 1.525, min: 1.45, max: 1.6 });
});

test("the chart has a panel for each of its operations with two sizes, from the smallest to the largest", () => {
  const panels = panelsOf(costsOf(cells.toReversed()));
  expect(panels.map(({ operation }) => operation)).toEqual(["up", "refresh"]);
  expect(panels[1]?.lines.floor).toEqual([
    { pipes: 1, median: 0.15, min: 0.1, max: 0.2 },
    { pipes: 200, median: 1.5, min: 1, max: 2 },
  ]);
  expect(() => panelsOf(costsOf([cell("up", 1), cell("destroy", 1)]))).toThrow(
    "a chart needs one of up, preview, refresh with two sizes",
  );
});

test("the chart names the machine, each variant and each figure, and is the same at every run", () => {
  const panels = panelsOf(costsOf(cells));
  const chart = chartOf(panels, machine);
  expect(chart).toMatch(/^<svg role="img" aria-labelledby="title" aria-describedby="text" /);
  expect(chart).toContain("2 cores, Node 20; 0.5 processes per core");
  expect(chart).toContain("refresh: floor 0.15 (0.10–0.20) for 1, 1.50 (1.00–2.00) for 200; stateful floor");
  for (const title of ["floor", "stateful floor", "this package", "native plugin", "usual provider"])
    expect(chart).toContain(`>${title}</text>`);
  expect(chartOf(panels, machine)).toBe(chart);
});

test("no two variants share a color, or both dashes and points", () => {
  const looks = VARIANTS.map((name) => VARIANT[name].look);
  for (const shared of [
    looks.map(({ color }) => color),
    looks.map(({ dark }) => dark),
    looks.map(({ type, symbol }) => `${type.toString()} ${symbol}`),
  ])
    expect(new Set(shared).size).toBe(VARIANTS.length);
});

test("each color of the chart has one for dark pages, and the chart loads nothing", () => {
  const chart = chartOf(panelsOf(costsOf(cells)), machine);
  const used = [...chart.matchAll(/ (?:fill|stroke)="([^"]+)"/g)].flatMap(([, color = ""]) =>
    /^(?:none|transparent)$/.test(color) ? [] : color,
  );
  expect(new Set(used)).toEqual(new Set(Object.keys(DARK_COLORS)));
  expect(chart).not.toMatch(/<(?:script|foreignObject|image|a)\b|url\(http|@import/i);
});
