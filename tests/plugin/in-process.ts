import type { Message } from "google-protobuf";
import { currentDeadline, currentUrn } from "../../plugin/src/calls";
import { NativeProvider } from "../../plugin/src/provider";
import type { Deadline } from "../../provider/src/api/deadline";
import {
  cancellableClock,
  systemClock,
  type Cancellation,
  type Clock,
} from "../../provider/src/api/rate-limiter";
import { settingsOf, type EngineLine } from "../../testkit/native-plugin";
import type { Simulator } from "../../testkit/simulator";
import { onEnd } from "../../testkit/started";
import { callsOn, type Answers } from "./calls";

/** How many seconds pass in one. */
export const SPEED = 20;

let skipped = 0;

/** Advances the time at once, without ending a sleep. */
export const skip = (seconds: number): void => {
  skipped += seconds * 1000;
};

/** Time that passes faster. */
export const fastTime = (): number => systemClock.now() * SPEED + skipped;

/** The clock of a plugin, with time that passes faster. */
function fastClock(cancellation: Cancellation): Clock {
  const clock = cancellableClock(cancellation);
  const deadlines = new WeakMap<Deadline, Deadline>();
  return {
    ...clock,
    now: fastTime,
    sleep: (milliseconds) => clock.sleep(milliseconds / SPEED),
    deadline: () => {
      const ofMachine = currentDeadline();
      if (ofMachine === undefined) return undefined;
      const duration = ofMachine.seconds * 1000;
      const at = (ofMachine.at - duration) * SPEED + skipped + duration;
      const deadline = deadlines.get(ofMachine) ?? { ...ofMachine, at };
      deadlines.set(ofMachine, deadline);
      return deadline;
    },
  };
}

/** The message after its way over gRPC. */
function received<M extends Message>(message: M): M {
  const { deserializeBinary } = message.constructor as unknown as {
    deserializeBinary: (bytes: Uint8Array) => M;
  };
  return deserializeBinary(message.serializeBinary());
}

const overWire =
  <Q extends Message, R extends Message>(answer: (request: Q) => R | Promise<R>) =>
  async (request: Q): Promise<R> =>
    received(await answer(received(request)));

/** The plugin's provider in this process, configured for a simulator, with its lines and the engine's calls. */
export async function newPlugin(simulator?: Simulator, newClock = fastClock) {
  const lines: EngineLine[] = [];
  const lineOf = (severity: EngineLine["severity"]) => (message: string) => {
    lines.push({ severity, message, urn: currentUrn() });
  };
  const provider = new NativeProvider(
    {
      log: lineOf("info"),
      warn: lineOf("warning"),
      connect: () => undefined,
      flush: () => Promise.resolve(),
    },
    () => Promise.reject(new Error("No test reads the schema here.")),
    { newClock },
  );
  // Ends the waits that a deadline has left.
  onEnd(() => {
    provider.end();
    return Promise.resolve();
  });
  const answers: Answers = {
    attach: (request) => {
      provider.attach(request);
      return Promise.resolve();
    },
    checkConfig: overWire((request) => provider.checkConfig(request)),
    configure: overWire((request) => provider.configure(request)),
    invoke: overWire((request) => provider.invoke(request)),
    check: overWire(provider.check),
    diff: overWire(provider.diff),
    create: overWire(provider.create),
    read: overWire(provider.read),
    update: overWire(provider.update),
    delete: (request) => provider.delete(received(request)),
  };
  const plugin = {
    ...callsOn(() => answers),
    lines,
    cancel: () => {
      provider.cancel();
    },
  };
  if (simulator !== undefined) await plugin.configure(settingsOf(simulator));
  return plugin;
}

export type Plugin = Awaited<ReturnType<typeof newPlugin>>;
