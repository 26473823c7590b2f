import { isDatapipesError, saysNotFound } from "../messages/errors";
import { idKey } from "../values/uuid";
import { Decoder, isIdOrAbsent, printableTexts } from "./decoder";
import * as operations from "./document/operations";
import type { ServiceScope } from "../settings/settings";
import { scopeKey, type Operation } from "./document/operations";
import { Secrets } from "./secrets/redaction";
import { isCancelled, systemClock } from "./http/clock";
import { ServerClock } from "./http/server-clock";
import { SharedReads, type Wanted } from "./shared-reads";
import { Snapshots } from "./snapshot";
import { Transport, type TransportOptions } from "./http/transport";
import {
  pipeFromWire,
  pipeToWire,
  settingsFromWire,
  type Identified,
  type WireObject,
} from "./document/wire";
import { getOrAdd } from "../values/get-or-add";

/** The pipes of a service by id, with the API's names, and when the request for them was sent. */
interface SentList {
  readonly pipes: ReadonlyMap<string, Identified>;
  readonly sentAt: number;
}

/** The operations of the API document, by its names. All property names are camelCase. */
export class Client {
  readonly #transport: Transport;
  readonly #decoder: Decoder;
  readonly #snapshots = new Snapshots();
  readonly #reads = new Map<string, SharedReads<SentList>>();

  /** For callers that find out the outcome of a write whose answer was lost. */
  readonly requestContext: Required<Pick<TransportOptions, "clock" | "log" | "warn" | "maxRetries">> & {
    readonly serverClock: ServerClock;
  };

  constructor(options: TransportOptions) {
    const { clock = systemClock, log, warn, maxRetries, secrets = new Secrets() } = options;
    const serverClock = new ServerClock(clock);
    this.requestContext = { clock, log, warn, maxRetries, serverClock };
    this.#transport = new Transport({ ...options, clock, secrets }, serverClock);
    this.#decoder = new Decoder((text, characters) => secrets.startOf(text, characters));
  }

  /** `createPipe`. Calls `sent` before each attempt; it retries only if the server did not receive the request. */
  async createPipe(scope: ServiceScope, body: WireObject, sent?: () => void): Promise<Identified> {
    const operation = operations.createPipe(scope, pipeToWire(body));
    return pipeFromWire(
      this.#decoder.identified(operation, scope, await this.#write(scope, operation, sent)),
    );
  }

  /** `updatePipe`. Messages call the pipe by `name`. */
  async updatePipe(
    scope: ServiceScope,
    pipeId: string,
    body: WireObject,
    name?: unknown,
  ): Promise<WireObject> {
    const operation = operations.updatePipe(scope, pipeId, pipeToWire(body), name);
    const pipe = this.#decoder.identified(operation, scope, await this.#write(scope, operation));
    if (idKey(pipe.id) !== idKey(pipeId)) throw this.#decoder.unexpected(operation, "another pipe");
    return pipeFromWire(pipe);
  }

