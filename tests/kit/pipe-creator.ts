import type { Clock } from "../../provider/src/api/http/clock";
import { PipeCreator } from "../../provider/src/resources/pipe/create";
import type { PipeInputs } from "../../provider/src/resources/pipe/schema";
import type { Connected } from "./connected";
import { apiOf, runContext } from "./run-context";

/** Creates a pipe as a resource does in a run of its own, without a check. */
export function createPipe(
  { client, scope, log, warn }: Connected,
  clock: Clock,
  pipe: Omit<PipeInputs, "organizationId" | "serviceId">,
) {
  const context = { ...runContext(), ...apiOf(client, clock), log, warn };
  return new PipeCreator(context).create({ ...scope, ...pipe });
}
