import { parseArgs } from "node:util";
import { endStarted } from "../../testkit/started";
import { keep } from "../made-files";
import { run } from "../run";
import { pagesWith } from "./pages";
import { runPipelines } from "./runs";

const usage = `usage: npm run pipelines [-- --print]

Runs the commands of examples/pipelines with the real CLI against the simulator, and puts what they show between the marks of the
pages: <!-- run: <name> --> and <!-- /run -->.

  --print   prints all runs, and writes nothing
`;

async function main(args: readonly string[]): Promise<number> {
  const options = { print: { type: "boolean" }, help: { type: "boolean" } } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (values.help === true) {
    process.stderr.write(usage);
    return 0;
  }
  try {
    const { runs } = await runPipelines();
    if (values.print !== true)
      return await keep(await pagesWith(runs), { isCheck: false, command: "npm run pipelines" });
    for (const [name, { code, text }] of runs)
      process.stdout.write(`━━ ${name}: exit code ${code}\n${text}\n`);
    return 0;
  } finally {
    await endStarted();
  }
}

run(main);
