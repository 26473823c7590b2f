import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Log } from "../../provider/src/lifecycle/program/lifecycle";
import { currentUrn } from "./calls";

/** Where the lines of a provider go. */
export interface LineOutput extends Log {
  /** Sends the lines from now on to the engine at an address. */
  connect(address: string): void;
  /** Resolves when all lines have arrived. */
  flush(): Promise<void>;
}

/** A proxy of the environment must not carry what stays on this machine. */
export const LOCAL_CHANNEL = { "grpc.enable_http_proxy": 0 };

/** Writes lines to the engine, which shows them beside the resource that they are about. */
export class EngineLog implements LineOutput {
  #engine: EngineClient | undefined;
  /** Lines that are on their way. */
  readonly #pending = new Set<Promise<void>>();

  constructor(address?: string) {
    if (address !== undefined) this.connect(address);
  }

  connect(address: string): void {
    this.#engine?.close();
    this.#engine = new EngineClient(address, credentials.createInsecure(), LOCAL_CHANNEL);
  }

  readonly log = (line: string): void => {
    this.#send(LogSeverity.INFO, line);
  };

  readonly warn = (line: string): void => {
    this.#send(LogSeverity.WARNING, line);
  };

  /** Resolves when the engine has all lines: it drops those that arrive after the answer to the last call. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #send(severity: LogSeverity, line: string): void {
    const engine = this.#engine;
    if (engine === undefined) {
      console.error(line);
      return;
    }
    const request = new LogRequest()
      .setSeverity(severity)
      .setMessage(line)
      .setUrn(currentUrn() ?? "");
    const sent = new Promise<void>((resolve) => {
      engine.log(request, () => {
        resolve();
      });
    }).finally(() => this.#pending.delete(sent));
    this.#pending.add(sent);
  }
}
