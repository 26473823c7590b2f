import { write } from "../made-files";
import { run } from "../run";
import { examplePages } from "./pages";

/** Converts the examples of the plugin's schema from YAML to every language, with Pulumi's converter. */
run(async () => {
  await write(await examplePages());
});
