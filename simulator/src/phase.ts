import type { Pipe } from "./models";

/** States that a pipe or an endpoint passes through, at equal intervals; the last one stays. */
export interface Phase {
  states: string[];
  /** When the first state began, in ms. */
  since: number;
}

/** The state now: computed at each request, so no timer has to run. */
export function stateOf(phase: Phase, now: number, stateSeconds: number): string {
  const last = phase.states.length - 1;
  const elapsed = Math.max(0, now - phase.since);
  const step = stateSeconds === 0 ? last : Math.min(last, Math.floor(elapsed / (stateSeconds * 1000)));
  return phase.states[step] ?? "Unknown";
}

const isOneTime = ({ source }: Pick<Pipe, "source">): boolean =>
  source.objectStorage !== undefined && source.objectStorage.isContinuous !== true;

export function pipeCreation(pipe: Pick<Pipe, "source">, since: number): Phase {
  const loading = pipe.source.postgres ? ["Snapshot", "Running"] : ["Running"];
  return {
    since,
    states: ["Provisioning", "Setup", ...loading, ...(isOneTime(pipe) ? ["Completed"] : [])],
  };
}

export function pipeUpdate(pipe: Pick<Pipe, "source">, since: number): Phase {
  return { since, states: ["Modifying", "Running", ...(isOneTime(pipe) ? ["Completed"] : [])] };
}

export function endpointCreation(since: number): Phase {
  return { since, states: ["Provisioning", "Ready"] };
}
