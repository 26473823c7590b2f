import { DatapipesError, InvalidResponseError, isDatapipesError } from "../errors";
import * as operations from "./operations";
import type { Operation, ServiceScope } from "./operations";
import { systemClock } from "./limiter";
import { isUncertain, ProvenCreate, type Identified } from "./proven-create";
import { Snapshots } from "./snapshot";
import { Transport, type TransportOptions } from "./transport";
import { isWireObject, pipeFromWire, pipeToWire, settingsFromWire, type WireObject } from "./wire";

/** The operations of the API document, by its names. Property names are camelCase on this side of it. */
export class Client {
  readonly #transport: Transport;
  readonly #snapshots = new Snapshots();
  readonly #polls = new Snapshots();

  readonly #creates: ProvenCreate;

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
    this.#creates = new ProvenCreate(options.clock ?? systemClock, options.inform);
  }

  /**
   * Operation 1. When an answer is lost, the list before and after tells whether the pipe exists; it is never sent again
   * blindly.
   */
  async createPipe(scope: ServiceScope, body: WireObject): Promise<Identified> {
    const operation = operations.createPipe(scope, pipeToWire(body));
    const pipe = await this.#creates.create({
      scope,
      body,
      post: async () => withId(operation, await this.#write(scope, operation)),
      list: () => this.listPipes(scope),
    });
    return pipeFromWire(pipe) as Identified;
  }

  /** Operation 2. */
  async updatePipe(scope: ServiceScope, pipeId: string, body: WireObject): Promise<WireObject> {
    const operation = operations.updatePipe(scope, pipeId, pipeToWire(body));
    return pipeFromWire(objectOf(operation, await this.#write(scope, operation)));
  }

  /** Operation 3, sent at every call. */
  async listPipes(scope: ServiceScope): Promise<readonly WireObject[]> {
    const operation = operations.listPipes(scope);
    return listOf(operation, await this.#transport.send(operation)).map(pipeFromWire);
  }

  /** One pipe of the service's list. The list is asked for once per run and again after a write of ours. */
  async findPipe(scope: ServiceScope, pipeId: string): Promise<Identified | undefined> {
    const pipes = await this.#snapshots.take(scope, async () => indexed(await this.listPipes(scope)));
    return pipes.get(pipeId.toLowerCase());
  }

  /** One pipe as it is now: never from what was read before. Those who ask while a list is under way share it. */
  async pollPipe(scope: ServiceScope, pipeId: string): Promise<Identified | undefined> {
    const pipes = await this.#polls.take(scope, async () => {
      try {
        return indexed(await this.listPipes(scope));
      } finally {
        this.#polls.drop(scope);
      }
    });
    return pipes.get(pipeId.toLowerCase());
  }

  /** Operation 4; undefined where the service has none for this pipe, as for postgres. */
  async getPipeSettings(scope: ServiceScope, pipeId: string): Promise<WireObject | undefined> {
    const operation = operations.getPipeSettings(scope, pipeId);
    try {
      return settingsFromWire(objectOf(operation, await this.#transport.send(operation)));
    } catch (error) {
      if (isDatapipesError(error) && error.code === "not-found") return undefined;
      throw error;
    }
  }

  /** Operation 5. Never repeated when its fate is unknown: nothing lists endpoints, so nobody can tell by program. */
  async createReversePrivateEndpoint(scope: ServiceScope, body: WireObject): Promise<Identified> {
    const operation = operations.createReversePrivateEndpoint(scope, body);
    try {
      return withId(operation, await this.#transport.send(operation));
    } catch (error) {
      if (!isUncertain(error)) throw error;
      throw new DatapipesError(
        error.code,
        `${error.message} The endpoint may exist all the same, and the API has no way to list endpoints: look for ` +
          `${JSON.stringify(body["description"])} in the service's console, and remove it there before the next run, which ` +
          `creates one.`,
        error.answer,
      );
    }
  }

  /** Operation 6. */
  async updateService(scope: ServiceScope, body: WireObject): Promise<WireObject> {
    const operation = operations.updateService(scope, body);
    return objectOf(operation, await this.#transport.send(operation));
  }

  /** Operation 7. */
  async listBackups(scope: ServiceScope): Promise<readonly WireObject[]> {
    const operation = operations.listBackups(scope);
    return listOf(operation, await this.#transport.send(operation));
  }

  /** Not in the API document; see {@link operations.deleteReversePrivateEndpoint}. */
  async deleteReversePrivateEndpoint(scope: ServiceScope, endpointId: string): Promise<void> {
    await this.#transport.send(operations.deleteReversePrivateEndpoint(scope, endpointId));
  }

  /** Not in the API document; see {@link operations.deletePipe}. */
  async deletePipe(scope: ServiceScope, pipeId: string): Promise<void> {
    await this.#write(scope, operations.deletePipe(scope, pipeId));
    await this.#creates.forget(scope, pipeId);
  }

  /** A write makes what was read of the service old, whether it succeeds or not. */
  async #write(scope: ServiceScope, operation: Operation): Promise<unknown> {
    this.#snapshots.drop(scope);
    try {
      return await this.#transport.send(operation);
    } finally {
      this.#snapshots.drop(scope);
    }
  }
}

const indexed = (pipes: readonly WireObject[]): ReadonlyMap<string, Identified> =>
  new Map(pipes.filter(isIdentified).map((pipe) => [pipe.id.toLowerCase(), pipe]));

const isIdentified = (object: WireObject): object is Identified => typeof object["id"] === "string";

function objectOf(operation: Operation, result: unknown): WireObject {
  if (isWireObject(result)) return result;
  throw unexpectedResult(operation, "no object");
}

function withId(operation: Operation, result: unknown): Identified {
  const object = objectOf(operation, result);
  if (isIdentified(object)) return object;
  throw unexpectedResult(operation, "an object without an id");
}

function listOf(operation: Operation, result: unknown): readonly WireObject[] {
  // An empty list may come as null.
  if (result === null) return [];
  if (!Array.isArray(result)) throw unexpectedResult(operation, "no list");
  return result.filter(isWireObject);
}

function unexpectedResult({ name, attempt, method, path }: Operation, what: string): InvalidResponseError {
  return new InvalidResponseError(
    "invalid-response",
    `${attempt} failed: ${method} ${path} answered with ${what} as its result. Check that datapipes:baseUrl is the address of the API.`,
    { operation: name },
  );
}
