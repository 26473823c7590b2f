import { groupBy } from "es-toolkit/array";
import { describeFailure } from "../../lifecycle/validation";
import { enumerated } from "../../messages/enumerated";
import { printable } from "../../messages/printable";
import type { FoundPipe } from "./listed";
import { hasReadableName } from "./readable";
import type { ImportedPipe, SkippedPipe } from "./resources";
import type { UsualSettings } from "./usual-settings";

export type Say = (line: string) => void;

/** Says which pipes and which values the program does not have. */
export function report(skipped: readonly SkippedPipe[], pipes: readonly ImportedPipe[], say: Say): void {
  for (const { id, name, reason, snippet } of skipped) {
    say(`Skipped pipe ${shown(name)} (${id}): ${printable(reason)}.`);
    if (snippet !== undefined)
      say(`To manage it all the same, declare only what the program can say of it:\n${snippet}`);
  }
  const undeclared = pipes.flatMap((pipe) => pipe.undeclared.map((failure) => ({ pipe, failure })));
  // A field that one version of a service added is in all of its pipes.
  for (const [problem, found] of Object.entries(
    groupBy(undeclared, ({ failure }) => describeFailure(failure)),
  ))
    say(
      `warning: ${pipesInWords(found.map(({ pipe }) => pipe))}: ${printable(problem)}. The program does not declare it.`,
    );
  if (pipes.length === 0) say("There is no pipe to write, so no file was written.");
}

/** Says which names the program has in another form. */
export function reportNames(pipes: readonly FoundPipe[], say: Say): void {
  for (const { pipe, returned } of pipes)
    if (!hasReadableName(returned))
      say(
        `warning: pipe ${shown(pipe.name)} (${pipe.id}): its name has control characters or invisible ones; the program has it without them.`,
      );
}

/** Says which settings of all pipes the program does not have. */
export function reportLeftOut({ filledIn }: UsualSettings, say: Say): void {
  const settings = Object.entries(filledIn).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  if (settings.length === 0) return;
  say(
    `Left out ${settings.length === 1 ? "a setting" : `${settings.length} settings`} that all pipes have as the service filled them in; --all-fields declares them: ${settings.join(", ")}.`,
  );
}

/** Says what the stack has already. `chosen` are those of the managed pipes that the command line named. */
export function reportManaged(
  { found, managed, services }: Readonly<Record<"found" | "managed" | "services", number>>,
  chosen: readonly SkippedPipe[],
  say: Say,
): void {
  if (managed === 0) return;
  const where = services === 1 ? "the service" : `${services} services`;
  say(`${found} in ${where}, ${managed} managed, ${found - managed} new.`);
  if (chosen.length > 0)
    say(`Skipped ${pipesInWords(chosen)}: the stack manages ${chosen.length === 1 ? "it" : "them"} already.`);
}

const pipesInWords = (pipes: readonly { readonly id: string; readonly name: string }[]): string =>
  `pipe${pipes.length === 1 ? "" : "s"} ${enumerated(pipes.map(({ id, name }) => `${shown(name)} (${id})`))}`;

const shown = (name: unknown): string => JSON.stringify(printable(String(name)));
