import { readFile } from "node:fs/promises";
import path from "node:path";
import { engineAddress } from "../../provider/src/run/engine-address";
import { EngineLog } from "./engine-log";
import { NativeProvider } from "./provider";
import { waitForEngineExit } from "./engine-watch";
import { serve } from "./server";

/** Undefined with PULUMI_DEBUG_PROVIDERS: the engine attaches later, and the plugin outlives it. */
const address = engineAddress();

/** How long requests may take that were sent before the engine went away. */
const MAX_FINISH_MS = 300_000;

async function main(): Promise<void> {
  const schema = path.join(__dirname, "schema.json");
  const provider = new NativeProvider(new EngineLog(address), () => readFile(schema, "utf8"));
  const { port, finished } = await serve(provider);
  // The engine reads the port from the first line.
  console.log(port);
  if (address === undefined) return;
  await waitForEngineExit(address);
  provider.end();
  setTimeout(() => process.exit(1), MAX_FINISH_MS);
  await finished();
  process.exit(1);
}

void main();
