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

const orders = urnOf("orders");

/** The calls of the engine about a resource, with plain values. */
export function callsOn(plugin: () => NativePlugin) {
  const client = (): NativePlugin["client"] => plugin().client;
  return {
    check: async (news: object, olds: object = {}, of = orders) => {
      const request = new pb.CheckRequest().setUrn(of).setOlds(structOf(olds)).setNews(structOf(news));
      const response = await call<pb.CheckResponse>((done) => client().check(request, done));
      return {
        inputs: valuesOf(response.getInputs()),
        failures: response.getFailuresList().map((failure) => [failure.getProperty(), failure.getReason()]),
      };
    },
    create: async (inputs: object, { preview = false, of = orders, timeout = 0 } = {}) => {
      const request = new pb.CreateRequest()
        .setUrn(of)
        .setProperties(structOf(inputs))
        .setPreview(preview)
        .setTimeout(timeout);
      const response = await call<pb.CreateResponse>((done) => client().create(request, done));
      return { id: response.getId(), outputs: valuesOf(response.getProperties()) };
    },
    diff: async (id: string, olds: object, news: object) => {
      const request = new pb.DiffRequest()
        .setUrn(orders)
        .setId(id)
        .setOlds(structOf(olds))
        .setNews(structOf(news));
      return call<pb.DiffResponse>((done) => client().diff(request, done));
    },
    update: async (id: string, olds: object, news: object, { of = orders, timeout = 0 } = {}) => {
      const request = new pb.UpdateRequest()
        .setUrn(of)
        .setId(id)
        .setOlds(structOf(olds))
        .setNews(structOf(news))
        .setTimeout(timeout);
      const response = await call<pb.UpdateResponse>((done) => client().update(request, done));
      return valuesOf(response.getProperties());
    },
    read: async (id: string, properties: object = {}) => {
      const request = new pb.ReadRequest().setUrn(orders).setId(id).setProperties(structOf(properties));
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
        .setProperties(structOf(properties))
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
