import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { GetMappingResponse } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { CallError } from "./engine-error";
import type { NativeProvider } from "./provider";
import { printableLines } from "../../provider/src/messages/printable";

/** A state of 800 pipes, or a schema, is larger than gRPC's default of 4 MiB. */
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

type Handler<Request, Response> = (
  call: ServerUnaryCall<Request, Response>,
  done: sendUnaryData<Response>,
) => void;

interface Running {
  readonly port: number;
  /** Resolves when the work of all calls has ended, also of those whose caller has gone. */
  readonly finished: () => Promise<void>;
}

/** Serves a provider on a free port of this machine. */
export async function serve(provider: NativeProvider): Promise<Running> {
  const server = new Server({
    "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
  });
  const calls = new Calls();
  server.addService(ResourceProviderService, methodsOf(provider, calls));
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve({ port, finished: () => calls.finished() });
      else reject(error);
    });
  });
}

class Calls {
  readonly #running = new Set<Promise<void>>();

  readonly unary =
    <Request, Response>(
      work: (request: Request) => Response | Promise<Response>,
    ): Handler<Request, Response> =>
    ({ request }, done) => {
      const call = Promise.resolve()
        .then(() => work(request))
        .then(
          (response) => {
            done(null, response);
          },
          (error: unknown) => {
            done(asCallError(error));
          },
        )
        .finally(() => this.#running.delete(call));
      this.#running.add(call);
    };

  async finished(): Promise<void> {
    await Promise.all(this.#running);
  }
}

const methodsOf = (provider: NativeProvider, { unary }: Calls) => ({
  getSchema: unary(() => provider.getSchema()),
  getPluginInfo: unary(() => provider.getPluginInfo()),
  attach: unary((request: Parameters<NativeProvider["attach"]>[0]) => {
    provider.attach(request);
    return new Empty();
  }),
  cancel: unary(() => {
    provider.cancel();
    return new Empty();
  }),
  checkConfig: unary((request: Parameters<NativeProvider["checkConfig"]>[0]) =>
    provider.checkConfig(request),
  ),
  diffConfig: unary(() => provider.diffConfig()),
  configure: unary((request: Parameters<NativeProvider["configure"]>[0]) => provider.configure(request)),
  invoke: unary((request: Parameters<NativeProvider["invoke"]>[0]) => provider.invoke(request)),
  check: unary(provider.check),
  diff: unary(provider.diff),
  create: unary(provider.create),
  read: unary(provider.read),
  update: unary(provider.update),
  delete: unary(async (request: Parameters<NativeProvider["delete"]>[0]) => {
    await provider.delete(request);
    return new Empty();
  }),
  getMapping: unary(() => new GetMappingResponse()),
});

const asCallError = (error: unknown): CallError =>
  error instanceof CallError
    ? error
    : new CallError(printableLines(error instanceof Error ? error.message : String(error)));
