import { styleText } from "node:util";
import { printableLines } from "../messages/printable";

export type Style = Parameters<typeof styleText>[0] | undefined;

export interface Output {
  /** What the command was asked for. A terminal with colors shows each line in its style. */
  readonly result: (text: string, styles?: readonly Style[]) => void;
  /** What the command does, and what is wrong. */
  readonly progress: (text: string) => void;
}

export const processOutput: Output = {
  result: (text, styles = []) => {
    const { stdout } = process;
    const lines = text.split("\n").map((line, index) => {
      const style = styles[index];
      return style === undefined ? line : styleText(style, line, { stream: stdout });
    });
    stdout.write(lines.join("\n"));
  },
  progress: (text) => {
    process.stderr.write(text);
  },
};

/** The output without what could control a terminal, or command the runner of a pipeline: names and messages are texts of others. */
export const printableOutput = ({ result, progress }: Output): Output => ({
  result: (text, styles) => {
    result(printableLines(text), styles);
  },
  progress: (text) => {
    progress(printableLines(text));
  },
});

/** A command failed, and its result says why. */
export class ReportedFailure extends Error {
  override readonly name = "ReportedFailure";
}
