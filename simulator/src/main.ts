import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { DEFAULT_ACCOUNT } from "./account";
import { isUuid } from "./contract";
import type { SimulatorOptions } from "./options";
import type { Profile } from "./profile";
import { PROFILES, PROFILE_SUMMARIES, TIME_FORMATS } from "./profile";
import { RATE_LIMIT_WINDOWS, parseRateLimit } from "./rate-limit";
import type { LoggedRequest } from "./request-log";
import type { Simulator } from "./simulator";
import { startSimulator } from "./simulator";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const DEFAULT_PORT = 8600;
const MAX_PORT = 65_535;

/** The flags that have another name than their option of `startSimulator`; the rest is passed on. */
interface Flags extends Omit<
  SimulatorOptions,
  "accounts" | "latencyMs" | "clockSkewSeconds" | "readLagSeconds" | "profiles"
> {
  latency: number;
  clockSkew: number;
  readLag: number;
  profile?: Profile[];
  apiKeyId: string;
  apiKeySecret: string;
  organizationId: string;
  serviceId?: string[];
}

const EXAMPLES = `
Examples:
  $ datapipes-simulator
      serves the API on http://127.0.0.1:${DEFAULT_PORT}; all data is lost when it stops
  $ datapipes-simulator --port 0 --data pipes.json
      listens on a free port and keeps all data in pipes.json
  $ datapipes-simulator --rate-limit 10/10s --latency 150
      takes 150 ms for each response, and refuses more than 10 requests in 10 s
  $ datapipes-simulator --control --state-seconds 0
      for tests: serves the control path, and skips transitional states
  $ datapipes-simulator --ui
      serves a page for your browser: pipes, requests and faults

Profiles:
${Object.entries(PROFILE_SUMMARIES)
  .map(([name, summary]) => `  ${name.padEnd(19)} ${summary}`)
  .join("\n")}

The API listens on 127.0.0.1 only. Send SIGINT (Ctrl-C) or SIGTERM to stop it.
Exit codes: 0 stopped, 1 failed, 2 wrong usage.`;

/** A parser of numbers that have a form. */
const numberOf =
  (form: RegExp, what: string, max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    if (!form.test(text) || Number(text) > max) throw new InvalidArgumentError(`It must be ${what}.`);
    return Number(text);
  };

const port = numberOf(/^\d+$/, `a whole number up to ${MAX_PORT}`, MAX_PORT);
const milliseconds = numberOf(/^\d+$/, "a whole number of milliseconds");
const seconds = numberOf(/^\d+(\.\d+)?$/, "a number of seconds");
const skewSeconds = numberOf(/^-?\d{1,9}$/, "a whole number of seconds");

