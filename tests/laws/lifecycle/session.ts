import type { LoggedRequest, Simulator } from "../../../simulator/src/index";
import { Engine, ADAPTERS, type Program, type Report } from "../../kit/engine-model/engine";
import { InstantClock } from "../../kit/clock";
import { newSimulator } from "../../kit/simulator";

export type Run = "up" | "up in parallel" | "up --refresh" | "up --replace" | "refresh";

export interface Session {
  readonly simulator: Simulator;
  readonly engine: Engine;
  /** Acts as another client: called with each answered request of the next run. */
  readonly otherClient: { onRequest?: ((request: LoggedRequest) => void) | undefined };
  readonly wait: (seconds: number) => void;
}

/** Starts a simulator whose clock does not wait; each new session empties its service. */
export async function newSessions() {
  const clock = new InstantClock();
  const started = Date.now();
  const otherClient: Session["otherClient"] = {};
  const simulator = await newSimulator({
    stateSeconds: 1,
    now: () => started + clock.now(),
    onRequest: (request) => otherClient.onRequest?.(request),
  });
  const wait = (seconds: number): void => void clock.sleep(seconds * 1000);
  return (adapter: keyof typeof ADAPTERS, maxRetries: number): Session => {
    simulator.control.reset();
    otherClient.onRequest = undefined;
    const options = { clock, requestTimeoutSeconds: 30, maxRetries };
    const engine = new Engine((exportStack) => ADAPTERS[adapter](simulator, { ...options, exportStack }));
    return { simulator, engine, otherClient, wait };
  };
}

export function takeRequests({ control }: Simulator): LoggedRequest[] {
  const requests = control.requests();
  control.clearRequests();
  return requests;
}

/** Whether `up --replace` targets the resource of this name. */
export const isReplaced = (name: string): boolean => /(^|\/)first$/.test(name);

/**
 * A run of Pulumi takes longer to start than the three seconds in which a create whose answer is lost takes a pipe that
 * the list did not show before.
 */
const BETWEEN_RUNS_SECONDS = 4;

export async function runOf(session: Session, program: Program, run: Run) {
  const { engine, simulator, otherClient } = session;
  takeRequests(simulator);
  session.wait(BETWEEN_RUNS_SECONDS);
  const report =
    run === "refresh"
      ? await engine.refresh()
      : await engine.up(program, {
          parallel: run === "up in parallel",
          refresh: run === "up --refresh",
          ...(run === "up --replace" && { replace: new Set([...program.keys()].filter(isReplaced)) }),
        });
  otherClient.onRequest = undefined;
  return { report, requests: takeRequests(simulator) };
}

export type Outcome = Awaited<ReturnType<typeof runOf>>;

export const isWrite = ({ method }: LoggedRequest): boolean => method !== "GET";

export const shown = ({ lines, failures }: Report): string =>
  [...lines, ...failures.map(({ message }) => message)].join("\n");

/** A copy made in Jest's realm: strict equality distinguishes the simulator's objects from the test's. */
export const copied = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
