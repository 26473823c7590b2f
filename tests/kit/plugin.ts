import { status, type ServiceError } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { Message } from "google-protobuf";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { NativeProvider, type NativeProviderOptions } from "../../plugin/src/provider";
import type { Cancellation } from "../../plugin/src/cancellable-clock";
import type { Clock } from "../../provider/src/api/http/clock";
import type { Log } from "../../provider/src/lifecycle/program/lifecycle";
import { partsOf } from "../../provider/src/lifecycle/state/resource-key";
import { rejection } from "./client";
import { secretMarker, withSecrets } from "./json";
import { connectionOf, type Simulator } from "./simulator";

const METHODS = [
  ...(["attach", "checkConfig", "configure", "invoke"] as const),
  ...(["check", "diff", "create", "read", "update", "delete"] as const),
];
type Method = (typeof METHODS)[number];

/** The calls of the engine, which a plugin answers in its own process or in this one. */
export type Answers = {
  readonly [M in Method]: (
    request: Parameters<NativeProvider[M]>[0],
  ) => Promise<Awaited<ReturnType<NativeProvider[M]>>>;
};

export const answersBy = (answer: (method: Method, request: Message) => unknown): Answers =>
  Object.fromEntries(
    METHODS.map((method) => [method, (request: Message) => answer(method, request)]),
  ) as unknown as Answers;

export const structOf = (value: object): Struct =>
  Struct.fromJavaScript(value as Record<string, JavaScriptValue>);

export const valuesOf = (struct: Struct | undefined): Record<string, unknown> => struct?.toJavaScript() ?? {};

export const urnOf = (name: string, type = "datapipes:index:Pipe"): string =>
  `urn:pulumi:dev::shop::${type}::${name}`;

/** The configuration of an account, as the engine passes it: with secrets marked. */
export const settingsOf = (simulator: Simulator): Record<string, unknown> => ({
  ...connectionOf(simulator),
  apiKeySecret: secretMarker(simulator.account.apiKeySecret),
});

/** The engine takes its marks of secrets off what it sends to a provider that does not accept them. */
const sent = (value: object) => structOf(withSecrets(value, (secret) => secret.value) as object);

const checked = (response: pb.CheckResponse) => ({
  inputs: valuesOf(response.getInputs()),
  failures: response.getFailuresList().map((failure) => [failure.getProperty(), failure.getReason()]),
});

/** What the engine passes besides the values: the URN, the seconds of `customTimeouts`, and the inputs in the state. */
interface Options {
  readonly of?: string;
  readonly preview?: boolean;
  readonly timeout?: number;
  readonly oldInputs?: object;
}

const orders = urnOf("orders");

export function callsOn(plugin: Answers) {
  const calls = { ...callsOnProvider(plugin), ...callsOnResource(plugin) };
  const deploy = async (args: object, options: Options = {}) => {
    const { inputs } = await calls.check(args, {}, options.of);
    return { inputs, ...(await calls.create(inputs, options)) };
  };
  return { ...calls, deploy };
}

export type PluginCalls = ReturnType<typeof callsOn>;

function callsOnProvider(plugin: Answers) {
  return {
    attach: async (address: string) => {
      await plugin.attach(new PluginAttach().setAddress(address));
    },
    checkConfig: async (newInputs: object, name: string) => {
      const request = new pb.CheckRequest().setUrn(urnOf(name, "pulumi:providers:datapipes"));
      return checked(await plugin.checkConfig(request.setNews(structOf(newInputs))));
    },
    configure: async (settings: object, name = "default_0_1_0") => {
      await plugin.configure(new pb.ConfigureRequest().setArgs(structOf(settings)).setName(name));
    },
    invoke: async (name: string, args: object) => {
      const request = new pb.InvokeRequest().setTok(`datapipes:index:${name}`).setArgs(structOf(args));
      return valuesOf((await plugin.invoke(request)).getReturn());
    },
  };
}

