import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { RunFile } from "../provider/src/lifecycle/run-file";
import { onEnd } from "./started";

/** The files of a new run, by the id of their process. */
export function newRun(isAlive: (processId: number) => boolean = () => true) {
  const folder = mkdtempSync(path.join(tmpdir(), "datapipes-run-"));
  onEnd(() => {
    rmSync(folder, { recursive: true });
  });
  return (processId: number, isOfProgram = false) =>
    new RunFile("engine", { folder, processId, isOfProgram, isAlive });
}
