import { InvalidResponseError, isDatapipesError, saysNotFound } from "../errors";
import * as operations from "./operations";
import { requestLine, shortened, type Operation, type ServiceScope } from "./operations";
import { isCancelled, systemClock } from "./rate-limiter";
import { isPrintable, printable } from "../printable";
import { isIdOfAnswer } from "../uuid";
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

/** The operations of the API document, by its names. All property names are camelCase. */
export class Client {
  readonly #transport: Transport;
  readonly #snapshots = new Snapshots();
  readonly #polls = new Snapshots();

  /** For callers that find out the outcome of a write whose answer was lost. */
  readonly requestContext: Required<Pick<TransportOptions, "clock" | "log" | "warn" | "maxRetries">> & {
    readonly serverClock: ServerClock;
  };

  constructor(options: TransportOptions) {
    const { clock = systemClock, log, warn, maxRetries } = options;
    const serverClock = new ServerClock(clock);
    this.requestContext = { clock, log, warn, maxRetries, serverClock };
    this.#transport = new Transport({ ...options, clock, serverClock });
  }

  /** `createPipe`. Calls `sent` before each attempt; it retries only if the server did not receive the request. */
  async createPipe(scope: ServiceScope, body: WireObject, sent?: () => void): Promise<Identified> {
    const operation = operations.createPipe(scope, pipeToWire(body));
    return pipeFromWire(withId(operation, scope, await this.#write(scope, operation, sent)));
  }

  /** `updatePipe`. Messages call the pipe by `name`. */
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

  /** `listPipes`, without the cache. Calls `sent` before each attempt. */
  async listPipes(scope: ServiceScope, sent?: () => void): Promise<readonly Identified[]> {
    return [...(await this.#pipesById(scope, sent)).values()].map(pipeFromWire);
  }

  /** `listPipes` for a reader who can leave out pipes: those whose id is not a UUID come apart. */
  async listPipesWithIds(
    scope: ServiceScope,
  ): Promise<{ readonly pipes: readonly Identified[]; readonly others: readonly WireObject[] }> {
    const operation = operations.listPipes(scope);
    const listed = listOf(operation, await this.#transport.send(operation));
    const objects = listed.map((pipe) => objectOf(operation, pipe));
    const hasId = ({ id }: WireObject): boolean => isIdOfAnswer(id);
    const [pipes, others] = [objects.filter(hasId), objects.filter((pipe) => !hasId(pipe))];
    return { pipes: [...pipesById(operation, scope, pipes).values()].map(pipeFromWire), others };
  }

  /** One pipe of the cached list. */
  async findPipe(scope: ServiceScope, pipeId: string): Promise<Identified | undefined> {
    return pipeOf(await this.cachedPipes(scope), pipeId);
  }

  /** The pipes of a service by id, with the API's names, from a list that is read once per run and again after a write. */
  cachedPipes(scope: ServiceScope): Promise<ReadonlyMap<string, Identified>> {
    return this.#snapshots.take(scope, () => this.#pipesById(scope));
  }

  /** One pipe, without the cache. Concurrent calls share one request. */
  async pollPipe(scope: ServiceScope, pipeId: string): Promise<Identified | undefined> {
    const shared = this.#polls.take(scope, async () => {
      try {
        return await this.#pipesById(scope);
      } finally {
        this.#polls.drop(scope);
      }
    });
    const pipes = await shared.catch((error: unknown) => {
      // The run cancelled the call that started the read, but lets this one finish.
      const goesOn = !isCancelled(this.requestContext.clock);
      if (goesOn && isDatapipesError(error) && error.answer.connection === "cancelled")
        return this.#pipesById(scope);
      throw error;
    });
    return pipeOf(pipes, pipeId);
  }

  /** `getPipeSettings`; undefined if the pipe has no settings, as postgres pipes. */
  async getPipeSettings(scope: ServiceScope, pipeId: string): Promise<WireObject | undefined> {
    const operation = operations.getPipeSettings(scope, pipeId);
    try {
      const settings = printableTexts(objectOf(operation, await this.#transport.send(operation)));
      return settingsFromWire(settings as WireObject);
    } catch (error) {
      if (isDatapipesError(error) && saysNotFound(error)) return undefined;
      throw error;
    }
  }

  /** `createReversePrivateEndpoint`. */
  async createReversePrivateEndpoint(scope: ServiceScope, body: WireObject): Promise<Identified> {
    const operation = operations.createReversePrivateEndpoint(scope, body);
    return withId(operation, scope, await this.#transport.send(operation));
  }

  /** `updateService`. Calls `sent` before each attempt. */
  async updateService(scope: ServiceScope, body: WireObject, sent?: () => void): Promise<WireObject> {
    const operation = operations.updateService(scope, body);
    const service = objectOf(operation, await this.#transport.send(operation, sent));
    if (!isIdOrAbsent(service["id"], scope.serviceId)) throw unexpectedResult(operation, "another service");
    return service;
  }

  /** `listBackups`. */
  async listBackups(scope: ServiceScope): Promise<readonly WireObject[]> {
    const operation = operations.listBackups(scope);
    const backups = listOf(operation, await this.#transport.send(operation));
    return backups
      .map((backup) => ofService(operation, scope, objectOf(operation, backup)))
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

  /** The pipes of a service by id, with the API's names: most stacks need few of them in camelCase. */
  async #pipesById(scope: ServiceScope, sent?: () => void): Promise<ReadonlyMap<string, Identified>> {
    const operation = operations.listPipes(scope);
    // One unreadable pipe fails the list: without it, the pipe would look deleted.
    return pipesById(operation, scope, listOf(operation, await this.#transport.send(operation, sent)));
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

const pipesById = (
  operation: Operation,
  scope: ServiceScope,
  pipes: readonly unknown[],
): ReadonlyMap<string, Identified> =>
  new Map(pipes.map((pipe) => withId(operation, scope, pipe)).map((pipe) => [idKey(pipe.id), pipe] as const));

function pipeOf(pipes: ReadonlyMap<string, Identified>, pipeId: string): Identified | undefined {
  const pipe = pipes.get(idKey(pipeId));
  return pipe === undefined ? undefined : pipeFromWire(pipe);
}

/** The engine prints the outputs of a program as they are. */
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

/** Refuses an object of another service, which a gateway or a cache that mixes up answers may return. */
function ofService<T extends WireObject>(operation: Operation, { serviceId }: ServiceScope, object: T): T {
  if (isIdOrAbsent(object["serviceId"], serviceId)) return object;
  throw unexpectedResult(operation, "an object of another service");
}

function withId(operation: Operation, scope: ServiceScope, result: unknown): Identified {
  const object = ofService(operation, scope, objectOf(operation, result));
  const { id, name } = object;
  if (typeof id !== "string" || id === "")
    throw unexpectedResult(operation, `an object without an id${withName(name)}`);
  // The engine prints ids as they are, and they become parts of paths and programs.
  if (!isIdOfAnswer(id))
    throw unexpectedResult(operation, `an object whose id is not a UUID${withName(name)}`);
  return withPrintableState(object as Identified);
}

const withName = (name: WireValue): string =>
  typeof name === "string" ? `: ${shortened(printable(name))}` : "";

/** Messages repeat states. */
function withPrintableState(object: Identified): Identified {
  const states = ["state", "status"].filter((name) => typeof object[name] === "string");
  return { ...object, ...Object.fromEntries(states.map((name) => [name, printableTexts(object[name])])) };
}

function listOf(operation: Operation, result: unknown): readonly unknown[] {
  // An empty list may come as null.
  if (result === null) return [];
  if (Array.isArray(result)) return result;
  throw unexpectedResult(operation, "not a list");
}

function unexpectedResult(operation: Operation, what: string): InvalidResponseError {
  return new InvalidResponseError(
    `${operation.attempt} failed: ${requestLine(operation)} succeeded, but the result is ${what}.`,
    { operation: operation.name },
  );
}
