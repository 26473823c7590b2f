import { enumerated } from "../messages/enumerated";
import { isDatapipesError, saysNotFound } from "../messages/errors";
import { printable } from "../messages/printable";
import type { ServiceScope } from "../settings/settings";
import { systemClock } from "./http/clock";
import { Transport, type TransportOptions } from "./http/transport";
import { callOf, labelOf, OPERATIONS, type OperationName, type RequestOptions } from "./operations";
import { Secrets } from "./secrets/redaction";
import { WireList, type WireObject } from "./wire";

type Row<N extends OperationName> = (typeof OPERATIONS)[N];
type IdOf<N extends OperationName> = Row<N>["path"] extends `${string}{id}${string}` ? [id: string] : [];
type BodyOf<N extends OperationName> = undefined extends Row<N>["body"] ? [] : [body: WireObject];
type AnswerOf<N extends OperationName> = ReturnType<Row<N>["answer"]>;

/** A method for each operation. Its arguments and its result are what the table of operations says. */
type Methods = {
  readonly [N in OperationName]: (
    scope: ServiceScope,
    ...given: [...IdOf<N>, ...BodyOf<N>, options?: RequestOptions]
  ) => Promise<AnswerOf<N>>;
};

/** The operations of the API document, by its names. All property names are camelCase. */
export interface Client extends Omit<Methods, "getPipeSettings"> {
  /** Undefined if the pipe has no settings, as postgres pipes. */
  readonly getPipeSettings: (
    ...given: Parameters<Methods["getPipeSettings"]>
  ) => Promise<WireObject | undefined>;
  /** The server's time in milliseconds since 1970, by its last answer: at most a second behind. */
  readonly serverNow: () => number | undefined;
}

export function createClient(options: TransportOptions): Client {
  const { clock = systemClock, secrets = new Secrets(), warn } = options;
  const transport = new Transport({ ...options, clock, secrets });
  /** The lists of which a warning has named what they leave out. */
  const named = new Set<string>();
  const call = async (name: OperationName, scope: ServiceScope, ...given: unknown[]): Promise<unknown> => {
    const request = callOf(name, scope, given);
    const { attempt } = request;
    const result = await transport.send(request);
    if (result instanceof WireList && result.leftOut.length > 0 && !named.has(attempt)) {
      named.add(attempt);
      warn(
        `${attempt}: the provider ignores objects whose ID is missing or not a UUID: ${namesOf(result.leftOut, secrets)}.`,
      );
    }
    return result;
  };
  const names = Object.keys(OPERATIONS) as OperationName[];
  const methods = Object.fromEntries(
    names.map((name) => [name, call.bind(undefined, name)]),
  ) as unknown as Methods;
  return {
    ...methods,
    getPipeSettings: (...given) => methods.getPipeSettings(...given).catch(undefinedIfNotFound),
    serverNow: () => transport.serverNow(),
  };
}

function undefinedIfNotFound(error: unknown): undefined {
  if (!isDatapipesError(error) || !saysNotFound(error)) throw error;
}

/** What a message calls objects without an ID. */
const namesOf = (objects: readonly WireObject[], secrets: Secrets): string =>
  enumerated(
    objects.map(({ name, backupName = name }) =>
      typeof backupName === "string" ? labelOf(printable(secrets.redact(backupName))) : "one without a name",
    ),
  );
