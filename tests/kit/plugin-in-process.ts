import type { Message } from "google-protobuf";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { NativeProvider, type NativeProviderOptions } from "../../plugin/src/provider";
import type { Cancellation } from "../../plugin/src/cancellable-clock";
import type { Clock } from "../../provider/src/api/http/clock";
import type { Log } from "../../provider/src/lifecycle/lifecycle";
import { answersBy, callsOn } from "./plugin-calls";

/** The message after its way over gRPC. */
const received = (message: Message): Message =>
  (message.constructor as unknown as typeof Struct).deserializeBinary(message.serializeBinary());

/** The stack of a plugin that no test gives one has no resources. */
const EMPTY_STACK = { exportStack: () => Promise.resolve("{}") };

export interface InProcessOptions extends Omit<NativeProviderOptions, "newClock"> {
  /** Awaits a call; may advance a clock meanwhile. */
  readonly during?: (call: Promise<unknown>) => Promise<unknown>;
}

export function startInProcess(
  output: Log,
  newClock: (cancellation: Cancellation) => Clock,
  { during = (call) => call, ...options }: InProcessOptions = {},
) {
  const log = { ...output, connect: () => undefined, flush: () => Promise.resolve() };
  const noSchema = (): Promise<never> => Promise.reject(new Error("No run reads the schema here."));
  const provider = new NativeProvider(log, noSchema, { ...EMPTY_STACK, ...options, newClock });
  const answers = answersBy(async (method, request) => {
    const call = (provider[method] as (sent: Message) => unknown).call(provider, received(request));
    const answer = await during(Promise.resolve(call));
    return answer === undefined ? undefined : received(answer as Message);
  });
  return { provider, ...callsOn(answers) };
}
