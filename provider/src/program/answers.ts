import type * as pulumi from "@pulumi/pulumi";
import { countCreate, logCreateTime } from "./create-time";
import { logNotes } from "./notes";
import { perProgram } from "./per-program";

/** A member of outputs that the SDK leaves out of its types. */
interface SdkOutput {
  readonly isKnown?: Promise<boolean>;
}

/** How many resources of the program the engine has not answered yet. */
const answers = perProgram(() => ({ open: 0 }));

/** Logs what is about several resources when the engine has answered all that the program has registered so far. */
export function followAnswer(resource: pulumi.CustomResource, countsAsCreate: boolean): void {
  const { isKnown } = resource.id as SdkOutput;
  if (isKnown === undefined) return;
  const all = answers();
  all.open += 1;
  const end = (known: boolean): void => {
    all.open -= 1;
    if (countsAsCreate && !known) countCreate();
    if (all.open > 0) return;
    logCreateTime();
    logNotes();
  };
  void isKnown.then(end, () => {
    end(true);
  });
}
