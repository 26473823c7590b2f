import { readFile } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { endStarted } from "../tests/kit/cleanup";
import type { TestStack } from "../tests/kit/stack";
import { measureRedaction } from "./redaction";
import { lineOf, PROVIDERS, stackOf, type ProviderName } from "./stack";
import { hasHyperfine, medianOf, ran, timesOf, type Seconds, type Timed } from "./times";

const UP = "up --yes --skip-preview";
const PREVIEW = "preview --expect-no-changes";
const REFRESH = "refresh --yes --skip-preview --expect-no-changes";
const DESTROY = "destroy --yes --skip-preview";

/** The engine writes its state once, at the end: to write it after each step takes the square of the pipes. */
const WITHOUT_CHECKPOINTS = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const load = (): string => `load ${(loadavg()[0] ?? 0).toFixed(1)}`;

interface Comparison {
  readonly title: string;
  readonly providers: readonly ProviderName[];
  readonly pipes: number;
  readonly runs: number;
  /** What to time for a stack that has no resources yet. */
  readonly command: (stack: TestStack) => Promise<Timed>;
  /** What else to say of a stack. */
  readonly note?: (stack: TestStack) => Promise<string>;
}

/** Times one operation of each provider, and prints a line for each. */
async function compare({ title, providers, pipes, runs, command, note }: Comparison): Promise<void> {
  const stacks: TestStack[] = [];
  for (const provider of providers) stacks.push(await stackOf(provider, pipes));
  const commands: Timed[] = [];
  for (const stack of stacks) commands.push(await command(stack));
  const times = await timesOf(commands, runs);
  say(`\n${title}, ${pipes} pipes: median (least to most) of ${runs}, in seconds; ${load()}`);
  for (const [index, stack] of stacks.entries())
    say(`${providers[index] ?? ""}: ${shown(times[index], times[0])}${(await note?.(stack)) ?? ""}`);
  await endStarted();
}

function shown(seconds?: Seconds, floor?: Seconds): string {
  if (seconds === undefined || floor === undefined) return "not measured";
  const [median, min, max] = [seconds.median, seconds.min, seconds.max].map((value) => value.toFixed(2));
  return `${median} (${min} to ${max}), ${(seconds.median / floor.median).toFixed(2)} times the floor`;
}

async function firstUp(stack: TestStack): Promise<Timed> {
  return { line: await lineOf(stack, UP), prepare: await lineOf(stack, DESTROY) };
}

/** Creates the pipes, which is not measured here. */
async function createPipes(stack: TestStack): Promise<void> {
  await ran("sh", ["-c", await lineOf(stack, UP, WITHOUT_CHECKPOINTS)]);
}

async function preview(stack: TestStack): Promise<Timed> {
  await createPipes(stack);
  return { line: await lineOf(stack, PREVIEW) };
}

const memoryFileOf = (stack: TestStack): string => path.join(stack.project, "memory.txt");

async function refresh(stack: TestStack): Promise<Timed> {
  await createPipes(stack);
  const probe = `--require ${path.join(stack.project, "memory.js")}`;
  const line = await lineOf(stack, REFRESH, { NODE_OPTIONS: probe, BENCH_MEMORY: memoryFileOf(stack) });
  return { line };
}

async function memory(stack: TestStack): Promise<string> {
  const lines = (await readFile(memoryFileOf(stack), "utf8")).trim().split("\n");
  return `, ${medianOf(lines.map(Number)).toFixed(0)} MB at most in the plugin`;
}

/** The numbers of pipes in an option, such as `50,200`. */
const sizesIn = (option: string): readonly number[] => option.split(",").filter(Boolean).map(Number);

async function main(): Promise<void> {
  const options = {
    runs: { type: "string", default: "5" },
    create: { type: "string", default: "20" },
    preview: { type: "string", default: "50,200" },
    refresh: { type: "string", default: "50,200,800" },
    providers: { type: "string", default: PROVIDERS.join() },
  } as const;
  const { values } = parseArgs({ options });
  const runs = Number(values.runs);
  const providers = PROVIDERS.filter((name) => values.providers.split(",").includes(name));
  say(`Node.js ${process.version} on ${availableParallelism()} cores, ${load()}`);
  say(hasHyperfine ? "hyperfine measures." : "hyperfine is not installed: Node.js measures.");
  for (const pipes of sizesIn(values.create))
    await compare({ title: "First up", providers, pipes, runs, command: firstUp });
  for (const pipes of sizesIn(values.preview))
    await compare({ title: "Unchanged preview", providers, pipes, runs, command: preview });
  for (const pipes of sizesIn(values.refresh))
    await compare({ title: "Refresh", providers, pipes, runs, command: refresh, note: memory });
  await measureRedaction();
}

main()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  })
  .finally(endStarted);
