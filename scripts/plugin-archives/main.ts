import { run } from "../run";
import { packPlugin } from "./archives";

/** Writes an archive of the built plugin for each platform into plugin/archives, and SHA256SUMS. */
run(async () => {
  for (const name of await packPlugin()) process.stdout.write(`${name}\n`);
});
