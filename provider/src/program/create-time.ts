import * as pulumi from "@pulumi/pulumi";
import { perProgram } from "./per-program";
import { configurationKey, SETTINGS } from "../settings/settings";

/** A member of outputs that the SDK leaves out of its types. */
interface SdkOutput {
  readonly isKnown?: Promise<boolean>;
}

/** The shortest time that a line is about, in seconds. */
const LONG_SECONDS = 60;

/** How many resources a preview has not answered yet, how many it would create, and how many the last line was about. */
const counts = perProgram(() => ({ open: 0, creates: 0, logged: 0 }));

/** Logs at the end of a preview how long the rate limit makes its creates take. The plugin learns of few at a time, as the engine asks for them. */
export function countCreate(resource: pulumi.CustomResource): void {
  const { isKnown } = resource.id as SdkOutput;
  if (!pulumi.runtime.isDryRun() || isKnown === undefined) return;
  const count = counts();
  count.open += 1;
  const end = (isCreate: boolean): void => {
    count.open -= 1;
    if (isCreate) count.creates += 1;
    // A program that waits for its resources one by one has many such ends.
    if (count.open > 0 || count.creates < 2 * count.logged) return;
    const line = lineOf(count.creates);
    if (line === undefined) return;
    count.logged = count.creates;
    void pulumi.log.info(line);
  };
  void isKnown.then(
    (known) => {
      end(!known);
    },
    () => {
      end(false);
    },
  );
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
