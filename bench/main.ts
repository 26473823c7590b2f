import { disposeStacks } from "../tests/support/stack";
import { stopSimulators } from "../tests/support/simulator";
import { measureMatrix } from "./matrix";
import { HELP, parseOptions } from "./options";

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(HELP);
    return;
  }
  try {
    await measureMatrix(options, say);
  } finally {
    await disposeStacks();
    await stopSimulators();
  }
}

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
