import type { LoggedRequest, Simulator } from "../../../simulator/src/index";
import { leaks, type Leak } from "../../support/canary";
import { SwiftClock } from "../../support/swift-clock";
import { newSimulator } from "../../support/simulator";
import { Engine } from "./engine";
import type { Program, Report } from "./program";
import type { Outcome, Run } from "./life";
import { startPlugin, type PluginOptions } from "./plugin";

/** A stack and the service that it works on, from nothing. */
export interface Session {
  readonly simulator: Simulator;
  readonly engine: Engine;
  /** Called with each request of the next run when it was answered: what others do at that moment. */
  readonly meanwhile: { act?: ((request: LoggedRequest) => void) | undefined };
  /** Lets time pass. */
  readonly wait: (seconds: number) => void;
}

/** Begins with an empty service and an empty stack. */
export type NewSession = (how: Pick<PluginOptions, "maxRetries">) => Session;

/** A simulator on whose clock waiting takes no time, and stacks on it, of which each begins with an empty service. */
export async function newSessions(): Promise<NewSession> {
  const clock = new SwiftClock();
  const started = Date.now();
  const meanwhile: Session["meanwhile"] = {};
  const simulator = await newSimulator({
    stateSeconds: 1,
    now: () => started + clock.now(),
    onRequest: (request) => meanwhile.act?.(request),
  });
  const wait = (seconds: number): void => void clock.sleep(seconds * 1000);
  return (how) => {
    simulator.control.reset();
    meanwhile.act = undefined;
    const options = { clock, requestTimeoutSeconds: 30, ...how };
    return { simulator, engine: new Engine(() => startPlugin(simulator, options)), meanwhile, wait };
  };
}

/** The requests since the last time, oldest first. */
export function takeRequests({ control }: Simulator): LoggedRequest[] {
  const requests = control.requests();
  control.clearRequests();
  return requests;
}

/** The part of the program that `up --replace` is about: what bears one of these names, wherever it is. */
export const isReplaced = (name: string): boolean => /(^|\/)(first|settings)$/.test(name);

/** Lets the engine run, and tells what it said and what it sent. */
export async function runOf(
  { engine, simulator, meanwhile }: Session,
  program: Program,
  run: Run,
): Promise<Outcome> {
  takeRequests(simulator);
  const report =
    run === "refresh"
      ? await engine.refresh()
      : await engine.up(program, {
          parallel: run === "up in parallel",
          refresh: run === "up --refresh",
          ...(run === "up --replace" && { replace: new Set([...program.keys()].filter(isReplaced)) }),
        });
  meanwhile.act = undefined;
  return { report, requests: takeRequests(simulator) };
}

export const isWrite = ({ method }: LoggedRequest): boolean => method !== "GET";

/** All that a run showed to people. */
export const shown = ({ lines, failures }: Report): string =>
  [...lines, ...failures.map(({ message }) => message)].join("\n");

/** The secrets that can be read in what a run showed or stored. */
export const secretsShown = (report: Report, canaries: readonly string[]): Leak[] =>
  leaks({ shown: shown(report), stored: report.stored.join("\n") }, canaries);

/** A copy of this realm: the simulator's own are told from ours by strict equality. */
export const copied = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
