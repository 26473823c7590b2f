import type { Account } from "./account";
import { seedBackups } from "./backup";
import type { Clock } from "./clock";
import { readData, writeData } from "./data-file";
import type { StoredEndpoint } from "./endpoint";
import type { Pipe, ReversePrivateEndpoint } from "./models";
import { stateOf } from "./phase";
import type { StoredPipe } from "./pipe";
import type { StoredService } from "./service";
import { makeService } from "./service";

const newService = (id: string): Omit<StoredService, "organizationId"> => ({
  service: makeService(id),
  releaseChannel: "default",
  backups: seedBackups(id),
  edited: false,
});

/** Everything that exists, in memory and in the data file, if there is one. */
export class Store {
  readonly services = new Map<string, StoredService>();
  readonly pipes = new Map<string, StoredPipe>();
  readonly endpoints = new Map<string, StoredEndpoint>();

  constructor(
    private readonly accounts: readonly Account[],
    private readonly clock: Clock,
    private readonly stateSeconds: number,
    private readonly file: string | undefined,
  ) {
    this.load();
  }

  private load(): void {
    const data = this.file === undefined ? undefined : readData(this.file);
    if (data) {
      this.clock.offsetMs = data.clockOffsetMs;
      for (const stored of data.services) this.services.set(stored.service.id, stored);
      for (const stored of data.pipes)
        this.pipes.set(stored.pipe.id, { ...stored, digests: {}, zeroLists: 0 });
      for (const stored of data.endpoints) this.endpoints.set(stored.endpoint.id, stored);
    }
    this.seedServices();
    // A file that cannot be written is an error now, not at the first request.
    this.save();
  }

  private seedServices(): void {
    for (const { organizationId, serviceIds } of this.accounts)
      for (const id of serviceIds) {
        if (this.services.has(id)) continue;
        this.services.set(id, { ...newService(id), organizationId });
      }
  }

  /** Restores the services of the accounts, and deletes everything else. */
  reset(): void {
    this.services.clear();
    this.pipes.clear();
    this.endpoints.clear();
    this.clock.offsetMs = 0;
    this.seedServices();
    this.save();
  }

  /** Called after every change and before its answer, so that a crash loses nothing that was answered. */
  save(): void {
    if (this.file === undefined) return;
    writeData(this.file, {
      clockOffsetMs: this.clock.offsetMs,
      services: [...this.services.values()],
      pipes: [...this.pipes.values()].map(({ digests: _, zeroLists: __, ...stored }) => stored),
      endpoints: [...this.endpoints.values()],
    });
  }

  pipesOf(serviceId: string): StoredPipe[] {
    return [...this.pipes.values()].filter(({ pipe }) => pipe.serviceId === serviceId);
  }

  /** The pipe as it is now. */
  view({ pipe, phase }: StoredPipe): Pipe {
    return { ...pipe, state: stateOf(phase, this.clock.now(), this.stateSeconds) };
  }

  /** The endpoint as it is now. */
  viewEndpoint({ endpoint, phase }: StoredEndpoint): ReversePrivateEndpoint {
    return { ...endpoint, status: stateOf(phase, this.clock.now(), this.stateSeconds) };
  }
}
