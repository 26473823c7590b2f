import { run } from "./command";

/** A result that could not be written is a failure. Where its reader has read enough, as `head` has, the command goes on without it. */
for (const stream of [process.stdout, process.stderr])
  stream.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    if (stream === process.stdout)
      process.stderr.write(`error: The result could not be written: ${message}.\n`);
    process.once("exit", () => {
      process.exitCode = 1;
    });
  });

void run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
