import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startSimulator, type Simulator } from "../../simulator/src/index";
import { endStarted, onEnd } from "../../tests/kit/cleanup";
import { newStack } from "../../tests/kit/stack";
import { repository } from "../made-files";
import { interruptible } from "./interrupt";
import { providePulumi } from "../pulumi-cli/provision";
import { run } from "../run";
import { DemoCommands, shown } from "./commands";

const NEXT_STEPS = `
The demo ran the real Pulumi engine, which sent real requests to a server on this machine. The demo removes the server and the stack when it ends.

What to try next, in this folder:

  examples/quickstart/index.ts     the program of the demo; change it, and run the demo again
  npm test                         runs the test suite against the real Pulumi CLI
  npm run demo -- --stay           keeps the server, and shows its pipes and requests in your browser

To keep the server and the stack:

  npx pulumi-datapipes-simulator --ui     in a second terminal; copy the \`export\` lines that it prints into this one
  export PULUMI_BACKEND_URL=file://~ PULUMI_CONFIG_PASSPHRASE=
  npm run pulumi -- stack init dev
  npm run pulumi -- config set --secret quickstart:kafkaPassword any
  npm run pulumi -- config set --secret quickstart:storageSecretKey any
  npm run pulumi -- up
`;

const MAX_START_MS = 30_000;
const POLL_MS = 200;

let step = 0;

function say(what: string): void {
  step += 1;
  process.stdout.write(`\n${shown("bold", `━━ ${step}. ${what}`)}\n`);
}

/** Runs the whole demo; it ends as soon as `signal` asks for that, with nothing left behind. */
async function demo(signal: AbortSignal, stays: boolean): Promise<void> {
  signal.addEventListener("abort", () => process.stdout.write("\nStopping, and cleaning up …\n"));
  say("Find a Pulumi CLI: on PATH, by download, or by a build that takes minutes; later runs use it again");
  await providePulumi();
  signal.throwIfAborted();
  const simulator = await startSimulator({ stateSeconds: 1, ui: stays });
  onEnd(() => simulator.close());
  say(`Configure: a stack in a temporary folder uses a simulator of the management API, ${simulator.url}`);
  if (simulator.pageUrl !== undefined)
    process.stdout.write(`\nWatch it in your browser: ${simulator.pageUrl}\n`);
  // Fakes; the simulator takes any.
  const secrets = { "quickstart:kafkaPassword": "demo-password", "quickstart:storageSecretKey": "demo-key" };
  const stack = await newStack({ simulator, copyOf: `${repository}/examples/quickstart`, secrets });
  await play(new DemoCommands(stack, signal), simulator);
  if (stays) await stay(signal, simulator);
}

async function play(commands: DemoCommands, simulator: Simulator): Promise<void> {
  say("Up: the program of examples/quickstart creates two pipes");
  await commands.pulumi("up", "--yes");

  say("Status: the pipes that the API returns");
  await commands.datapipes("status");

  say("Preview: one field of one pipe changes, and nothing else");
  await commands.pulumi("config", "set", "quickstart:flushIntervalMs", "2000");
  await commands.pulumi("preview", "--diff");

  say("Up: the provider updates the pipe in place, with one request that contains only that field");
  await commands.pulumi("up", "--yes", "--skip-preview");

  say(
    "Up with --refresh, once both pipes are running: nothing to do, and the outputs equal what the API returns",
  );
  await untilRunning(simulator);
  await commands.pulumi("up", "--refresh", "--yes", "--skip-preview");
  await commands.datapipes("status");
  process.stdout.write(NEXT_STEPS);
}

/** Leaves the page to the user until Ctrl-C. */
async function stay(signal: AbortSignal, { pageUrl = "" }: Simulator): Promise<void> {
  say(`Stay: pipes, requests and faults are on ${pageUrl} until you press Ctrl-C`);
  if (!signal.aborted) await once(signal, "abort");
}

/** The simulator moves a pipe through its states, as a service does. */
async function untilRunning({ control }: Simulator): Promise<void> {
  const deadline = Date.now() + MAX_START_MS;
  while (control.state().pipes.some(({ state }) => state !== "Running")) {
    if (Date.now() > deadline) throw new Error(`the pipes do not run after ${MAX_START_MS / 1000} s`);
    await setTimeout(POLL_MS);
  }
}

run((args) => {
  const { values } = parseArgs({ args: [...args], options: { stay: { type: "boolean", default: false } } });
  return interruptible((signal) => demo(signal, values.stay).finally(endStarted));
});
