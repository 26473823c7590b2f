import { printableLines } from "../messages/printable";
import { showsColors } from "./style";

/** The same text with colours. */
type Styled = (text: string) => string;

export interface Output {
  /** What the command was asked for. A terminal with colours shows the styled text. */
  readonly result: (text: string, styled?: Styled) => void;
  /** What the command does, and what is wrong. */
  readonly progress: (text: string) => void;
}

export const processOutput: Output = {
  result: (text, styled) => {
    const { stdout } = process;
    stdout.write(styled !== undefined && showsColors(stdout) ? styled(text) : text);
  },
  progress: (text) => {
    process.stderr.write(text);
  },
};

/** The output without what could control a terminal, or command the runner of a pipeline: names and messages are texts of others. */
export const printableOutput = ({ result, progress }: Output): Output => ({
  result: (text, styled) => {
    result(printableLines(text), styled);
  },
  progress: (text) => {
    progress(printableLines(text));
  },
});

/** A command failed, and its result says why. */
export class ReportedFailure extends Error {
  override readonly name = "ReportedFailure";
}