function callsOnResource(plugin: Answers) {
  return {
    check: async (newInputs: object, oldInputs: object = {}, of = orders) => {
      const request = new pb.CheckRequest().setUrn(of).setOlds(sent(oldInputs));
      return checked(await plugin.check(request.setNews(sent(newInputs))));
    },
    create: async (inputs: object, { preview = false, of = orders, timeout = 0 }: Options = {}) => {
      const request = new pb.CreateRequest().setUrn(of).setProperties(sent(inputs));
      const response = await plugin.create(request.setPreview(preview).setTimeout(timeout));
      return { id: response.getId(), outputs: valuesOf(response.getProperties()) };
    },
    diff: (id: string, state: object, newInputs: object, { of = orders, oldInputs = {} }: Options = {}) => {
      const request = new pb.DiffRequest().setUrn(of).setId(id).setOldInputs(sent(oldInputs));
      return plugin.diff(request.setOlds(sent(state)).setNews(sent(newInputs)));
    },
    update: async (id: string, state: object, newInputs: object, options: Options = {}) => {
      const { preview = false, of = orders, timeout = 0, oldInputs = {} } = options;
      const request = new pb.UpdateRequest().setUrn(of).setId(id).setPreview(preview).setTimeout(timeout);
      request.setOldInputs(sent(oldInputs)).setOlds(sent(state)).setNews(sent(newInputs));
      return valuesOf((await plugin.update(request)).getProperties());
    },
    read: async (id: string, properties: object = {}, inputs: object = {}, of = orders) => {
      const request = new pb.ReadRequest().setUrn(of).setId(id).setInputs(sent(inputs));
      const response = await plugin.read(request.setProperties(sent(properties)));
      const outputs = valuesOf(response.getProperties());
      return { id: response.getId(), inputs: valuesOf(response.getInputs()), outputs };
    },
    delete: async (id: string, properties: object, options: Options = {}) => {
      const { of = orders, timeout = 0, oldInputs = {} } = options;
      const request = new pb.DeleteRequest().setUrn(of).setId(id).setOldInputs(sent(oldInputs));
      await plugin.delete(request.setProperties(sent(properties)).setTimeout(timeout));
    },
  };
}

/** The error of a call that fails, with what its details say of a resource that exists. */
export function failureIn(error: Partial<ServiceError>) {
  const [details = ""] = error.metadata?.get("grpc-status-details-bin") ?? [];
  const [packed = new Any()] = Status.deserializeBinary(Buffer.from(details)).getDetailsList();
  const name = "pulumirpc.ErrorResourceInitFailed";
  const failure = packed.unpack((bytes) => pb.ErrorResourceInitFailed.deserializeBinary(bytes), name);
  return {
    // gRPC puts the code before the message.
    message: (error.message ?? "").replace(`${status.UNKNOWN} UNKNOWN: `, ""),
    id: failure?.getId(),
    outputs: valuesOf(failure?.getProperties()),
    reasons: failure?.getReasonsList(),
  };
}

export const callFailureOf = (work: Promise<unknown>) =>
  rejection(work).then((error) => failureIn(error as Partial<ServiceError>));

/** The message after its way over gRPC. */
const received = (message: Message): Message =>
  (message.constructor as unknown as typeof Struct).deserializeBinary(message.serializeBinary());

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
  // The stack of a plugin that no test gives one has only what the engine deletes.
  const resources: object[] = [];
  const exportStack = () => Promise.resolve(JSON.stringify({ deployment: { resources } }));
  const provider = new NativeProvider(log, noSchema, { exportStack, ...options, newClock });
  const answers = answersBy(async (method, request) => {
    if (request instanceof pb.DeleteRequest)
      resources.push({ urn: request.getUrn(), type: partsOf(request.getUrn()).type, id: request.getId() });
    const call = (provider[method] as (sent: Message) => unknown).call(provider, received(request));
    const answer = await during(Promise.resolve(call));
    return answer === undefined ? undefined : received(answer as Message);
  });
  return { provider, ...callsOn(answers) };
}
