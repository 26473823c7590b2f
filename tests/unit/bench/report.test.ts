import type { Bytes } from "../../../bench/bytes";
import type { Growth } from "../../../bench/growth";
import { report } from "../../../bench/report";
import { timesOf } from "../../../bench/variant-stack";
import { byVariant, titleOf, VARIANTS } from "../../../bench/variants";
import { cell } from "./cells";

const matrix = [cell("up", 1), cell("up", 200, 1000)];
const rowOf = (text: string, title: string, start: string): string =>
  text
    .slice(text.indexOf(`**${title}**`))
    .split("\n")
    .find((line) => line.startsWith(start)) ?? "";

test("each table of costs has a column for each variant", () => {
  const text = report({ matrix });
  const head = `| operation | pipes | ${VARIANTS.map(titleOf).join(" | ")} |`;
  expect(text.split(head)).toHaveLength(5);
  const all = "Seconds of CPU of all processes: Pulumi, program and plugin";
  expect(rowOf(text, all, "| up | 200 |")).toBe("| up | 200 | 4.00 | 4.00 | 4.00 | 4.00 | 4.00 |");
  expect(rowOf(text, "Peak memory of the plugin, MB", "| up | 1 |")).toBe(
    "| up | 1 | 150 | 150 | 150 | 150 | 150 |",
  );
});

test("compares the native plugin with the floor and with this package, and tells how it grows", () => {
  const text = report({ matrix });
  expect(rowOf(text, "native plugin, as a multiple of: floor", "| up | 200 |")).toContain("| 4.00 |");
  expect(rowOf(text, "native plugin, as a multiple of: this package", "| up | 200 |")).toContain("| 1.33 |");
  const head = rowOf(text, "What one more pipe costs, ms of CPU", "| operation");
  expect(head).toContain("| program, native plugin |");
  expect(head).toContain("| plugin, native plugin |");
});

test("states the time to the first answer of each variant", () => {
  const spread = { median: 500, min: 400, max: 600 };
  const starts = { programMs: spread, pluginMs: spread, clientMs: spread, typeCheck: spread };
  const text = report({ starts: { ...starts, firstAnswerMs: byVariant(() => spread) } });
  const title = "From the start of the plugin process to its first answer for a pipe";
  expect(rowOf(text, title, "| ms")).toBe(`| ms |${" 500 (400–600) |".repeat(VARIANTS.length)}`);
});

test("the table of requests has those variants that send some, the table of growth those that were measured", () => {
  const bytes = (requests: Bytes["requests"]): Bytes => ({
    provider: 0,
    statePerPipe: 1,
    perCall: {},
    requests,
  });
  const senders = ["ours", "native"];
  const text = report({
    bytes: byVariant((name) => bytes({ up: senders.includes(name) ? { createPipe: 10 } : {} })),
    growth: { native: growth },
  });
  expect(text).toContain("| operation | this package | native plugin |");
  expect(text).toContain("| up | 10 createPipe | 10 createPipe |");
  expect(text).toContain("**Refresh of 200 pipes in a service of 10000**\n\n| what | native plugin |");
});

const growth: Growth = {
  managed: 200,
  listed: 10_000,
  requests: 1,
  parses: 1,
  listMb: 15,
  wall: 1.1,
  pluginMb: { before: 100, after: undefined },
};

test("adds up the times that a shell prints, and knows none without them", () => {
  expect(timesOf([" 0m0.010000s 0m0.000000s", "1m1.920000s 0m0.600000s"])).toBe(62_530);
  expect(timesOf(["0m0.010s 0m0.020s", "0m1.500s 0m0.500s"])).toBe(2030);
  expect(timesOf([])).toBeUndefined();
});
