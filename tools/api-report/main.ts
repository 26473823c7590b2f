import { keep } from "../made-files";
import { runWithOption } from "../run";
import { reports } from "./report";

const usage = `usage: npm run api-report [-- --check]

Writes docs/api: everything that programs can use of the packages, so that a review shows each change of it.
With --check nothing is written; the exit code is 1 when a report is stale.
`;

runWithOption("--check", usage, (isCheck) => keep(reports(), { isCheck, command: "npm run api-report" }));
