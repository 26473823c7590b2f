import { readFile } from "node:fs/promises";
import path from "node:path";
import { EngineLog } from "./engine-log";
import { NativeProvider } from "./provider";
import { serve } from "./server";

/** The engine passes its address. With PULUMI_DEBUG_PROVIDERS it attaches later. */
const [, , engineAddress] = process.argv;

async function main(): Promise<void> {
  const schema = path.join(__dirname, "schema.json");
  const provider = new NativeProvider(new EngineLog(engineAddress), () => readFile(schema, "utf8"));
  // The engine reads the port from the first line.
  console.log(await serve(provider));
}

void main();
