import path from "node:path";
import { run } from "../run";
import { ARCHIVES, packPlugin } from "./archives";

const usage = `npm run pack:plugin

Writes an archive of the built plugin for each platform into ${path.relative(process.cwd(), ARCHIVES)}, and SHA256SUMS.
`;

run(async (args) => {
  if (args.length > 0) {
    process.stderr.write(usage);
    return 2;
  }
  for (const name of await packPlugin()) process.stdout.write(`${name}\n`);
  return 0;
});
