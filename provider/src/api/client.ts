import { enumerated } from "../messages/enumerated";
import { isDatapipesError, saysNotFound } from "../messages/errors";
import { printable } from "../messages/printable";
import { quoted } from "../messages/quoted";
import type { ServiceScope } from "../settings/settings";
import { Transport, type TransportOptions } from "./http/transport";
import { callOf, type AnswerOf, type Given, type OperationName, type RequestOptions } from "./operations";
import { pipeBody, WireList, type WireObject } from "./wire";

/** The operations of the API document, by its names. All property names are camelCase. */
export class Client {
  readonly #transport: Transport;
  /** The lists of which a warning has named what they leave out. */
  readonly #named = new Set<string>();

  constructor(private readonly options: TransportOptions) {
    this.#transport = new Transport(options);
  }

  createPipe = (scope: ServiceScope, body: WireObject, options?: RequestOptions) =>
    this.#send("createPipe", scope, { body: pipeBody(body), options });

  updatePipe = (scope: ServiceScope, id: string, body: WireObject, options?: RequestOptions) =>
    this.#send("updatePipe", scope, { id, body: pipeBody(body), options });

  listPipes = (scope: ServiceScope, options?: RequestOptions) => this.#send("listPipes", scope, { options });

  /** Undefined if the pipe has no settings, as postgres pipes. */
  getPipeSettings = (scope: ServiceScope, id: string): Promise<WireObject | undefined> =>
    this.#send("getPipeSettings", scope, { id }).catch(undefinedIfNotFound);

  createReversePrivateEndpoint = (scope: ServiceScope, body: WireObject) =>
    this.#send("createReversePrivateEndpoint", scope, { body });

  updateService = (scope: ServiceScope, body: WireObject) => this.#send("updateService", scope, { body });

  listBackups = (scope: ServiceScope) => this.#send("listBackups", scope, {});

  deletePipe = (scope: ServiceScope, id: string, options?: RequestOptions) =>
    this.#send("deletePipe", scope, { id, options });

  deleteReversePrivateEndpoint = (scope: ServiceScope, id: string, options?: RequestOptions) =>
    this.#send("deleteReversePrivateEndpoint", scope, { id, options });

  /** The server's time in milliseconds since 1970, by its last answer: at most a second behind. */
  serverNow = (): number | undefined => this.#transport.serverNow();

  async #send<N extends OperationName>(name: N, scope: ServiceScope, given: Given): Promise<AnswerOf<N>> {
    const call = callOf(name, scope, given);
    const result = await this.#transport.send(call);
    if (result instanceof WireList) this.#warnOfLeftOut(call.attempt, result);
    // The schema of the operation has read it.
    return result as AnswerOf<N>;
  }

  #warnOfLeftOut(attempt: string, { leftOut }: WireList): void {
    if (leftOut.length === 0 || this.#named.has(attempt)) return;
    this.#named.add(attempt);
    const { secrets, warn } = this.options;
    const names = leftOut.map(({ name, backupName = name }) =>
      typeof backupName === "string" ? quoted(printable(secrets.redact(backupName))) : "one without a name",
    );
    warn(`${attempt}: the provider ignores objects whose ID is missing or not a UUID: ${enumerated(names)}.`);
  }
}

function undefinedIfNotFound(error: unknown): undefined {
  if (!isDatapipesError(error) || !saysNotFound(error)) throw error;
}
