import { status, type ServiceError } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import {
  call,
  initFailureOf,
  structOf,
  urnOf,
  valuesOf,
  type NativePlugin,
} from "../../testkit/native-plugin";
import { minimal } from "../../testkit/pipes";
import { isSecret } from "../../testkit/protocol";

/** The calls of the engine, which a plugin answers in its own process or in this one. */
export interface Answers {
  attach(request: PluginAttach): Promise<unknown>;
  checkConfig(request: pb.CheckRequest): Promise<pb.CheckResponse>;
  configure(request: pb.ConfigureRequest): Promise<pb.ConfigureResponse>;
  invoke(request: pb.InvokeRequest): Promise<pb.InvokeResponse>;
  check(request: pb.CheckRequest): Promise<pb.CheckResponse>;
  diff(request: pb.DiffRequest): Promise<pb.DiffResponse>;
  create(request: pb.CreateRequest): Promise<pb.CreateResponse>;
  read(request: pb.ReadRequest): Promise<pb.ReadResponse>;
  update(request: pb.UpdateRequest): Promise<pb.UpdateResponse>;
  delete(request: pb.DeleteRequest): Promise<unknown>;
}

/** The answers of a plugin in its own process. */
export const answersOf = ({ client }: NativePlugin): Answers => ({
  attach: (request) => call((done) => client.attach(request, done)),
  checkConfig: (request) => call((done) => client.checkConfig(request, done)),
  configure: (request) => call((done) => client.configure(request, done)),
  invoke: (request) => call((done) => client.invoke(request, done)),
  check: (request) => call((done) => client.check(request, done)),
  diff: (request) => call((done) => client.diff(request, done)),
  create: (request) => call((done) => client.create(request, done)),
  read: (request) => call((done) => client.read(request, done)),
  update: (request) => call((done) => client.update(request, done)),
  delete: (request) => call((done) => client.delete(request, done)),
});

const orders = urnOf("orders");
export const { kafka } = minimal.kafka["source"] as { kafka: object };

/** The engine takes its marks of secrets off what it sends to a provider that does not accept them. */
const sent = (value: object) => structOf(unmarked(value) as object);

function unmarked(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unmarked);
  if (isSecret(value)) return unmarked(value.value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unmarked(member)]));
}

const checked = (response: pb.CheckResponse) => ({
  inputs: valuesOf(response.getInputs()),
  failures: response.getFailuresList().map((failure) => [failure.getProperty(), failure.getReason()]),
});

/** The calls of the engine with plain values. */
export function callsOn(plugin: () => Answers) {
  return {
    attach: async (address: string) => {
      await plugin().attach(new PluginAttach().setAddress(address));
    },
    checkConfig: async (news: object, name: string) => {
      const urn = `urn:pulumi:dev::shop::pulumi:providers:datapipes::${name}`;
      return checked(await plugin().checkConfig(new pb.CheckRequest().setUrn(urn).setNews(structOf(news))));
    },
    configure: async (settings: object, name = "default_0_1_0") => {
      await plugin().configure(new pb.ConfigureRequest().setArgs(structOf(settings)).setName(name));
    },
    invoke: async (name: string, args: object) => {
      const request = new pb.InvokeRequest().setTok(`datapipes:index:${name}`).setArgs(structOf(args));
      return valuesOf((await plugin().invoke(request)).getReturn());
    },
    check: async (news: object, olds: object = {}, of = orders) =>
      checked(await plugin().check(new pb.CheckRequest().setUrn(of).setOlds(sent(olds)).setNews(sent(news)))),
    create: async (inputs: object, { preview = false, of = orders, timeout = 0 } = {}) => {
      const request = new pb.CreateRequest().setUrn(of).setProperties(sent(inputs));
      const response = await plugin().create(request.setPreview(preview).setTimeout(timeout));
      return { id: response.getId(), outputs: valuesOf(response.getProperties()) };
    },
    diff: (id: string, olds: object, news: object) =>
      plugin().diff(new pb.DiffRequest().setUrn(orders).setId(id).setOlds(sent(olds)).setNews(sent(news))),
    update: async (id: string, olds: object, news: object, { of = orders, timeout = 0 } = {}) => {
      const request = new pb.UpdateRequest().setUrn(of).setId(id).setOlds(sent(olds)).setNews(sent(news));
      return valuesOf((await plugin().update(request.setTimeout(timeout))).getProperties());
    },
    read: async (id: string, properties: object = {}, inputs: object = {}) => {
      const request = new pb.ReadRequest().setUrn(orders).setId(id).setInputs(sent(inputs));
      const response = await plugin().read(request.setProperties(sent(properties)));
      return {
        id: response.getId(),
        inputs: valuesOf(response.getInputs()),
        outputs: valuesOf(response.getProperties()),
      };
    },
    delete: async (id: string, properties: object, { of = orders, timeout = 0 } = {}) => {
      const request = new pb.DeleteRequest().setUrn(of).setId(id).setProperties(sent(properties));
      await plugin().delete(request.setTimeout(timeout));
    },
  };
}

/** The error of a call that fails, with what it says of a resource that exists. */
export async function failureOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught as Partial<ServiceError>,
  );
  if (error === undefined) throw new Error("the call did not fail");
  const detail = error.metadata && initFailureOf({ metadata: error.metadata });
  // gRPC puts the code before the message.
  const message = (error.message ?? "").replace(`${status.UNKNOWN} UNKNOWN: `, "");
  return { message, id: detail?.getId(), outputs: valuesOf(detail?.getProperties()) };
}
