import { run } from "./command";

void run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
