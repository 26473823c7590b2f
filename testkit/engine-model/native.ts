import type { ServiceError } from "@grpc/grpc-js";
import type { Message } from "google-protobuf";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { NativeProvider } from "../../plugin/src/provider";
import { recordLines } from "../lines";
import { initFailureOf, settingsOf, structOf, valuesOf } from "../native-plugin";
import {
  InitFailure,
  type Adapter,
  type Diff,
  type Identity,
  type Operation,
  type PluginOptions,
  type StartPlugin,
  type Stored,
} from "./adapter";
import { diffOf } from "./native-diff";
import type { Properties } from "./wire";
import { UNKNOWN_MARKER } from "../protocol";

/** Starts the native plugin in this process, with the configuration that the engine sends to a default provider. */
export const startNative: StartPlugin = (simulator, options) => {
  const { lines, ...output } = recordLines();
  const log = { ...output, connect: () => undefined, flush: () => Promise.resolve() };
  const noSchema = (): Promise<never> => Promise.reject(new Error("The engine of a run reads no schema."));
  const provider = new NativeProvider(log, noSchema, { newClock: () => options.clock });
  provider.configure(sent(pb.ConfigureRequest, configuration(settingsOf(simulator), options)));
  return { adapter: new NativeAdapter(provider), lines };
};

/** All values of the stack's configuration are texts, and the engine keeps the marks of the secrets among them. */
const configuration = (
  settings: Properties,
  { maxRetries, requestTimeoutSeconds }: PluginOptions,
): pb.ConfigureRequest =>
  new pb.ConfigureRequest()
    .setName("default_0_1_0")
    .setUrn("urn:pulumi:dev::shop::pulumi:providers:datapipes::default_0_1_0")
    .setType("pulumi:providers:datapipes")
    .setAcceptsecrets(true)
    .setArgs(
      structOf({
        ...settings,
        rateLimit: "off",
        maxRetries: String(maxRetries),
        requestTimeoutSeconds: String(requestTimeoutSeconds),
      }),
    );

interface MessageType<M> {
  deserializeBinary(bytes: Uint8Array): M;
}

/** The message after its way over gRPC. */
const sent = <M extends Message>(type: MessageType<M>, message: M): M =>
  type.deserializeBinary(message.serializeBinary());

/** The outputs that the engine accepts: unknown ones only at a preview. */
function known(properties: Properties, { preview }: Operation = { preview: false }): Properties {
  if (!preview && JSON.stringify(properties).includes(UNKNOWN_MARKER))
    throw new Error("The plugin returned an unknown value outside of a preview.");
  return properties;
}

/** Programs send nothing for an undefined argument. */
const argsStruct = (args: Properties) => structOf(JSON.parse(JSON.stringify(args)) as object);

/** The URN of a resource has the types of its parents, not their names. */
function urnOf({ name, type }: Identity): string {
  const names = name.split("/");
  const types = [...names.slice(0, -1).map((parent) => `shop:index:${parent}`), `datapipes:index:${type}`];
  return `urn:pulumi:dev::shop::${types.join("$")}::${names.at(-1) ?? ""}`;
}

type ResourceRequest =
  pb.CheckRequest | pb.DiffRequest | pb.CreateRequest | pb.ReadRequest | pb.UpdateRequest | pb.DeleteRequest;

/** The fields that every request about a resource has. */
function about<R extends ResourceRequest>(resource: Identity, request: R): R {
  request
    .setUrn(urnOf(resource))
    .setName(resource.name.slice(resource.name.lastIndexOf("/") + 1))
    .setType(`datapipes:index:${resource.type}`);
  return request;
}

/**
 * The engine's calls over gRPC. The plugin does not accept secrets, so the engine sends them without their marks; it supports previews, so
 * the engine calls create and update at a preview, too.
 */
class NativeAdapter implements Adapter {
  readonly setsOptions = false;

