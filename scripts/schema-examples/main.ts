import { keep } from "../made-files";
import { runWithOption } from "../run";
import { examplePages } from "./pages";

const usage = `usage: npm run schema-examples [-- --check]

Converts the examples of the plugin's schema from YAML to every language, with Pulumi's converter, which Go compiles the first time. Then run
\`npm run reference\`. With --check nothing is written; the exit code is 1 when a file is not as it should be.
`;

runWithOption("--check", usage, async (isCheck) =>
  keep(await examplePages(), { isCheck, command: "npm run schema-examples" }),
);
