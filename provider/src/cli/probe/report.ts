import { counted } from "../../messages/enumerated";
import { printableJson } from "../../messages/printable";
import { ANSWERS } from "./answers";
import type { Seen, Verdict } from "./assumption";
import type { Evidence } from "./evidence";
import { FIELDS } from "./fields";
import { LISTS } from "./lists";
import { WRITES } from "./writes";
import type { Left } from "./written";

/** All assumptions of the provider about a service. */
export const ASSUMPTIONS = [...ANSWERS, ...LISTS, ...FIELDS, ...WRITES];

export interface Finding {
  readonly assumption: string;
  readonly document: string;
  readonly seen: string;
  readonly verdict: Verdict;
  readonly promise: string;
  /** What makes the simulator behave like the service; of an unknown one, what the service may do. */
  readonly simulator: readonly string[];
  /** With `--ids`. */
  readonly pipes?: readonly string[];
}

/** Compares what was seen with each assumption. `shown` makes a text safe to show. */
export function findingsOf(
  evidence: Evidence,
  ids: boolean,
  shown: (text: string) => string,
): readonly Finding[] {
  return ASSUMPTIONS.map(({ assumption, document = "not shown", promise, simulator = [], seen: see }) => {
    const { seen, verdict, pipes = [], ...more }: Seen = see(evidence);
    return {
      ...{ assumption, document, seen: shown(seen), verdict, promise },
      simulator: verdict === "as assumed" ? [] : (more.simulator ?? simulator),
      ...(ids && pipes.length > 0 && { pipes: pipes.map(shown) }),
    };
  });
}

const ORDER: readonly Verdict[] = ["not handled", "handled", "unknown", "as assumed"];

export function markdownOf(findings: readonly Finding[], left: readonly string[]): string {
  const groups = ORDER.map((verdict) => ({
    verdict,
    of: findings.filter((finding) => finding.verdict === verdict),
  }));
  const sections = groups
    .filter(({ of }) => of.length > 0)
    .flatMap(({ verdict, of }) => [
      `## ${verdict.replace(/^./, (first) => first.toUpperCase())}`,
      ...of.map(entryOf),
    ]);
  return `${[
    "# What the service does, and what pulumi-datapipes assumes",
    `${counted(findings.length, "assumption")}: ${groups.map(({ verdict, of }) => `${of.length} ${verdict}`).join(", ")}.`,
    ...left.map((line) => `**${line}**`),
    ...sections,
    ...simulatorLine(findings),
  ].join("\n\n")}\n`;
}

const entryOf = ({ assumption, document, seen, promise, simulator, pipes = [] }: Finding): string =>
  [
    `- **${assumption}**`,
    `  - seen: ${seen}`,
    `  - document: ${document}`,
    `  - promise: ${promise}`,
    ...(simulator.length > 0 ? [`  - simulator: ${simulator.map((flag) => `\`${flag}\``).join(", ")}`] : []),
    ...(pipes.length > 0 ? [`  - pipes: ${pipes.join(", ")}`] : []),
  ].join("\n");

/** The simulator that behaves like the service, as far as its flags can. */
function simulatorLine(findings: readonly Finding[]): readonly string[] {
  const flags = findings
    .filter(({ verdict }) => verdict === "handled" || verdict === "not handled")
    .flatMap(({ simulator }) => simulator)
    .filter((flag) => /^--[a-z-]+(?: [\w:/-]+)?$/.test(flag));
  if (flags.length === 0) return [];
  const profiles = new Set(flags.flatMap((flag) => /^--profile (.*)$/.exec(flag)?.[1] ?? []));
  const others = new Set(flags.filter((flag) => !flag.startsWith("--profile ")));
  const all = [...others, ...(profiles.size > 0 ? [`--profile ${[...profiles].join(",")}`] : [])];
  return [`A simulator that behaves like this: \`npx --no datapipes-simulator ${all.join(" ")}\``];
}

/** What the probe left in the service, a sentence for each pipe. No other pipe has the name. */
export const sentencesOf = (
  left: readonly Left[],
  ids: boolean,
  shown: (text: string) => string,
): readonly string[] =>
  left.map(({ name, id }) => {
    const pipe = `pipe ${shown(JSON.stringify(name))}${ids && id !== undefined ? ` (${id})` : ""}`;
    return id === undefined
      ? `It is unknown whether the service has ${pipe}: delete it in the service's console if it appears.`
      : `The service still has ${pipe}: delete it in the service's console.`;
  });

export const jsonOf = (findings: readonly Finding[], left: readonly string[]): string =>
  `${printableJson({ findings, left })}\n`;
