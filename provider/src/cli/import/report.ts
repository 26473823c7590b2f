import { describeFailure } from "../../lifecycle/comparison/validation";
import { enumerated } from "../../messages/enumerated";
import { printable } from "../../messages/printable";
import { grouped } from "../grouped";
import type { ImportedPipe } from "./resources";

/** A pipe that the program does not have. */
export interface SkippedPipe {
  readonly id: string;
  readonly name: string;
  readonly serviceId: string;
  readonly reason: string;
}

/** Says which pipes and which values the program does not have. */
export function report(
  skipped: readonly SkippedPipe[],
  pipes: readonly ImportedPipe[],
  say: (line: string) => void,
): void {
  for (const { id, name, reason } of skipped)
    say(`Skipped pipe ${shown(name)} (${id}): ${printable(reason)}.`);
  // A field that one version of a service added is in all of its pipes.
  const problems = pipes.flatMap((pipe) =>
    pipe.undeclared.map((each) => ({ ...pipe, problem: describeFailure(each) })),
  );
  for (const [problem, found] of grouped(problems, (each) => each.problem))
    say(`warning: ${pipesInWords(found)}: ${printable(problem)}. The program does not declare it.`);
  if (pipes.length === 0) say("There is no pipe to write, so no file was written.");
}

const pipesInWords = (pipes: readonly ImportedPipe[]): string =>
  `pipe${pipes.length === 1 ? "" : "s"} ${enumerated(pipes.map(({ id, name }) => `${shown(name)} (${id})`))}`;

const shown = (name: unknown): string => JSON.stringify(printable(String(name)));
