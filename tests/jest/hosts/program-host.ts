/**
 * A language host that stays between runs of the CLI: it runs Node.js programs in its own process, so that no run starts Node.js and
 * loads the SDK. The engine attaches to it by PULUMI_DEBUG_LANGUAGES.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import type { handleUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import * as automation from "@pulumi/pulumi/automation/server";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import {
  GetProgramDependenciesResponse,
  GetRequiredPackagesResponse,
  LanguageHandshakeResponse,
  RunResponse,
  type LanguageHandshakeRequest,
  type RunRequest,
} from "@pulumi/pulumi/proto/language_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { version } from "@pulumi/pulumi/version";
import { connectToEngine, forgetModules, serveRuns, setReusable, unimplemented } from "./host-process";

type Run = handleUnaryCall<RunRequest, RunResponse>;

/** What the Automation API serves programs with; it is not among its public types. */
const { LanguageServer } = automation as unknown as {
  LanguageServer: new (program: () => Promise<unknown>) => { run: (...call: Parameters<Run>) => unknown };
};

const load = createRequire(__filename);

let engineAddress = "";

const answer =
  <T>(response: () => T) =>
  (_: unknown, done: sendUnaryData<T>): void => {
    done(null, response());
  };

const handshake: handleUnaryCall<LanguageHandshakeRequest, LanguageHandshakeResponse> = (call, done) => {
  engineAddress = call.request.getEngineAddress();
  connectToEngine(engineAddress);
  done(null, new LanguageHandshakeResponse());
};

const run: Run = (call, done) => {
  const folder = call.request.getInfo()?.getProgramDirectory() ?? call.request.getPwd();
  call.request.setArgsList([engineAddress]);
  forgetModules(folder);
  setReusable(false);
  const server = new LanguageServer(() => {
    const within = AsyncLocalStorage.snapshot();
    const logged = new Set<unknown>();
    const fail = (error: unknown): void => {
      if (logged.has(error)) return;
      logged.add(error);
      void within(endFailed, folder, error, done);
    };
    for (const event of UNCAUGHT) process.removeAllListeners(event).on(event, fail);
    return runProgram(folder).catch((error: unknown) => {
      fail(error);
      // The run has ended, and this host does not run another program.
      return new Promise(() => undefined);
    });
  });
  server.run(call, (error, response) => {
    // What the program has left behind can still fail.
    for (const event of UNCAUGHT)
      process.removeAllListeners(event).on(event, () => {
        setReusable(false);
      });
    setReusable(true);
    done(error, response);
  });
};

const UNCAUGHT = ["uncaughtException", "unhandledRejection"];

async function runProgram(folder: string): Promise<unknown> {
  const program: unknown = load(folder);
  return await (typeof program === "function" ? (program as () => unknown)() : program);
}

/** Ends a program as a process of its own does: with the error, when nothing is left to do. */
async function endFailed(folder: string, error: unknown, done: sendUnaryData<RunResponse>): Promise<void> {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const text = `Running program '${load.resolve(folder)}' failed with an unhandled exception:\n${stack ?? message}`;
  if (pulumi.ResourceError.isInstance(error))
    await pulumi.log.error(error.hideStack ? message : (stack ?? message), error.resource);
  else await pulumi.log.error(pulumi.RunError.isInstance(error) ? message : text);
  await pulumi.runtime.disconnect();
  done(null, new RunResponse().setBail(true));
}

serveRuns(
  LanguageRuntimeService,
  {
    ...unimplemented(LanguageRuntimeService),
    handshake,
    run,
    getPluginInfo: answer(() => new PluginInfo().setVersion(version)),
    getRequiredPackages: answer(() => new GetRequiredPackagesResponse()),
    getProgramDependencies: answer(() => new GetProgramDependenciesResponse()),
  },
  () => undefined,
);
