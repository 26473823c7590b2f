import type { ServiceError } from "@grpc/grpc-js";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import {
  call,
  initFailureOf,
  structOf,
  urnOf,
  valuesOf,
  type NativePlugin,
} from "../../testkit/native-plugin";
import { isSecret } from "../../testkit/protocol";

const orders = urnOf("orders");

/** The engine takes its marks of secrets off what it sends to a provider that does not accept them. */
const sent = (value: object) => structOf(unmarked(value) as object);

function unmarked(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unmarked);
  if (isSecret(value)) return unmarked(value.value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unmarked(member)]));
}

/** The calls of the engine about a resource, with plain values. */
export function callsOn(plugin: () => NativePlugin) {
  const client = (): NativePlugin["client"] => plugin().client;
  return {
    check: async (news: object, olds: object = {}, of = orders) => {
      const request = new pb.CheckRequest().setUrn(of).setOlds(sent(olds)).setNews(sent(news));
      const response = await call<pb.CheckResponse>((done) => client().check(request, done));
      return {
        inputs: valuesOf(response.getInputs()),
        failures: response.getFailuresList().map((failure) => [failure.getProperty(), failure.getReason()]),
      };
    },
    create: async (inputs: object, { preview = false, of = orders, timeout = 0 } = {}) => {
      const request = new pb.CreateRequest()
        .setUrn(of)
        .setProperties(sent(inputs))
        .setPreview(preview)
        .setTimeout(timeout);
      const response = await call<pb.CreateResponse>((done) => client().create(request, done));
      return { id: response.getId(), outputs: valuesOf(response.getProperties()) };
    },
    diff: async (id: string, olds: object, news: object) => {
      const request = new pb.DiffRequest().setUrn(orders).setId(id).setOlds(sent(olds)).setNews(sent(news));
      return call<pb.DiffResponse>((done) => client().diff(request, done));
    },
    update: async (id: string, olds: object, news: object, { of = orders, timeout = 0 } = {}) => {
      const request = new pb.UpdateRequest()
        .setUrn(of)
        .setId(id)
        .setOlds(sent(olds))
        .setNews(sent(news))
        .setTimeout(timeout);
      const response = await call<pb.UpdateResponse>((done) => client().update(request, done));
      return valuesOf(response.getProperties());
    },
    read: async (id: string, properties: object = {}, inputs: object = {}) => {
      const request = new pb.ReadRequest()
        .setUrn(orders)
        .setId(id)
        .setInputs(sent(inputs))
        .setProperties(sent(properties));
      const response = await call<pb.ReadResponse>((done) => client().read(request, done));
      return {
        id: response.getId(),
        inputs: valuesOf(response.getInputs()),
        outputs: valuesOf(response.getProperties()),
      };
    },
    delete: async (id: string, properties: object, { of = orders, timeout = 0 } = {}) => {
      const request = new pb.DeleteRequest()
        .setUrn(of)
        .setId(id)
        .setProperties(sent(properties))
        .setTimeout(timeout);
      await call((done) => client().delete(request, done));
    },
  };
}

/** The error of a call that fails, with what it says of a resource that exists. */
export async function failureOf(work: Promise<unknown>) {
  const error = await work.then(
    () => new Error("the call did not fail"),
    (caught: unknown) => caught as ServiceError,
  );
  if (!("metadata" in error)) throw error;
  const detail = initFailureOf(error);
  return { message: error.details, id: detail?.getId(), outputs: valuesOf(detail?.getProperties()) };
}
