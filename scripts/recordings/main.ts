import { write } from "../made-files";
import { run } from "../run";
import { record, SCENARIO_NAMES } from "./scenarios";

/** Runs the real CLI against the simulator, and keeps in docs/recordings what it shows. */
run(async () => {
  const files = [...(await record(SCENARIO_NAMES))];
  await write(files.map(([name, text]) => ({ path: `docs/recordings/${name}`, text })));
});
