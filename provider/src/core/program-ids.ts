import type { RunFlags } from "./definition";

/**
 * An id that a resource of the program adopts, or has in the stack. The program's process lists them: the engine tells the plugin
 * process nothing about resources that `--target` or `--exclude` leaves out.
 */
export interface ProgramId {
  readonly type: string;
  readonly key: string;
  readonly id: string;
  /** What the state says of a resource that has the id in the stack: the key that created it, if it says one. */
  readonly inStack?: { readonly createdBy?: string | undefined };
}

const LIST = "program ids";

/** A program without this line can lose what it adopts, so a failure warns. */
export function addProgramId(
  files: { append(list: string, line: string, isNeeded: boolean): void },
  { id, ...resource }: ProgramId,
): void {
  const line = JSON.stringify({ ...resource, id: id.toLowerCase() });
  files.append(LIST, line, resource.inStack === undefined);
}

/** The uses of an id by resources of a type. */
export function programIds(flags: RunFlags, type: string, id: string): readonly ProgramId[] {
  const text = JSON.stringify(id.toLowerCase());
  const lines = flags.lines(LIST).filter((line) => line.includes(text));
  return lines
    .map((line) => JSON.parse(line) as ProgramId)
    .filter((use) => use.type === type && use.id === id.toLowerCase());
}
