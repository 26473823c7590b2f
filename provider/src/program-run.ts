import * as pulumi from "@pulumi/pulumi";
import { addProgramId, type ProgramId } from "./core/program-ids";
import { PRIVATE_STATE, type PrivateState } from "./core/private-state";
import { perProgram } from "./per-program";
import type { Optional } from "./resources/argument-types";
import { RunFlagFiles } from "./run-flags";

/**
 * The files of the run. The engine deletes after the program's process has ended, so these belong to the parent process: the language
 * host, which ends with the run, or what has started an inline program.
 */
const filesOfProgram = perProgram(
  () =>
    new RunFlagFiles(engineAddress(), {
      processId: process.ppid,
      warn: (line) => void pulumi.log.warn(line),
    }),
);

/** The address of the engine, as the plugin process gets it; undefined without an engine. */
function engineAddress(): string | undefined {
  const engine = pulumi.runtime.getEngine() as { getChannel?: () => { getTarget: () => string } } | undefined;
  return engine
    ?.getChannel?.()
    .getTarget()
    .replace(/^dns:\/*/, "");
}

/** Lists the id that a declared resource adopts, and the id that it has in the stack. */
export function listIds(
  resource: pulumi.CustomResource,
  identity: { readonly type: string; readonly key: string },
  adopt: Optional<string>,
): void {
  if (pulumi.runtime.isDryRun()) return;
  const files = filesOfProgram();
  const list = (id: unknown, more: Pick<ProgramId, "inStack"> = {}): void => {
    if (typeof id === "string") addProgramId(files, { ...identity, id, ...more });
  };
  pulumi.output(adopt).apply((id) => {
    list(id);
  });
  // The engine also answers with the state of a resource that the run leaves out.
  const { [PRIVATE_STATE]: state } = resource as {
    [PRIVATE_STATE]?: pulumi.Output<PrivateState | undefined>;
  };
  pulumi.all([resource.id, state]).apply(([id, stored]) => {
    list(id, { inStack: { createdBy: stored?.key } });
  });
}
