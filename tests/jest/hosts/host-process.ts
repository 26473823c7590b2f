import { createRequire } from "node:module";
import type { Socket } from "node:net";
import path from "node:path";
import {
  credentials,
  Server,
  ServerCredentials,
  status,
  type sendUnaryData,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { END_OF_RUN, FREE, type HostMessage } from "../../kit/hosts";

const repository = path.resolve(__dirname, "../../..");
const MESSAGE_BYTES = 400 * 1024 * 1024;

let engine: EngineClient | undefined;

/** For answers that are on their way when a run ends. */
const END_MS = 1000;

let canServeAgain = true;

/** Whether this process can serve another run: what a failed or unfinished run has left behind must not reach the next one. */
export function setReusable(value: boolean): void {
  canServeAgain = value;
}

function endRun(): void {
  if (canServeAgain) process.send?.(FREE);
  else setTimeout(() => process.exit(0), END_MS);
}

/** Sends the output of this process to the engine at this address, as lines of the stack. */
export function connectToEngine(address: string): void {
  engine?.close();
  engine = new EngineClient(address, credentials.createInsecure());
}

/** The engine shows the output of its plugins and of the program line by line. */
const toEngine = (text: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
  for (const [line] of String(text).matchAll(/[^\n]+/g))
    engine?.log(new LogRequest().setSeverity(LogSeverity.INFO).setMessage(line), () => undefined);
  const done = rest.find((each) => typeof each === "function") as (() => void) | undefined;
  done?.();
  return true;
};

const { cache } = createRequire(__filename);

/** Lets a program or a plugin load its modules anew: the provider's, those with a state of their own, and those of `folders`. */
export function forgetModules(...folders: readonly string[]): void {
  const own = [path.join(repository, "provider/dist"), ...folders].map((folder) => folder + path.sep);
  const isForgotten = (file: string): boolean =>
    own.some((folder) => file.startsWith(folder)) || /[\\/]node_modules[\\/]axios[\\/]/.test(file);
  for (const file of Object.keys(cache)) if (isForgotten(file)) Reflect.deleteProperty(cache, file);
}

export const unimplemented = (service: ServiceDefinition): UntypedServiceImplementation =>
  Object.fromEntries(
    Object.keys(service).map((name) => [
      name,
      (_: unknown, done: sendUnaryData<unknown>) => {
        done({ code: status.UNIMPLEMENTED, details: name });
      },
    ]),
  );

/**
 * Serves one run after another: each message of the parent process begins one, and has the connection of the CLI. A host ends with
 * its parent.
 */
export function serveRuns(
  service: ServiceDefinition,
  handlers: UntypedServiceImplementation,
  begin: (message: HostMessage) => void,
): void {
  const server = new Server({
    "grpc.max_receive_message_length": MESSAGE_BYTES,
    "grpc.max_send_message_length": MESSAGE_BYTES,
  });
  server.addService(service, handlers);
  const connections = server.createConnectionInjector(ServerCredentials.createInsecure());
  process.stdout.write = toEngine;
  process.stderr.write = toEngine;
  process.on("message", (message: HostMessage | typeof END_OF_RUN, socket: Socket) => {
    if (message === END_OF_RUN) {
      endRun();
      return;
    }
    for (const name of Object.keys(process.env))
      if (!(name in message.env)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, message.env);
    process.chdir(message.cwd);
    begin(message);
    connections.injectConnection(socket);
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.(FREE);
}
