import { printableLines } from "../messages/printable";

/** Where a command writes. */
export interface Output {
  /** What the command was asked for. */
  readonly result: (text: string) => void;
  /** What the command does, and what is wrong. */
  readonly progress: (text: string) => void;
}

export const processOutput: Output = {
  result: (text) => {
    process.stdout.write(text);
  },
  progress: (text) => {
    process.stderr.write(text);
  },
};

/** The output without what could control a terminal, or command the runner of a pipeline: names and messages are texts of others. */
export const printableOutput = ({ result, progress }: Output): Output => ({
  result: (text) => {
    result(printableLines(text));
  },
  progress: (text) => {
    progress(printableLines(text));
  },
});

/** A command failed, and its result says why. */
export class ReportedFailure extends Error {
  override readonly name = "ReportedFailure";
}
