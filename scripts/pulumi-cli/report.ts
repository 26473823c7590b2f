/** Takes one line for the user. */
export type Report = (line: string) => void;

export const toStderr: Report = (line) => {
  process.stderr.write(`${line}\n`);
};
