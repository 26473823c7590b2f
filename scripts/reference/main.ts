import { keep } from "../made-files";
import { runWithOption } from "../run";
import { MADE } from "./files";

const usage = `usage: npm run reference [-- --check]

Makes the arguments, the classes, the data functions, docs/reference and plugin/schema.json from the schemas and their doc comments, and
provider/README.md from README.md.
With --check nothing is written; the exit code is 1 when a file is not as it should be.
`;

runWithOption("--check", usage, async (isCheck) => {
  let code = 0;
  for (const make of MADE)
    code = Math.max(code, await keep(await make(), { isCheck, command: "npm run reference" }));
  return code;
});
