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

/** A command failed, and its result says why. */
export class ReportedFailure extends Error {
  override readonly name = "ReportedFailure";
}
