import { parseOptions } from "../../../bench/options";
import { pairRatios, shown, spreadOf } from "../../../bench/statistics";

test("a spread has the median, the minimum and the maximum", () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
  expect(spreadOf([4, undefined, 1])).toEqual({ median: 2.5, min: 1, max: 4 });
  expect(spreadOf([undefined])).toBeUndefined();
  expect(shown({ median: 1.234, min: 1, max: 2 })).toBe("1.23 (1.00–2.00)");
});

test("computes ratios of pairs, and none for a missing measurement", () => {
  expect(pairRatios([2, undefined, 9, 4], [1, 1, 3, 0])).toEqual([2, undefined, 3, undefined]);
});

test("the benchmark runs the chosen parts in its own order, and refuses unknown ones", () => {
  const options = parseOptions(["--sizes", "1,50", "--rounds", "3", "--only", "refresh,preview"]);
  expect(options).toMatchObject({ sizes: [1, 50], rounds: 3, operations: ["preview", "refresh"] });
  expect(parseOptions(["--help"])).toBeUndefined();
  expect(() => parseOptions(["--only", "read"])).toThrow('"read" is none of up, preview');
  expect(() => parseOptions(["--sizes", "0"])).toThrow('"0" is not a whole number from 1');
});

test("the benchmark takes kept results from all files after --from, and refuses files without it", () => {
  expect(parseOptions(["--from", "a.json", "b.json", "--chart", "c.svg"])).toMatchObject({
    from: ["a.json", "b.json"],
    chart: "c.svg",
  });
  expect(parseOptions(["--from", "a.json", "--from", "b.json"])?.from).toEqual(["a.json", "b.json"]);
  expect(() => parseOptions(["a.json"])).toThrow('"a.json" is no option');
});
