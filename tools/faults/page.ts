import { page, plain, table } from "../reference/markdown";
import type { Row } from "./row";
import { breaches, rules } from "./rules";
import { profiled, troubles } from "./trouble";
import { happened, next, seen } from "./words";

const introduction = `Every kind of fault that the [simulator](../simulator/README.md#faults) knows, met by every kind of operation on the real Pulumi engine: the
CLI, a local backend, and a service with resources of its own for each fault. This page is made by \`npm run faults -- --write\`; the
rows are what was seen, and the verdicts are worked out from them by the rules below. \`npm run faults\` prints the same and ends with
exit code 1 when a rule is broken.

The faults whose way out depends on what a service says are met a second time under each of the simulator's [profiles](../simulator/README.md#profiles),
with the fields that the profile spells in another way, or checks.`;

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
  const isPlain = ({ trouble }: Row): boolean => trouble.profile === undefined;
  const titles = [...new Set(rows.map(({ act }) => act.title))];
  const sections = titles.flatMap((title) => [
    `## ${title}`,
    tableOf(rows.filter((row) => isPlain(row) && row.act.title === title)),
  ]);
  const profiles = [...new Set(rows.flatMap(({ trouble: { profile } }) => profile ?? []))];
  const spelt = profiles.flatMap((profile) => [
    `## With the profile \`${profile}\``,
    tableOf(
      rows.filter(({ trouble }) => trouble.profile === profile),
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
    ...spelt,
  );
}

const order = [...troubles, ...profiled];

const place = ({ trouble }: Row): number => order.indexOf(trouble);

const tableOf = (rows: readonly Row[], withAct = false): string =>
  table(
    withAct ? ["Operation", ...headings] : headings,
    rows
      .toSorted((one, other) => place(one) - place(other))
      .map((row) => [
        ...(withAct ? [row.act.title] : []),
        ...[row.trouble.name, happened(row), seen(row), next(row), verdict(row)].map(plain),
      ]),
  );
