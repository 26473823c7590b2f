import { setTimeout as sleep } from "node:timers/promises";
import { Client, credentials, status, type ServiceError } from "@grpc/grpc-js";
import { LOCAL_CHANNEL } from "./engine-log";

/** gRPC's standard service for health. The engine serves it. */
const CHECK = "/grpc.health.v1.Health/Check";
const INTERVAL_MS = 10_000;
/** After a failure the plugin asks once more: one connection may break while the engine lives. */
const REPEAT_MS = 1_000;
const FAILURES = 2;

/** Resolves when the engine at an address no longer exists: a plugin whose CLI was killed must not run for ever. */
export async function waitForEngineExit(address: string): Promise<void> {
  const client = new Client(address, credentials.createInsecure(), LOCAL_CHANNEL);
  for (let failures = 0; failures < FAILURES;) {
    await sleep(failures === 0 ? INTERVAL_MS : REPEAT_MS);
    // Without a deadline: an engine that is stopped, as by Ctrl-Z, answers later.
    failures = (await isUnavailable(client)) ? failures + 1 : 0;
  }
  client.close();
}

/** Whether nothing answers. Any answer shows that the engine runs, also that there is no such service. */
const isUnavailable = (client: Client): Promise<boolean> =>
  new Promise((resolve) => {
    client.makeUnaryRequest(CHECK, asIs, asIs, Buffer.alloc(0), (error: ServiceError | null) => {
      resolve(error?.code === status.UNAVAILABLE);
    });
  });

const asIs = (bytes: Buffer): Buffer => bytes;
