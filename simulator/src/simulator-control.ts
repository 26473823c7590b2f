import type { Fault } from "./fault";
import type { Backup, CreatePipe, Pipe, ReversePrivateEndpoint, Service } from "./models";
import type { Behaviour } from "./profile";
import type { LoggedRequest } from "./request-log";
import type { Digests } from "./write-only";

/** A pipe to seed: the body of createPipe, and if need be its id and the state that it stays in. */
export type SeedPipe = Omit<CreatePipe, "id" | "state"> & { id?: string; state?: string };

/** Everything that exists. */
export interface SimulatorState {
  /** Simulated time, in ms. */
  now: number;
  organizations: { id: string; serviceIds: string[] }[];
  services: (Service & { organizationId: string; releaseChannel: string })[];
  /** Pipes in response form; `credentialsDigest` has a digest per write-only field that was sent. */
  pipes: (Pipe & { credentialsDigest: Digests })[];
  endpoints: ReversePrivateEndpoint[];
  backups: Backup[];
}

/** The control path in the same process. */
export interface SimulatorControl {
  /** Requests to the API since the start or the last clearing, oldest first. */
  requests(): LoggedRequest[];
  clearRequests(): void;
  /** Everything that exists. */
  state(): SimulatorState;
  /** Back to the beginning: no pipes, endpoints, faults, logged requests or moved clock, and the behaviour of the start. */
  reset(): void;
  /** Makes pipes without a request. A given `state` stays until an update; `serviceId` is the first one by default. */
  seedPipes(pipes: readonly SeedPipe[], serviceId?: string): Pipe[];
  /** Changes a pipe behind everybody's back: a JSON merge patch of its response form (null deletes a field). */
  editPipe(id: string, patch: object): Pipe;
  deletePipe(id: string): void;
  /** Deletes a service and all that is in it: all its paths answer 404 until `reset`. */
  deleteService(id?: string): void;
  /** Changes a service behind everybody's back, by JSON merge patch. */
  editService(id: string, patch: object): Service;
  /** Changes a reverse private endpoint behind everybody's back, by JSON merge patch. */
  editEndpoint(id: string, patch: object): ReversePrivateEndpoint;
  deleteEndpoint(id: string): void;
  /** Adds backups to a service, or replaces all it has. */
  seedBackups(
    backups: readonly Partial<Backup>[],
    options?: { serviceId?: string; replace?: boolean },
  ): Backup[];
  /** Moves the clock of states and rate limit forward; answers the simulated time, in ms. */
  advance(seconds: number): number;
  /** How the simulator behaves now, in all services or in one: profiles, times, clock. */
  behaviour(serviceId?: string): Behaviour;
  /** Changes the given members of the behaviour, for all requests to come; answers the new behaviour. */
  setBehaviour(change: Partial<Behaviour>, serviceId?: string): Behaviour;
  /** Asks for a fault. */
  fault(fault: Fault): void;
  /** The faults still to come. */
  faults(): Fault[];
  clearFaults(): void;
  /** The digest that `credentialsDigest` carries for this value, in this run of this simulator. */
  digest(value: object): string;
}
