import { InvalidResponseError, isDatapipesError } from "../errors";
import * as operations from "./operations";
import { requestLine, type Operation, type ServiceScope } from "./operations";
import { systemClock } from "./rate-limiter";
import { isPrintable, printable } from "../printable";
import { ServerClock } from "./server-clock";
import { Snapshots } from "./snapshot";
import { Transport, type TransportOptions } from "./transport";
import {
  idKey,
  isWireObject,
  pipeFromWire,
  pipeToWire,
  settingsFromWire,
  type Identified,
  type WireObject,
  type WireValue,
} from "./wire";

/** The operations of the API document, by its names. Property names are camelCase on this side of it. */
export class Client {
  readonly #transport: Transport;
  readonly #snapshots = new Snapshots();
  readonly #polls = new Snapshots();

  /** What a caller needs to find out what became of a request without a clear answer. */
  readonly requestContext: Required<Pick<TransportOptions, "clock" | "log" | "warn" | "maxRetries">> & {
    readonly serverClock: ServerClock;
  };

  constructor(options: TransportOptions) {
    const { clock = systemClock, log, warn, maxRetries } = options;
    const serverClock = new ServerClock(clock);
    this.requestContext = { clock, log, warn, maxRetries, serverClock };
    this.#transport = new Transport({ ...options, clock, serverClock });
  }

