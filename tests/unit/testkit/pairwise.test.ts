import { pairwise, product } from "../../../testkit/pairwise";

const axes = { first: [1, 2, 3], second: ["a", "b"], third: [true, false], fourth: ["x", "y"] } as const;
const all = product<{ first: number; second: string; third: boolean; fourth: string }>(axes);

test("a product has every combination once", () => {
  expect(all).toHaveLength(24);
  expect(new Set(all.map((row) => JSON.stringify(row))).size).toBe(24);
});

test("pairwise rows have every two values together, and fewer rows than the product", () => {
  const rows = pairwise(all);
  expect(rows.length).toBeLessThan(10);
  for (const row of all)
    for (const [name, value] of Object.entries(row))
      for (const [other, another] of Object.entries(row))
        expect(rows.some((one) => one[name as "first"] === value && one[other as "first"] === another)).toBe(
          true,
        );
});

test("values of the properties that belong together occur in every combination", () => {
  const rows = pairwise(all, ["first", "second", "third"]);
  expect(new Set(rows.map(({ first, second, third }) => `${first}${second}${third}`)).size).toBe(12);
  expect(rows.length).toBeLessThanOrEqual(13);
});
