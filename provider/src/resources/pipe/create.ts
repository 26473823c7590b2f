import { mayBeDone } from "../../api/http/failures";
import { scopeKey } from "../../api/operations";
import { valueAt, type PropertyValue } from "../../lifecycle/comparison/property-value";
import { DatapipesError, InvalidResponseError, isDatapipesError } from "../../messages/errors";
import { idKey } from "../../values/uuid";
import { createBody } from "../body";
import { scopeOf, type RunContext } from "../context";
import { timeOf, type PipeList } from "./list";
import { kindOfSource } from "./loads";
import type { ListedPipe, ObservedPipe } from "./observed";
import { pipeFields, type PipeInputs } from "./schema";

/** The server's time is known to one second, and the times in its answers may be cut to whole seconds. */
const TOLERANCE_MS = 2_000;

export class PipeCreator {
  /** The last create of each name in a service: two at the same time could take each other's pipe. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(private readonly context: RunContext) {}

  /**
   * Creates a pipe with one POST. If the answer is lost, takes the one new pipe that the list shows within a
   * minute, or fails with an error that says what to check. The client repeats the POST only if the service provably
   * did not carry it out.
   */
  create(inputs: PipeInputs, before: PipeList): Promise<ListedPipe> {
    const key = JSON.stringify([scopeKey(scopeOf(inputs)), folded(inputs.name)]);
    const create = (): Promise<ListedPipe> => this.#send(inputs, before);
    const created = (this.#last.get(key) ?? Promise.resolve()).then(create, create);
    this.#last.set(key, created);
    return created;
  }

  async #send(inputs: PipeInputs, before: PipeList): Promise<ListedPipe> {
    const { client, clock, log } = this.context;
    const scope = scopeOf(inputs);
    const attempt = `create pipe ${JSON.stringify(inputs.name)}`;
    let sentAt: number | undefined;
    try {
      const sent = (): void => {
        sentAt ??= this.context.lists.serverNow();
      };
      const pipe = await client().createPipe(scope, createBody(pipeFields, inputs), { sent });
      if (!before.pipes.has(idKey(pipe.id))) return pipe;
      throw new InvalidResponseError(
        "invalid-response",
        `${attempt} failed: the API returned pipe ${pipe.id}, which existed before.`,
        {
          answer: { operation: "createPipe", failure: "unreadable" },
          reason: "a response with an older pipe",
        },
      );
    } catch (error) {
      if (!isDatapipesError(error) || !mayBeDone(error) || sentAt === undefined) throw error;
      const earliest = sentAt - TOLERANCE_MS;
      const mayBeCreated = (pipe: ListedPipe): boolean =>
        !before.pipes.has(idKey(pipe.id)) &&
        !this.context.program.isMade("Pipe", pipe.id) &&
        (timeOf(pipe.createdAt) ?? Infinity) >= earliest &&
        isAlike(pipe, inputs);
      log(`${attempt}: ${error.reason}; looking for the pipe in the list for up to a minute`);
      return clock.finish(() => this.#look(inputs, error, mayBeCreated));
    }
  }

  /** The one pipe that a lost answer was about. */
  async #look(
    inputs: PipeInputs,
    cause: DatapipesError,
    mayBeCreated: (pipe: ListedPipe) => boolean,
  ): Promise<ListedPipe> {
    const createdIn = (pipes: PipeList["pipes"]): readonly ListedPipe[] | undefined => {
      const created = [...pipes.values()].filter(mayBeCreated);
      return created.length === 0 ? undefined : created;
    };
    const { found = [] } = await this.context.lists
      .await(scopeOf(inputs), createdIn)
      .catch((error: unknown) => {
        if (!isDatapipesError(error)) throw error;
        const unread =
          "The API may have created the pipe, but the provider cannot read the list to find out " +
          `(${error.reason}).`;
        throw new DatapipesError(cause.code, unread, { cause, finding: "may-exist" });
      });
    const [pipe, ...others] = found;
    if (pipe === undefined) {
      const none = "The new pipe did not appear in the list within a minute.";
      throw new DatapipesError(cause.code, none, { cause, finding: "may-exist" });
    }
    if (others.length === 0 && timeOf(pipe.createdAt) !== undefined) return pipe;
    const candidates =
      `The list shows pipes that may be the new one: ${found.map(({ id }) => id).join(", ")}. ` +
      "The provider cannot tell, and adopted none.";
    throw new DatapipesError("conflict", candidates, { cause, finding: "pipe-not-identified" });
  }
}

/** A text without its case and the space around it, in which services differ. */
const folded = (value: PropertyValue): PropertyValue =>
  typeof value === "string" ? value.normalize("NFC").trim().toLowerCase() : value;

/** Whether two pipes have the same name, table and kind of source. */
function isAlike(pipe: ObservedPipe, inputs: ObservedPipe): boolean {
  const partsOf = ({ name, source, destination }: ObservedPipe): readonly PropertyValue[] => [
    folded(name),
    folded(valueAt(destination, ["table"]) ?? ""),
    kindOfSource(source),
  ];
  return JSON.stringify(partsOf(pipe)) === JSON.stringify(partsOf(inputs));
}
