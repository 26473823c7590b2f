import { ApiError } from "./api-error";
import type { CreatePipe, UpdatePipe } from "./models";
import type { ServiceBehaviour } from "./profile";
import { kindOf } from "./rules";

/** Only control brings a pipe into one of these: the API has no operation that pauses. */
const PAUSED_STATES = ["Paused", "Stopped"];

export const isPaused = (state: string): boolean => PAUSED_STATES.includes(state);

/** Whether a body touches the source beyond its settings: its connection, or its table mappings. */
function touchesSource({ source = {} }: UpdatePipe): boolean {
  const kind = kindOf(source);
  return kind !== undefined && Object.keys(source[kind] ?? {}).some((field) => field !== "settings");
}

function lacksCredentials({ source }: UpdatePipe): boolean {
  const { host, port, database, credentials } = source?.postgres ?? {};
  return (host ?? port ?? database) !== undefined && credentials === undefined;
}

/** Refuses an update that the profiles do not let through. */
export function refuseByProfile(behaviour: ServiceBehaviour, state: string, body: UpdatePipe): void {
  if (behaviour.has("pause-required") && touchesSource(body) && !isPaused(state))
    throw new ApiError(409, `the pipe must be paused before its source is changed; its state is ${state}`);
  if (behaviour.has("recheck-connection") && lacksCredentials(body))
    throw new ApiError(400, "Authentication failed: the source refused the connection without credentials");
}

/** The fields that `quantity` writes as quantities. */
const QUANTITIES = ["replicaCpuMillicores", "replicaMemoryGb"] as const;

/** The errors of a create that the profiles do not let through. */
export function createErrorsByProfile(behaviour: ServiceBehaviour, { scaling = {} }: CreatePipe): string[] {
  if (!behaviour.has("quantity")) return [];
  const isQuantity = (value = 0): boolean => /^[0-9.]+$/.test(String(value));
  return QUANTITIES.filter((field) => !isQuantity(scaling[field])).map(
    (field) => `scaling.${field} must be a quantity: digits, without a sign or an exponent`,
  );
}
