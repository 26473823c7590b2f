import { page, plain, table } from "../reference/markdown";
import type { Row } from "./row";
import { breaches, rules } from "./rules";
import { troubles } from "./trouble";
import { happened, next, seen } from "./words";

const introduction = `Every kind of fault that the [simulator](../simulator/README.md#faults) knows, met by every kind of operation on the real Pulumi engine: the
CLI, a local backend, and a service with resources of its own for each fault. This page is made by \`npm run faults -- --write\`; the
rows are what was seen, and the verdicts are worked out from them by the rules below. \`npm run faults\` prints the same and ends with
exit code 1 when a rule is broken.`;

const columns = `- **Fault**: what the first request met, or every one. _Nothing done_ and _done_ say whether the server did what was asked before it failed.
- **What happened**: how the run ended, what was sent, and what there was afterwards in the service and in the state.
- **What the user saw**: the error, or the first line that was shown on the way; ids, paths and repeated bodies are left out.
- **Next run**: the same command once more, without the fault. The preview after it was empty.
- **Verdict**: ok, or the rule that is broken.`;

const headings = ["Fault", "What happened", "What the user saw", "Next run", "Verdict"];

/** The verdict of a row. */
export const verdict = (row: Row): string => {
  const broken = breaches(row);
  return broken.length === 0 ? "ok" : `broken: ${broken.join("; ")}`;
};

/** The whole page. */
export function faultPage(rows: readonly Row[]): string {
  const titles = [...new Set(rows.map(({ act }) => act.title))];
  const sections = titles.flatMap((title) => [
    `## ${title}`,
    tableOf(rows.filter(({ act }) => act.title === title)),
  ]);
  return page(
    "# What faults do",
    introduction,
    columns,
    "## What must hold",
    rules.map(({ says }) => `- ${says}`).join("\n"),
    ...sections,
  );
}

const place = ({ trouble }: Row): number => troubles.indexOf(trouble);

const tableOf = (rows: readonly Row[]): string =>
  table(
    headings,
    rows
      .toSorted((one, other) => place(one) - place(other))
      .map((row) => [row.trouble.name, happened(row), seen(row), next(row), verdict(row)].map(plain)),
  );
