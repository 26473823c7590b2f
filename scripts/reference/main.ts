import { staleFiles, write } from "../made-files";
import { run } from "../run";
import { MADE } from "./files";

/**
 * Makes what comes from the schemas, their doc comments and docs/recordings. With --check nothing is written; the exit
 * code is 1 if a file is not as it should be.
 */
run(async (args) => {
  const isCheck = args.includes("--check");
  for (const make of MADE) {
    const stale = await staleFiles(await make());
    if (!isCheck) await write(stale);
    else if (stale.length > 0) {
      process.stderr.write(
        `run \`npm run reference\`: stale are ${stale.map((file) => file.path).join(", ")}\n`,
      );
      process.exitCode = 1;
    }
  }
});
