/** Runs a command line tool: it ends with the code that `main` gives, and an error is one line. */
export function run(main: (args: readonly string[]) => Promise<number>): void {
  main(process.argv.slice(2)).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}

/** Runs a tool that has one option, such as `--check`, which `main` takes as a flag. */
export function runWithOption(
  option: string,
  usage: string,
  main: (isGiven: boolean) => Promise<number>,
): void {
  run(async (args) => {
    if (args.length < 2 && (args[0] ?? option) === option) return main(args.length === 1);
    process.stderr.write(usage);
    return 2;
  });
}
