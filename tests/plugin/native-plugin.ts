import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogSeverity, type LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { onEnd } from "../kit/cleanup";
import { answersBy, callsOn, settingsOf } from "../kit/plugin";
import { pluginFolder } from "../kit/sdk";
import type { Simulator } from "../kit/simulator";

export interface EngineLine {
  readonly severity: "info" | "warning" | "other";
  readonly message: string;
  readonly urn: string;
}

export type NativePlugin = Awaited<ReturnType<typeof startPlugin>>;

/** What the engine passes with `--logflow` and `--tracing`. */
const ENGINE_FLAGS = ["--logtostderr", "-v=9", "--tracing", "tcp://127.0.0.1:1"];

/** Starts the built plugin as the engine does, or by hand without the engine's address, and configures it for a simulator. */
export async function startPlugin(
  simulator?: Simulator,
  { env = process.env, byHand = false }: { env?: NodeJS.ProcessEnv; byHand?: boolean } = {},
) {
  const lines: EngineLine[] = [];
  const engine = await startEngine(lines);
  const launcher = path.join(pluginFolder, "pulumi-resource-datapipes");
  const child = spawn(launcher, byHand ? [] : [...ENGINE_FLAGS, engine.address], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => printed.push(chunk.toString()));
  onEnd(() => child.kill("SIGKILL"));
  const { client, port } = await connectTo(child);
  onEnd(() => {
    client.close();
  });
  type Unary = (request: unknown, done: (error: Error | null, response: unknown) => void) => unknown;
  const answers = answersBy((method, request) =>
    call((done) => (client[method] as Unary).call(client, request, done)),
  );
  const plugin = { ...callsOn(answers), client, port, lines, printed, process: child, engine };
  if (simulator !== undefined) await plugin.configure(settingsOf(simulator));
  return plugin;
}

export async function connectTo(child: ChildProcessByStdio<null, Readable, Readable | null>) {
  // The engine, too, reads the port from the first line.
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const port = Number(line);
  return { port, client: new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure()) };
}

export const call = <T>(start: (done: (error: Error | null, response: T) => void) => void): Promise<T> =>
  promisify(start)();

const SEVERITIES: Readonly<Record<number, EngineLine["severity"]>> = {
  [LogSeverity.INFO]: "info",
  [LogSeverity.WARNING]: "warning",
};

/** The engine's service for lines of the log. It can be killed, as the CLI can. */
async function startEngine(lines: EngineLine[]) {
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
  onEnd(kill);
  const port = await call<number>((done) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), done);
  });
  return { address: `127.0.0.1:${port}`, kill };
}
