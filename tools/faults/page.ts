import { page, plain, table } from "../reference/markdown";
import type { Row } from "./row";
import { breaches, rules } from "./rules";
import { faultCases, profiled } from "./fault-case";
import { happened, next, seen } from "./words";

const introduction = `This page shows what every kind of operation does when a request fails, for every kind of fault that the
[simulator](../simulator/README.md#faults) can produce. Each row is a real run of the Pulumi CLI with a local backend, against a service with
resources of its own. \`npm run faults -- --write\` makes this page. \`npm run faults\` prints the same rows, checks them against the rules below, and
ends with exit code 1 if a rule is broken.

The outcome of some faults depends on what answers and lists contain. Those faults run again under each of the simulator's
[profiles](../simulator/README.md#profiles), with the fields that the profile writes in another way or checks.`;

const columns = `- **Fault**: the fault, on the first request or on every request. _Done_ means that the server processed the request before it failed, _nothing done_ that it did not.
- **What happened**: how the run ended, which requests the provider sent, and what existed afterwards in the service and in the state.
- **What the user saw**: the error, or else the first line that the CLI showed, without ids, paths and repeated request bodies.
- **Next run**: the same command again, without the fault.
- **Verdict**: ok, or the rule that the row breaks.`;

const headings = ["Fault", "What happened", "What the user saw", "Next run", "Verdict"];

/** The verdict of a row. */
export const verdict = (row: Row): string => {
  const broken = breaches(row);
  return broken.length === 0 ? "ok" : `broken: ${broken.join("; ")}`;
};

/** The whole page. */
export function faultPage(rows: readonly Row[]): string {
  const isPlain = ({ faultCase }: Row): boolean => faultCase.profile === undefined;
  const titles = [...new Set(rows.map(({ operation }) => operation.title))];
  const sections = titles.flatMap((title) => [
    `## ${title}`,
    tableOf(rows.filter((row) => isPlain(row) && row.operation.title === title)),
  ]);
  const profiles = [...new Set(rows.flatMap(({ faultCase: { profile } }) => profile ?? []))];
  const underProfiles = profiles.flatMap((profile) => [
    `## With the profile \`${profile}\``,
    tableOf(
      rows.filter(({ faultCase }) => faultCase.profile === profile),
      true,
    ),
  ]);
  return page(
    "# What faults do",
    introduction,
    columns,
    "## What must hold",
    rules.map(({ says }) => `- ${says}`).join("\n"),
    ...sections,
    ...underProfiles,
  );
}

const order = [...faultCases, ...profiled];

const place = ({ faultCase }: Row): number => order.indexOf(faultCase);

const tableOf = (rows: readonly Row[], withOperation = false): string =>
  table(
    withOperation ? ["Operation", ...headings] : headings,
    rows
      .toSorted((one, other) => place(one) - place(other))
      .map((row) => [
        ...(withOperation ? [row.operation.title] : []),
        ...[row.faultCase.name, happened(row), seen(row), next(row), verdict(row)].map(plain),
      ]),
  );