  /** `createPipe`, sent once. Calls `sent` when it goes out, and again when it goes out anew because the server saw nothing of it. */
  async createPipe(scope: ServiceScope, body: WireObject, sent?: () => void): Promise<Identified> {
    const operation = operations.createPipe(scope, pipeToWire(body));
    const pipe = withId(operation, scope, await this.#write(scope, operation, sent));
    if (!ID.test(pipe.id)) throw unexpectedResult(operation, "an object whose id is not a UUID");
    return pipeFromWire(pipe);
  }

  /** `updatePipe`. `name` is what messages call the pipe. */
  async updatePipe(
    scope: ServiceScope,
    pipeId: string,
    body: WireObject,
    name?: unknown,
  ): Promise<WireObject> {
    const operation = operations.updatePipe(scope, pipeId, pipeToWire(body), name);
    const pipe = withId(operation, scope, await this.#write(scope, operation));
    if (idKey(pipe.id) !== idKey(pipeId)) throw unexpectedResult(operation, "another pipe");
    return pipeFromWire(pipe);
  }

  /** `listPipes`, sent at every call, which calls `sent` when it goes out. */
  async listPipes(scope: ServiceScope, sent?: () => void): Promise<readonly Identified[]> {
    return [...(await this.#pipesById(scope, sent)).values()].map(pipeFromWire);
  }

  /** One pipe of the service's list. The list is asked for once per run and again after a write of ours. */
  async findPipe(scope: ServiceScope, pipeId: string): Promise<Identified | undefined> {
    return pipeOf(await this.cachedPipes(scope), pipeId);
  }

  /** The pipes of a service by id, as the API spells them, from the same list. */
  cachedPipes(scope: ServiceScope): Promise<ReadonlyMap<string, Identified>> {
    return this.#snapshots.take(scope, () => this.#pipesById(scope));
  }

  /** One pipe as it is now: never from what was read before. Those who ask while a list is under way share it. */
  async pollPipe(scope: ServiceScope, pipeId: string): Promise<Identified | undefined> {
    const pipes = await this.#polls.take(scope, async () => {
      try {
        return await this.#pipesById(scope);
      } finally {
        this.#polls.drop(scope);
      }
    });
    return pipeOf(pipes, pipeId);
  }

  /** `getPipeSettings`; undefined where the service has none for this pipe, as for postgres. */
  async getPipeSettings(scope: ServiceScope, pipeId: string): Promise<WireObject | undefined> {
    const operation = operations.getPipeSettings(scope, pipeId);
    try {
      return settingsFromWire(objectOf(operation, await this.#transport.send(operation)));
    } catch (error) {
      if (isDatapipesError(error) && error.code === "not-found") return undefined;
      throw error;
    }
  }

  /** `createReversePrivateEndpoint`, sent once. */
  async createReversePrivateEndpoint(scope: ServiceScope, body: WireObject): Promise<Identified> {
    const operation = operations.createReversePrivateEndpoint(scope, body);
    return withId(operation, scope, await this.#transport.send(operation));
  }

  /** `updateService`. */
  async updateService(scope: ServiceScope, body: WireObject): Promise<WireObject> {
    const operation = operations.updateService(scope, body);
    const service = objectOf(operation, await this.#transport.send(operation));
    if (!isIdOrAbsent(service["id"], scope.serviceId)) throw unexpectedResult(operation, "another service");
    return service;
  }

  /** `listBackups`. */
  async listBackups(scope: ServiceScope): Promise<readonly WireObject[]> {
    const operation = operations.listBackups(scope);
    const backups = listOf(operation, await this.#transport.send(operation));
    return backups
      .map((backup) => objectOf(operation, backup))
      .map((backup) => ofService(operation, scope, backup))
      .map((backup) => printableTexts(backup) as WireObject);
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

  /** The pipes of a service's list, as the API spells them: a stack asks for few of the many. What is listed twice is one pipe. */
  async #pipesById(scope: ServiceScope, sent?: () => void): Promise<ReadonlyMap<string, Identified>> {
    const operation = operations.listPipes(scope);
    const pipes = listOf(operation, await this.#transport.send(operation, sent));
    // To leave out what cannot be read would look as if it were gone.
    const identified = pipes.map((pipe) => withId(operation, scope, pipe));
    return new Map(identified.map((pipe) => [idKey(pipe.id), pipe]));
  }

  /** A write makes what was read of the service old, whether it succeeds or not. */
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

/** What an id of a new pipe may be: the API document says that ids are UUIDs. */
const ID = /^[0-9a-z-]{1,64}$/i;

/** Ids and names of a backup: a program shows them, and the engine prints its outputs as they are. */
function printableTexts(value: WireValue): WireValue {
  if (typeof value === "string") return isPrintable(value) ? value : printable(value);
  if (Array.isArray(value)) return (value as readonly WireValue[]).map(printableTexts);
  if (!isWireObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, printableTexts(member)]));
}

const isIdOrAbsent = (value: unknown, id: string): boolean =>
  value === undefined || value === null || (typeof value === "string" && idKey(value) === idKey(id));

function objectOf(operation: Operation, result: unknown): WireObject {
  if (isWireObject(result)) return result;
  throw unexpectedResult(operation, "not an object");
}

/** An object of the service that was asked; a cache or gateway that mixes up answers must not be believed. */
function ofService<T extends WireObject>(operation: Operation, { serviceId }: ServiceScope, object: T): T {
  if (isIdOrAbsent(object["serviceId"], serviceId)) return object;
  throw unexpectedResult(operation, "something of another service");
}

function withId(operation: Operation, scope: ServiceScope, result: unknown): Identified {
  const object = ofService(operation, scope, objectOf(operation, result));
  const { id } = object;
  if (typeof id !== "string" || id === "") throw unexpectedResult(operation, "an object without an id");
  // The engine shows ids to the user as they are.
  if (!isPrintable(id)) throw unexpectedResult(operation, "an object whose id has control characters");
  return withPrintableState(object as Identified);
}

/** States are words for people, which lines and errors repeat. */
function withPrintableState(object: Identified): Identified {
  const unprintable = ["state", "status"].flatMap((name) => {
    const value = object[name];
    return typeof value === "string" && !isPrintable(value) ? [[name, printable(value)] as const] : [];
  });
  return unprintable.length === 0 ? object : { ...object, ...Object.fromEntries(unprintable) };
}

function listOf(operation: Operation, result: unknown): readonly unknown[] {
  // An empty list may come as null.
  if (result === null) return [];
  if (Array.isArray(result)) return result;
  throw unexpectedResult(operation, "not a list");
}

function unexpectedResult(operation: Operation, what: string): InvalidResponseError {
  return new InvalidResponseError(
    `${operation.attempt} failed: ${requestLine(operation)} answered, but the result is ${what}.`,
    { operation: operation.name },
  );
}
