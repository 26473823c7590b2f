import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Readable } from "node:stream";
import { createInterface } from "node:readline";
import { credentials, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogSeverity, type LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  ConfigureRequest,
  ErrorResourceInitFailed,
  type DiffResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { Simulator } from "./simulator";
import { secretMarker } from "./protocol";
import { onEnd } from "./started";

const DIST = path.resolve(__dirname, "../plugin/dist");

/** A line that the plugin has logged. */
export interface EngineLine {
  readonly severity: "info" | "warning" | "other";
  readonly message: string;
  readonly urn: string;
}

/** A running plugin, with the engine's side of the protocol. */
export interface NativePlugin {
  readonly client: ResourceProviderClient;
  readonly port: number;
  readonly lines: EngineLine[];
  /** What the process has printed to stdout and stderr. */
  readonly printed: readonly string[];
  /** The process, which a test may watch. */
  readonly process: ChildProcess;
  /** The address of the engine. */
  readonly engine: string;
  /** Ends the engine, as when the CLI is killed. Without one, does nothing. */
  readonly killEngine: () => void;
}

/** What the engine passes with `--logflow` and `--tracing`. */
const ENGINE_FLAGS = ["--logtostderr", "-v=9", "--tracing", "tcp://127.0.0.1:1"];

/** Starts the built plugin as the engine does, or by hand without the engine's address, and configures it for a simulator. */
export async function startPlugin(
  simulator?: Simulator,
  { env = process.env, byHand = false }: { env?: NodeJS.ProcessEnv; byHand?: boolean } = {},
): Promise<NativePlugin> {
  const lines: EngineLine[] = [];
  const engine = await startEngine(lines);
  const launcher = path.join(DIST, "pulumi-resource-datapipes");
  const child = spawn(launcher, byHand ? [] : [...ENGINE_FLAGS, engine.address], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => printed.push(chunk.toString()));
  onEnd(() => {
    child.kill("SIGKILL");
    return Promise.resolve();
  });
  const { client, port } = await connectTo(child);
  onEnd(() => {
    client.close();
    return Promise.resolve();
  });
  const plugin = {
    client,
    port,
    lines,
    printed,
    process: child,
    engine: engine.address,
    killEngine: engine.kill,
  };
  if (simulator !== undefined) await configure(plugin, settingsOf(simulator));
  return plugin;
}

/** Connects to any plugin that has just been started. */
export async function connectTo(
  child: ChildProcessByStdio<null, Readable, Readable | null>,
): Promise<Pick<NativePlugin, "client" | "port">> {
  // The engine, too, reads the port from the first line.
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const port = Number(line);
  return { port, client: new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure()) };
}

/** The configuration of an account, as the engine passes it: with secrets marked. */
export const settingsOf = ({ url, account }: Simulator): Record<string, unknown> => ({
  baseUrl: url,
  apiKeyId: account.apiKeyId,
  apiKeySecret: secretMarker(account.apiKeySecret),
  organizationId: account.organizationId,
  serviceId: account.serviceIds[0] ?? "",
  rateLimit: "off",
});

async function configure({ client }: NativePlugin, settings: object): Promise<void> {
  const request = new ConfigureRequest().setArgs(structOf(settings)).setName("default_0_1_0");
  await call((done) => client.configure(request, done));
}

/** Awaits the answer of a call. */
export const call = <T>(
  start: (done: (error: ServiceError | null, response: T) => void) => unknown,
): Promise<T> =>
  new Promise((resolve, reject) => {
    start((error, response) => {
      if (error === null) resolve(response);
      else reject(error);
    });
  });

export const structOf = (value: object): Struct =>
  Struct.fromJavaScript(value as Record<string, JavaScriptValue>);

export const valuesOf = (struct: Struct | undefined): Record<string, unknown> => struct?.toJavaScript() ?? {};

export const urnOf = (name: string, type = "Pipe"): string =>
  `urn:pulumi:dev::shop::datapipes:index:${type}::${name}`;

const SEVERITIES: Readonly<Record<number, EngineLine["severity"]>> = {
  [LogSeverity.INFO]: "info",
  [LogSeverity.WARNING]: "warning",
};

/** The engine's service for lines of the log. */
function startEngine(lines: EngineLine[]): Promise<{ readonly address: string; readonly kill: () => void }> {
  const server = new Server();
  server.addService(EngineService, {
    log: ({ request }: { request: LogRequest }, done: (error: null, response: Empty) => void) => {
      const severity = SEVERITIES[request.getSeverity()] ?? "other";
      lines.push({ severity, message: request.getMessage(), urn: request.getUrn() });
      done(null, new Empty());
    },
  });
  const kill = (): void => {
    server.forceShutdown();
  };
  onEnd(() => {
    kill();
    return Promise.resolve();
  });
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve({ address: `127.0.0.1:${port}`, kill });
      else reject(error);
    });
  });
}

/** The detailed diff, by path. */
export function detailsOf(response: DiffResponse): [path: string, diff: object][] {
  const details: [string, object][] = [];
  response.getDetaileddiffMap().forEach((change, path) => {
    details.push([path, { kind: change.getKind(), inputdiff: change.getInputdiff() }]);
  });
  return details;
}

/** What the details of a failed create say of the resource that exists. */
export function initFailureOf({
  metadata,
}: Pick<ServiceError, "metadata">): ErrorResourceInitFailed | undefined {
  const [details = ""] = metadata.get("grpc-status-details-bin");
  const [packed = new Any()] = Status.deserializeBinary(Buffer.from(details)).getDetailsList();
  const name = "pulumirpc.ErrorResourceInitFailed";
  return packed.unpack((bytes) => ErrorResourceInitFailed.deserializeBinary(bytes), name) ?? undefined;
}
