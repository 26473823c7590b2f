import * as pulumi from "@pulumi/pulumi";
import { PRIVATE_STATE, type PrivateState } from "../lifecycle/private-state";
import { RunFile, type IdUse } from "../lifecycle/run-file";
import { perProgram } from "./per-program";
import type { Optional } from "./argument-types";

/**
 * The file of the program. The engine deletes after the program's process has ended, so it belongs to the parent process: the language
 * host, which ends with the run, or what has started an inline program.
 */
export const fileOfProgram = perProgram(
  () =>
    new RunFile(engineAddress(), {
      processId: process.ppid,
      isOfProgram: true,
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

/**
 * Writes the id that a declared resource adopts, and the id that it has in the stack, into the file of the program: the engine tells the
 * plugin process nothing about resources that `--target` or `--exclude` leaves out.
 */
export function addIds(
  resource: pulumi.CustomResource,
  identity: { readonly type: string; readonly key: string },
  adopt: Optional<string>,
): void {
  const file = fileOfProgram();
  const add = (id: unknown, how: Pick<IdUse, "use" | "createdBy">): void => {
    if (typeof id === "string") file.add({ ...identity, id, ...how });
  };
  pulumi.output(adopt).apply((id) => {
    add(id, { use: "adopts" });
  });
  // The engine also answers with the state of a resource that the run leaves out.
  const { [PRIVATE_STATE]: state } = resource as {
    [PRIVATE_STATE]?: pulumi.Output<PrivateState | undefined>;
  };
  pulumi.all([resource.id, state]).apply(([id, stored]) => {
    add(id, { use: "has", createdBy: stored?.key });
  });
}
