import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const usage = `npm run faults -- [--only <text> | --write]

Runs tests/engine/faults with every fault of the simulator, where \`npm test\` runs a few, and prints a row for each operation.

  --only <text>  only the faults whose name, or whose profile, contains this text
  --write        makes docs/faults.md of the rows

The exit code is 1 if a rule is broken.
`;

const { values } = parseArgs({
  options: { only: { type: "string" }, write: { type: "boolean" }, help: { type: "boolean" } },
});

if (values.help === true) process.stdout.write(usage);
else process.exitCode = runFaults();

function runFaults(): number {
  const { only = "", write = false } = values;
  if (write && only !== "") {
    process.stderr.write("--write needs all rows: leave out --only\n");
    return 1;
  }
  const jest = [require.resolve("jest/bin/jest"), "--selectProjects", "engine", "--", "engine/faults/"];
  const env = { ...process.env, FAULTS_ONLY: only, ...(write && { FAULTS_WRITE: "1" }) };
  return spawnSync(process.execPath, jest, { stdio: "inherit", env }).status ?? 1;
}
