/**
 * Pulumi's plugin for dynamic resources in a process that stays between runs of the CLI. Each run loads the plugin's own file and the
 * provider anew; the SDK stays. The engine attaches to it by PULUMI_DEBUG_PROVIDERS.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as grpc from "@grpc/grpc-js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { connectToEngine, forgetModules, serveRuns, setReusable, unimplemented } from "./host-process";

type Implementation = grpc.UntypedServiceImplementation;
type Method = grpc.handleUnaryCall<unknown, unknown>;

const load = createRequire(__filename);
const pluginFile = load.resolve("@pulumi/pulumi/cmd/dynamic-provider");
const [node = ""] = process.argv;
const { log, error } = console;

let implementation: Implementation | undefined;

/** The methods of Pulumi's plugin, which would serve them by itself. */
function loadPlugin(): Implementation {
  forgetModules();
  Reflect.deleteProperty(load.cache, pluginFile);
  let loaded: Implementation | undefined;
  class Recorder {
    addService(_: unknown, methods: Implementation): void {
      loaded = methods;
    }
    bindAsync(_: string, __: unknown, done: (error: null, port: number) => void): void {
      done(null, 1);
    }
  }
  const { Server } = grpc;
  const setServer = (value: unknown): void => {
    Object.defineProperty(grpc, "Server", { value, configurable: true, enumerable: true, writable: true });
  };
  setServer(Recorder);
  // It adds listeners to the process.
  for (const event of ["uncaughtException", "unhandledRejection", "exit"]) process.removeAllListeners(event);
  // The provider replaces this, and the plugin prints its port.
  console.error = error;
  console.log = () => undefined;
  try {
    load(pluginFile);
  } finally {
    setServer(Server);
  }
  if (loaded === undefined) throw new Error("Pulumi's plugin has added no service.");
  return loaded;
}

let calls = 0;

/** A method of the plugin that is loaded. The host can serve another run when none works on a call. */
const passing =
  (name: string, otherwise: Method): Method =>
  (call, done) => {
    calls += 1;
    setReusable(false);
    const method = (implementation?.[name] as Method | undefined) ?? otherwise;
    method.call(implementation, call, (...answer) => {
      setReusable((calls -= 1) === 0);
      done(...answer);
    });
  };

const methods = Object.entries(unimplemented(ResourceProviderService)).map(
  ([name, method]) => [name, passing(name, method as Method)] as const,
);

serveRuns(
  ResourceProviderService,
  {
    ...Object.fromEntries(methods),
    attach({ request }: { request: PluginAttach }, done: grpc.sendUnaryData<Empty>): void {
      const address = request.getAddress();
      connectToEngine(address);
      // The engine passes its address as the last argument to the plugins that it starts.
      process.argv = [node, pluginFile, address];
      implementation = loadPlugin();
      // The plugin prints its port in a microtask.
      setImmediate(() => {
        console.log = log;
        done(null, new Empty());
      });
    },
  },
  () => {
    implementation = undefined;
    // A process of its own would start now.
    const startedAt = performance.now();
    process.uptime = () => (performance.now() - startedAt) / 1000;
    // The engine tells it to the plugins that it starts.
    const text = existsSync("Pulumi.yaml") ? readFileSync("Pulumi.yaml", "utf8") : "";
    const [, project] = /^name: ([\w.-]+)$/m.exec(text) ?? [];
    if (project !== undefined) process.env["PULUMI_NODEJS_PROJECT"] = project;
  },
);