function rateLimit(text: string): string {
  try {
    parseRateLimit(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
  return text;
}

function uuid(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError("It must be a UUID.");
  return text.toLowerCase();
}

function profiles(text: string): Profile[] {
  return text.split(",").map((part) => {
    const profile = PROFILES.find((known) => known === part.trim());
    if (profile === undefined)
      throw new InvalidArgumentError(`It must be a comma-separated list of ${PROFILES.join(", ")}.`);
    return profile;
  });
}

const firstServiceId = (): string => DEFAULT_ACCOUNT.serviceIds[0] ?? "";

/** Options of how the API behaves. */
function withBehaviour(command: Command): Command {
  return command
    .option(
      "--rate-limit <limit>",
      'requests per key in a window of time, as in "10/10s", or "off"',
      rateLimit,
      "off",
    )
    .addOption(
      new Option("--rate-limit-window <kind>", "count in a rolling window, or in fixed windows")
        .choices(RATE_LIMIT_WINDOWS)
        .default("rolling"),
    )
    .option("--no-rate-limit-headers", "refuse at the rate limit without Retry-After and X-RateLimit-Reset")
    .option("--latency <ms>", "time that every response takes", milliseconds, 0)
    .option(
      "--state-seconds <seconds>",
      "time that a pipe stays in each transitional state; 0 skips them",
      seconds,
      2,
    )
    .option("--no-deletes", "return 405 for DELETE, which is not in the API document")
    .option("--no-fill", "do not fill in fields that requests omit")
    .option("--nulls", "return null where an optional field has no value", false)
    .option("--ignore-settings", "accept settings in updates and ignore them", false)
    .option("--strict-references", "refuse IDs of reverse private endpoints that do not exist", false);
}

/** Options of how answers look. */
function withAnswerFormat(command: Command): Command {
  return command
    .option(
      "--profile <list>",
      "respond and validate as some real services do: a comma-separated list of the profiles below",
      profiles,
    )
    .addOption(
      new Option("--time-format <format>", "how responses write the times of a pipe")
        .choices(TIME_FORMATS)
        .default("iso"),
    )
    .option(
      "--clock-skew <seconds>",
      "seconds that the server's clock is ahead; negative: behind",
      skewSeconds,
      0,
    )
    .option("--read-lag <seconds>", "seconds until reads show a new pipe", seconds, 0);
}

/** Options of the account. */
function withAccount(command: Command): Command {
  return command
    .option("--api-key-id <id>", "accepted key ID", DEFAULT_ACCOUNT.apiKeyId)
    .option("--api-key-secret <secret>", "secret of the accepted key", DEFAULT_ACCOUNT.apiKeySecret)
    .option("--organization-id <uuid>", "organization of the key", uuid, DEFAULT_ACCOUNT.organizationId)
    .option(
      "--service-id <uuid>",
      `service of the organization; you can repeat the option (default: "${firstServiceId()}")`,
      (id: string, ids: string[] | undefined) => [...(ids ?? []), uuid(id)],
    );
}

function makeCommand(): Command {
  const command = new Command("datapipes-simulator")
    .description("The management API of data-ingestion pipes and services, as a local server.")
    .option("--port <number>", "port on 127.0.0.1; 0 chooses a free one", port, DEFAULT_PORT)
    .option("--data <file>", "JSON file that keeps all data across restarts (default: in memory only)")
    .option(
      "--control",
      "serve the control path /control, where tests read the state and request faults",
      false,
    )
    .option("--ui", "serve a page for browsers at /ui: what exists, the last requests, faults", false);
  return withAccount(withAnswerFormat(withBehaviour(command)))
    .addHelpText("after", EXAMPLES)
    .allowExcessArguments(false)
    .exitOverride();
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Prints no body and no header, because they have credentials. */
function printRequest({ method, path, status, durationMs, fault }: LoggedRequest): void {
  print(`${method} ${path} ${status} ${durationMs} ms${fault === undefined ? "" : ` (fault: ${fault})`}`);
}

function printReady({ url, pageUrl, account }: Simulator): void {
  print(`Simulator is ready on ${url}`);
  // A line that shells ignore, because users copy what follows.
  if (pageUrl !== undefined) print(`# Page for browsers: ${pageUrl}`);
  print(`export DATAPIPES_BASE_URL=${url}`);
  print(`export DATAPIPES_API_KEY_ID=${account.apiKeyId}`);
  print(`export DATAPIPES_API_KEY_SECRET=${account.apiKeySecret}`);
  print(`export DATAPIPES_ORGANIZATION_ID=${account.organizationId}`);
  print(`export DATAPIPES_SERVICE_ID=${account.serviceIds[0] ?? ""}`);
}

function start(flags: Flags): Promise<Simulator> {
  const { apiKeyId, apiKeySecret, organizationId, serviceId, latency, profile, clockSkew, readLag, ...rest } =
    flags;
  const serviceIds = serviceId ?? [firstServiceId()];
  return startSimulator({
    ...rest,
    accounts: [{ apiKeyId, apiKeySecret, organizationId, serviceIds }],
    latencyMs: latency,
    clockSkewSeconds: clockSkew,
    readLagSeconds: readLag,
    profiles: profile,
    onRequest: printRequest,
  });
}

async function run(args: readonly string[]): Promise<void> {
  const simulator = await start(makeCommand().parse(args, { from: "user" }).opts<Flags>());
  const stop = (): void => {
    void simulator.close().then(() => {
      process.exitCode = 0;
    });
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  // Its reader has read enough, as `head` has. What is printed until the end fails, too.
  process.stdout.once("error", stop).on("error", () => undefined);
  printReady(simulator);
}

run(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof CommanderError) {
    // Commander has printed it already; `--help` is no wrong usage.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
    return;
  }
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = EXIT_FAILED;
});
