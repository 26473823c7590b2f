// NODE_OPTIONS loads it into each Node.js process of a run: the plugin writes its peak memory, in MB, when it ends.
import { appendFileSync, readFileSync } from "node:fs";

const [, script = ""] = process.argv;
const file = process.env["BENCH_MEMORY"];

/** `maxRSS` is, on Linux, at least the peak of a process that started this one without a fork, such as the engine. */
function peakMb(): number {
  const status = process.platform === "linux" ? readFileSync("/proc/self/status", "utf8") : "";
  const [, kb = process.resourceUsage().maxRSS] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kb) / 1024;
}

if (file !== undefined && /dynamic-provider|plugin[\\/]dist/.test(script)) {
  process.on("exit", () => {
    appendFileSync(file, `${peakMb()}\n`);
  });
  // The engine ends the plugin by SIGINT, whose default would end it before anything is written.
  process.on("SIGINT", () => process.exit(0));
}
