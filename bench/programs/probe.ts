// Loaded into every Node.js process of a run by NODE_OPTIONS: writes what the process cost when it ends.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";

const [, script = ""] = process.argv;
const {
  BENCH_PLUGIN: plugin = "",
  BENCH_USAGE: usage,
  BENCH_PROFILE: profile,
  BENCH_PARSES: parses,
} = process.env;
const role =
  plugin !== "" && script.includes(plugin)
    ? "plugin"
    : /@pulumi[\\/]pulumi[\\/]cmd[\\/]run/.test(script)
      ? "program"
      : undefined;

/** A text of this length is a list of many pipes, and nothing else is, in characters. */
const LARGE_TEXT = 1_000_000;

if (role !== undefined) {
  // The engine ends the plugin by SIGINT, whose default would end it before anything is written.
  if (role === "plugin") process.on("SIGINT", () => process.exit(0));
  if (usage !== undefined)
    process.on("exit", () => {
      writeUsage(usage, role);
    });
  if (profile !== undefined) {
    mkdirSync(profile, { recursive: true });
    startProfile(`${profile}/${role}-${process.pid}.cpuprofile`);
  }
  if (parses !== undefined) countParses(parses);
}

function writeUsage(file: string, process_: string): void {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const sample = { role: process_, cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: peakKb() / 1024 };
  appendFileSync(file, `${JSON.stringify(sample)}\n`);
}

function startProfile(file: string): void {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: 500 });
  session.post("Profiler.start");
  process.on("exit", () => {
    session.post("Profiler.stop", (error, result) => {
      if (error === null) writeFileSync(file, JSON.stringify(result.profile));
    });
  });
}

function countParses(file: string): void {
  const parse = JSON.parse.bind(JSON);
  JSON.parse = (text: string, reviver?: Parameters<typeof parse>[1]): unknown => {
    if (text.length > LARGE_TEXT) appendFileSync(file, `${text.length}\n`);
    return parse(text, reviver) as unknown;
  };
}

/**
 * The peak of this program alone: `maxRSS` is, on Linux, at least that of the program which started it without a fork in between, which
 * is the engine for a launcher that calls `exec`.
 */
function peakKb(): number {
  try {
    const [, kb] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kb !== undefined) return Number(kb);
  } catch {
    // Other systems have no such file.
  }
  return process.resourceUsage().maxRSS;
}
