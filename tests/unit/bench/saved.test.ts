import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { load, merged, save, type Saved } from "../../../bench/saved";
import { byVariant } from "../../../bench/variants";
import { cell, machine } from "./cells";

const starts = (ms: number) => {
  const spread = { median: ms, min: ms, max: ms };
  const firstAnswerMs = byVariant(() => spread);
  return { programMs: spread, pluginMs: spread, clientMs: spread, typeCheck: spread, firstAnswerMs };
};

test("merges sizes, operations and parts of several runs in the order of one run", () => {
  const { results } = merged([
    { machine, results: { matrix: [cell("preview", 50), cell("up", 200)], starts: starts(1) } },
    { machine, results: { matrix: [cell("up", 1), cell("up", 50)] } },
    { machine, results: { matrix: [cell("refresh", 50)] } },
  ]);
  expect(results.matrix?.map(({ operation, pipes }) => [operation, pipes])).toEqual([
    ["up", 1],
    ["up", 50],
    ["preview", 50],
    ["refresh", 50],
    ["up", 200],
  ]);
  expect(results.starts).toEqual(starts(1));
});

test("what two runs have measured counts as in the later one", () => {
  const { results } = merged([
    { machine, results: { matrix: [cell("up", 1, 100), cell("up", 50, 100)], starts: starts(1) } },
    { machine, results: { matrix: [cell("up", 1, 200)], starts: starts(2) } },
  ]);
  expect(results).toEqual({ matrix: [cell("up", 1, 200), cell("up", 50, 100)], starts: starts(2) });
});

test("states the highest load of the merged runs, and refuses runs of different machines", () => {
  const other = (change: Partial<Saved["machine"]>): Saved => ({
    machine: { ...machine, ...change },
    results: {},
  });
  expect(merged([other({ loadPerCore: 1.5 }), other({ loadPerCore: 0.2 })]).machine.loadPerCore).toBe(1.5);
  expect(() => merged([other({}), other({ node: "22" })])).toThrow(
    "results of different machines cannot be merged: 2 cores with Node 20 and 2 cores with Node 22",
  );
});

test("a loaded file has what was saved, and a file without results, or without those of a variant, is refused by its name", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "bench-"));
  try {
    const [file, wrong] = [path.join(folder, "a.json"), path.join(folder, "wrong.json")];
    const saved = { machine, results: { matrix: [cell("up", 1), cell("refresh", 1)] } };
    await save(file, saved);
    expect(await load([file])).toEqual(saved);
    await writeFile(wrong, "{}");
    await expect(load([file, wrong])).rejects.toThrow(`${wrong} has no results of`);
    const { samples, ...one } = cell("up", 1);
    const before = { machine, results: { matrix: [{ ...one, samples: { ...samples, native: undefined } }] } };
    await writeFile(wrong, JSON.stringify(before));
    await expect(load([wrong])).rejects.toThrow(/has no results of.*matrix\[0\]\.samples\.native/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
