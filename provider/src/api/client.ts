import { isDatapipesError, saysNotFound } from "../messages/errors";
import { idKey } from "../values/uuid";
import { Decoder, isIdOrAbsent, printableTexts } from "./decoder";
import * as operations from "./document/operations";
import type { ServiceScope } from "../settings/settings";
import { Secrets } from "./secrets/redaction";
import { systemClock } from "./http/clock";
import { Transport, type SendOptions, type TransportOptions } from "./http/transport";
import {
  pipeFromWire,
  pipeToWire,
  settingsFromWire,
  type Identified,
  type WireObject,
  type WireValue,
} from "./document/wire";

/** What `listPipes` returned. */
export interface ListedPipes {
  readonly pipes: readonly Identified[];
  /** Those whose ID is not a UUID: no stack can have them. */
  readonly others: readonly WireObject[];
  /** Whether the answer was a list: some services return null while they cannot read it. */
  readonly isList: boolean;
}

/** The operations of the API document, by its names. All property names are camelCase. */
export class Client {
  readonly #transport: Transport;
  readonly #decoder: Decoder;
  readonly #warn: (line: string) => void;
  /** The attempts whose left-out objects a warning has named. */
  readonly #named = new Set<string>();

  constructor(options: TransportOptions) {
    const { clock = systemClock, warn, secrets = new Secrets() } = options;
    this.#warn = warn;
    this.#transport = new Transport({ ...options, clock, secrets });
    this.#decoder = new Decoder((text, characters) => secrets.startOf(text, characters));
  }

  /** The server's time in milliseconds since 1970, by its last answer: at most a second behind. */
  serverNow = (): number | undefined => this.#transport.serverNow();

  /** `createPipe`. It is sent again only if the server did not carry out the request. */
  async createPipe(scope: ServiceScope, body: WireObject, sent?: () => void): Promise<Identified> {
    const operation = operations.createPipe(scope, pipeToWire(body));
    const result = await this.#transport.send(operation, { sent });
    return pipeFromWire(this.#decoder.identified(operation, scope, result));
  }

  /** `updatePipe`. Messages call the pipe by `name`. */
  async updatePipe(
    scope: ServiceScope,
    pipeId: string,
    body: WireObject,
    name?: unknown,
  ): Promise<WireObject> {
    const operation = operations.updatePipe(scope, pipeId, pipeToWire(body), name);
    const pipe = this.#decoder.identified(operation, scope, await this.#transport.send(operation));
    if (idKey(pipe.id) !== idKey(pipeId)) throw this.#decoder.unexpected(operation, "another pipe");
    return pipeFromWire(pipe);
  }

  /** `listPipes`. A warning names once what has an ID that is not a UUID. */
  async listPipes(scope: ServiceScope, options?: SendOptions): Promise<ListedPipes> {
    const operation = operations.listPipes(scope);
    const result = await this.#transport.send(operation, options);
    const { found, others } = this.#decoder.byForm(operation, scope, result);
    this.#nameLeftOut(
      operation.attempt,
      others.map(({ name }) => name),
    );
    return { pipes: found.map(pipeFromWire), others, isList: result !== null };
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

  async updateService(scope: ServiceScope, body: WireObject): Promise<WireObject> {
    const operation = operations.updateService(scope, body);
    const service = this.#decoder.object(operation, await this.#transport.send(operation));
    if (!isIdOrAbsent(service["id"], scope.serviceId))
      throw this.#decoder.unexpected(operation, "another service");
    return service;
  }

  /** `listBackups`, without those whose id is not a UUID, of which it warns. */
  async listBackups(scope: ServiceScope): Promise<readonly WireObject[]> {
    const operation = operations.listBackups(scope);
    const { found, others } = this.#decoder.byForm(operation, scope, await this.#transport.send(operation));
    this.#nameLeftOut(
      operation.attempt,
      others.map(({ backupName }) => backupName),
    );
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
    await this.#transport.send(operations.deletePipe(scope, pipeId, name));
  }

  #nameLeftOut(attempt: string, names: readonly WireValue[]): void {
    if (names.length === 0 || this.#named.has(attempt)) return;
    this.#named.add(attempt);
    this.#warn(`${attempt}: left out what has an ID that is not a UUID: ${this.#decoder.namesOf(names)}.`);
  }
}