  /** `listPipes`, without the cache. Calls `sent` before each attempt. */
  async listPipes(scope: ServiceScope, sent?: () => void): Promise<readonly Identified[]> {
    return [...(await this.#pipesById(scope, sent)).values()].map(pipeFromWire);
  }

  /** `listPipes` for a reader who can leave out pipes: those whose id is not a UUID come apart. */
  async listPipesWithIds(
    scope: ServiceScope,
  ): Promise<{ readonly pipes: readonly Identified[]; readonly others: readonly WireObject[] }> {
    const operation = operations.listPipes(scope);
    const { found, others } = this.#decoder.byForm(operation, scope, await this.#transport.send(operation));
    return { pipes: found.map(pipeFromWire), others };
  }

  /** One pipe of the cached list. */
  async findPipe(scope: ServiceScope, pipeId: string): Promise<Identified | undefined> {
    return pipeOf(await this.cachedPipes(scope), pipeId);
  }

  /** The pipes of a service by id, with the API's names, from a list that is read once per run and again after a write. */
  cachedPipes(scope: ServiceScope): Promise<ReadonlyMap<string, Identified>> {
    return this.#snapshots.take(scope, () => this.#pipesById(scope));
  }

  /** `listPipes`, without the cache and not before this call. Calls that wait share one request. Returns also when it was sent. */
  async lookAtPipes(
    scope: ServiceScope,
    wanted?: Wanted,
  ): Promise<{ readonly pipes: readonly Identified[]; readonly sentAt: number }> {
    const { pipes, sentAt } = await this.#look(scope, wanted);
    return { pipes: [...pipes.values()].map(pipeFromWire), sentAt };
  }

  /** One pipe of such a list. */
  async pollPipe(scope: ServiceScope, pipeId: string): Promise<Identified | undefined> {
    return pipeOf((await this.#look(scope)).pipes, pipeId);
  }

  async #look(scope: ServiceScope, wanted?: Wanted): Promise<SentList> {
    const { clock } = this.requestContext;
    const read = async (sent: () => void): Promise<SentList> => {
      let sentAt = clock.now();
      const noteTime = (): void => {
        sentAt = clock.now();
        sent();
      };
      const pipes = await this.#pipesById(scope, noteTime);
      return { pipes, sentAt };
    };
    const reads = getOrAdd(this.#reads, scopeKey(scope), () => new SharedReads(clock, read));
    try {
      return await reads.take(wanted);
    } catch (error) {
      // The run cancelled the call that started the read, but lets this one finish.
      const goesOn = !isCancelled(clock);
      if (goesOn && isDatapipesError(error) && error.answer.connection === "cancelled")
        return read(() => undefined);
      throw error;
    }
  }

  /** `getPipeSettings`; undefined if the pipe has no settings, as postgres pipes. */
  async getPipeSettings(scope: ServiceScope, pipeId: string): Promise<WireObject | undefined> {
    const operation = operations.getPipeSettings(scope, pipeId);
    try {
      const settings = printableTexts(this.#decoder.object(operation, await this.#transport.send(operation)));
      return settingsFromWire(settings as WireObject);
    } catch (error) {
      if (isDatapipesError(error) && saysNotFound(error)) return undefined;
      throw error;
    }
  }

  async createReversePrivateEndpoint(scope: ServiceScope, body: WireObject): Promise<Identified> {
    const operation = operations.createReversePrivateEndpoint(scope, body);
    return this.#decoder.identified(operation, scope, await this.#transport.send(operation));
  }

  /** `updateService`. Calls `sent` before each attempt. */
  async updateService(scope: ServiceScope, body: WireObject, sent?: () => void): Promise<WireObject> {
    const operation = operations.updateService(scope, body);
    const service = this.#decoder.object(operation, await this.#transport.send(operation, sent));
    if (!isIdOrAbsent(service["id"], scope.serviceId))
      throw this.#decoder.unexpected(operation, "another service");
    return service;
  }

  /** `listBackups`, without those whose id is not a UUID, of which it warns. */
  async listBackups(scope: ServiceScope): Promise<readonly WireObject[]> {
    const operation = operations.listBackups(scope);
    const { found, others } = this.#decoder.byForm(operation, scope, await this.#transport.send(operation));
    if (others.length > 0) {
      const names = this.#decoder.namesOf(others.map(({ backupName }) => backupName));
      this.requestContext.warn(`${operation.attempt}: left out what has an id that is not a UUID: ${names}.`);
    }
    return found.map((backup) => printableTexts(backup) as WireObject);
  }

  /** Not in the API document; see {@link operations.deleteReversePrivateEndpoint}. */
  async deleteReversePrivateEndpoint(
    scope: ServiceScope,
    endpointId: string,
    description?: unknown,
  ): Promise<void> {
    await this.#transport.send(operations.deleteReversePrivateEndpoint(scope, endpointId, description));
  }

  /** Not in the API document; see {@link operations.deletePipe}. */
  async deletePipe(scope: ServiceScope, pipeId: string, name?: unknown): Promise<void> {
    await this.#write(scope, operations.deletePipe(scope, pipeId, name));
  }

  /** The pipes of a service by id, with the API's names: most stacks need few of them in camelCase. */
  async #pipesById(scope: ServiceScope, sent?: () => void): Promise<ReadonlyMap<string, Identified>> {
    const operation = operations.listPipes(scope);
    // One unreadable pipe fails the list: without it, the pipe would look deleted.
    const pipes = this.#decoder.list(operation, await this.#transport.send(operation, sent));
    return this.#decoder.byId(operation, scope, pipes);
  }

  /** Drops the cached list before and after a write, also if it fails. */
  async #write(scope: ServiceScope, operation: Operation, sent?: () => void): Promise<unknown> {
    this.#snapshots.drop(scope);
    try {
      return await this.#transport.send(operation, sent);
    } finally {
      this.#snapshots.drop(scope);
    }
  }
}

function pipeOf(pipes: ReadonlyMap<string, Identified>, pipeId: string): Identified | undefined {
  const pipe = pipes.get(idKey(pipeId));
  return pipe === undefined ? undefined : pipeFromWire(pipe);
}