  constructor(private readonly provider: NativeProvider) {}

  async check(resource: Identity, olds: Properties = {}, args: Properties): Promise<Properties> {
    const request = about(resource, new pb.CheckRequest()).setOlds(structOf(olds)).setNews(argsStruct(args));
    const response = sent(pb.CheckResponse, await this.provider.check(sent(pb.CheckRequest, request)));
    const reasons = response.getFailuresList().map((failure) => failure.getReason());
    if (reasons.length > 0) throw new Error(reasons.join("\n"));
    return valuesOf(response.getInputs());
  }

  async diff(resource: Identity, { id, inputs, outputs }: Stored, news: Properties): Promise<Diff> {
    const { replaceOnChanges = [] } = resource;
    const request = about(resource, new pb.DiffRequest())
      .setId(id)
      .setOldInputs(structOf(inputs))
      .setOlds(structOf(outputs))
      .setNews(structOf(news));
    const response = sent(pb.DiffResponse, await this.provider.diff(sent(pb.DiffRequest, request)));
    return diffOf(response, { before: inputs, after: news, replaceOnChanges });
  }

  async create(resource: Identity, inputs: Properties, operation: Operation) {
    const request = about(resource, new pb.CreateRequest())
      .setProperties(structOf(inputs))
      .setPreview(operation.preview);
    const created = await withInitFailure(this.provider.create(sent(pb.CreateRequest, request)));
    const response = sent(pb.CreateResponse, created);
    const id = response.getId();
    if (id === "" && !operation.preview) throw new Error("The plugin returned no id from create.");
    return { id, outputs: known(valuesOf(response.getProperties()), operation) };
  }

  async update(
    resource: Identity,
    { id, inputs, outputs }: Stored,
    news: Properties,
    operation: Operation,
  ): Promise<Properties> {
    const request = about(resource, new pb.UpdateRequest())
      .setId(id)
      .setOldInputs(structOf(inputs))
      .setOlds(structOf(outputs))
      .setNews(structOf(news))
      .setPreview(operation.preview);
    const updated = await withInitFailure(this.provider.update(sent(pb.UpdateRequest, request)), id);
    return known(valuesOf(sent(pb.UpdateResponse, updated).getProperties()), operation);
  }

  async read(resource: Identity, { id, inputs, outputs }: Stored): Promise<Omit<Stored, "id"> | undefined> {
    const request = about(resource, new pb.ReadRequest())
      .setId(id)
      .setInputs(structOf(inputs))
      .setProperties(structOf(outputs));
    const response = sent(pb.ReadResponse, await this.provider.read(sent(pb.ReadRequest, request)));
    // For the engine, an empty id says that the resource no longer exists.
    if (response.getId() === "") return undefined;
    if (response.getId() !== id) throw new Error(`The plugin read ${response.getId()} instead of ${id}.`);
    return {
      // The engine keeps the old inputs if the plugin returns none.
      inputs: response.hasInputs() ? known(valuesOf(response.getInputs())) : inputs,
      outputs: known(valuesOf(response.getProperties())),
    };
  }

  async delete(resource: Identity, { id, inputs, outputs }: Stored): Promise<void> {
    const request = about(resource, new pb.DeleteRequest())
      .setId(id)
      .setOldInputs(structOf(inputs))
      .setProperties(structOf(outputs));
    await this.provider.delete(sent(pb.DeleteRequest, request));
  }
}

/** A partial failure is a gRPC error whose details have the id and the outputs. An update keeps the id of the state. */
async function withInitFailure<T>(work: Promise<T>, idInState?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const failed = initFailureOf(error as ServiceError);
    if (failed === undefined) throw error;
    const id = idInState ?? failed.getId();
    if (id === "") throw new Error("The details of the failed create have no id.", { cause: error });
    throw new InitFailure(id, known(valuesOf(failed.getProperties())), failed.getReasonsList().join("\n"));
  }
}
