import * as pulumi from "@pulumi/pulumi";
import { perProgram } from "./per-program";
import { configurationKey, SETTINGS } from "../settings/settings";

/** The shortest time that a line is about, in seconds. */
const LONG_SECONDS = 60;

/** How many resources a preview would create, and how many the last line was about. */
const counts = perProgram(() => ({ creates: 0, logged: 0 }));

/** Counts a resource that the run creates. The plugin learns of few at a time, as the engine asks for them. */
export function countCreate(): void {
  counts().creates += 1;
}

/** Logs at the end of a preview how long the rate limit makes its creates take. */
export function logCreateTime(): void {
  const count = counts();
  // A program that waits for its resources one by one has many such ends.
  if (!pulumi.runtime.isDryRun() || count.creates < 2 * count.logged) return;
  const line = lineOf(count.creates);
  if (line === undefined) return;
  count.logged = count.creates;
  void pulumi.log.info(line);
}

function lineOf(creates: number): string | undefined {
  const { environment, parse, default: usual } = SETTINGS.rateLimit;
  const set = pulumi.runtime.getConfig(configurationKey("rateLimit")) ?? process.env[environment];
  const limit = parse((set ?? "") === "" ? (usual ?? "") : (set ?? ""));
  if (limit === undefined || limit === "off") return undefined;
  const { requests, seconds } = limit;
  const time = Math.floor((creates - 1) / requests) * seconds;
  if (time < LONG_SECONDS) return undefined;
  const length = time < 120 ? `${time} s` : `${Math.round(time / 60)} min`;
  return `rate limit of the API (${requests} in ${seconds} s): ${creates} creates take about ${length}`;
}
