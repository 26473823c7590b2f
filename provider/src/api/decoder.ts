import { enumerated } from "../messages/enumerated";
import { InvalidResponseError } from "../messages/errors";
import { isPrintable, printable } from "../messages/printable";
import { idKey, isIdOfAnswer } from "../values/uuid";
import type { StartOf } from "./http/envelope";
import { LEFT_OUT } from "./secrets/redaction";
import type { ServiceScope } from "../settings/settings";
import { requestLine, shortened, type Operation } from "./document/operations";
import { isWireObject, type Identified, type WireObject, type WireValue } from "./document/wire";

/** How many characters of a name are read. */
const MAX_NAME = 1000;

/** Reads the results of answers, by one rule for the ids of all operations. Errors leave out texts of the server that have a secret. */
export class Decoder {
  constructor(private readonly startOf: StartOf) {}

  object(operation: Operation, result: unknown): WireObject {
    if (isWireObject(result)) return result;
    throw this.unexpected(operation, "not an object");
  }

  list(operation: Operation, result: unknown): readonly unknown[] {
    // An empty list may come as null.
    if (result === null) return [];
    if (Array.isArray(result)) return result;
    throw this.unexpected(operation, "not a list");
  }

  /** An object with an id. The engine prints ids as they are, and they become parts of paths, commands and programs. */
  identified(operation: Operation, scope: ServiceScope, result: unknown): Identified {
    const object = this.#ofService(operation, scope, this.object(operation, result));
    const { id, name } = object;
    if (isIdOfAnswer(id)) return withPrintableState({ ...object, id });
    const what = typeof id !== "string" || id === "" ? "without an id" : "whose id is not a UUID";
    const named = typeof name === "string" ? `: ${this.namesOf([name])}` : "";
    throw this.unexpected(operation, `an object ${what}${named}`);
  }

  /** The objects of a list. Those whose ID is not a UUID come apart. */
  byForm(
    operation: Operation,
    scope: ServiceScope,
    result: unknown,
  ): { readonly found: readonly Identified[]; readonly others: readonly WireObject[] } {
    const objects = this.list(operation, result).map((element) => this.object(operation, element));
    const hasId = ({ id }: WireObject): boolean => isIdOfAnswer(id);
    return {
      found: objects.filter(hasId).map((object) => this.identified(operation, scope, object)),
      others: objects.filter((object) => !hasId(object)),
    };
  }

  /** What a message calls objects that have no id. */
  namesOf(names: readonly WireValue[]): string {
    return enumerated(
      names.map((name) =>
        typeof name === "string"
          ? shortened(printable(this.startOf(name, MAX_NAME) ?? LEFT_OUT))
          : "one without a name",
      ),
    );
  }

  unexpected(operation: Operation, what: string): InvalidResponseError {
    return new InvalidResponseError(
      `${operation.attempt} failed: ${requestLine(operation)} succeeded, but the result is ${what}.`,
      { operation: operation.name },
    );
  }

  /** Refuses an object of another service, which a gateway or a cache that mixes up answers may return. */
  #ofService(operation: Operation, { serviceId }: ServiceScope, object: WireObject): WireObject {
    if (isIdOrAbsent(object["serviceId"], serviceId)) return object;
    throw this.unexpected(operation, "an object of another service");
  }
}

/** Whether a value is this id, in any spelling, or none. */
export const isIdOrAbsent = (value: unknown, id: string): boolean =>
  value === undefined || value === null || (typeof value === "string" && idKey(value) === idKey(id));

/** The engine prints the outputs of a program as they are. */
export function printableTexts(value: WireValue): WireValue {
  if (typeof value === "string") return isPrintable(value) ? value : printable(value);
  if (Array.isArray(value)) return (value as readonly WireValue[]).map(printableTexts);
  if (!isWireObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, printableTexts(member)]));
}

/** Messages repeat states. */
function withPrintableState(object: Identified): Identified {
  const states = ["state", "status"].filter((name) => typeof object[name] === "string");
  return { ...object, ...Object.fromEntries(states.map((name) => [name, printableTexts(object[name])])) };
}
