import { write } from "../made-files";
import { run } from "../run";
import { record, SCENARIO_NAMES } from "./scenarios";

const usage = `usage: npm run recordings [-- <scenario> …]

Runs the real CLI against the simulator, keeps what it shows in docs/recordings, and puts it into the guides.
Without scenarios, all are run: ${SCENARIO_NAMES.join(", ")}.
`;

run(async (args) => {
  const names = SCENARIO_NAMES.filter((name) => args.length === 0 || args.includes(name));
  if (args.length > 0 && names.length !== args.length) {
    process.stderr.write(usage);
    return 2;
  }
  const files = [...(await record(names))].map(([name, text]) => ({ path: `docs/recordings/${name}`, text }));
  await write(files);
  return 0;
});
