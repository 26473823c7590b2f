import { DatapipesError, InvalidResponseError, isDatapipesError, type ErrorText } from "../errors";
import { appeared, idsOf, likeFound, nothingMade, severalFound } from "./create-errors";
import { CHECK_BASE_URL } from "./hint";
import type { Clock } from "./limiter";
import { scopeKey, type ServiceScope } from "./operations";
import { likenessOf, plain } from "./likeness";
import { backoff } from "./retry";
import { isUncertain } from "./uncertain";
import { idKey, type Identified, type WireObject } from "./wire";

/** What the proof needs of the API. */
export interface CreateSteps {
  readonly scope: ServiceScope;
  readonly body: WireObject;
  /** Sends the POST once. */
  readonly post: () => Promise<Identified>;
  /** Lists the pipes of the service as they are now. */
  readonly list: () => Promise<readonly Identified[]>;
}

/** The pipe was created, and a request that had seemed lost made another one, later than it was waited for. */
export class DoubledPipeError extends DatapipesError {
  constructor(
    readonly pipe: Identified,
    text: ErrorText,
  ) {
    super("conflict", text, { operation: "createPipe" });
  }
}

/** Pipes by id. */
type Census = Map<string, Identified>;

/** How long an unanswered POST may take to show in the list, and how often the list is looked at meanwhile. */
const SETTLE_DELAYS_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000];
/** The same where the server may still be at work. */
const LONGER_DELAYS_MS = [...SETTLE_DELAYS_MS, 30_000];

/** How often a POST is sent again after the list has shown that the one before created nothing. */
const MAX_REPEATS = 2;

/** What the proof needs of its surroundings. */
export interface ProofOptions {
  readonly clock: Clock;
  readonly inform: (line: string) => void;
  /** How often a request that the rate limit turned away is sent again. */
  readonly maxRetries: number;
}

/** Creates pipes so that one that is asked for once exists once, also when answers are lost. */
export class ProvenCreate {
  /** Pipes that existed before this run's first create, or that this run made, by service and id. */
  readonly #known = new Map<string, Promise<Census>>();
  /** The last create under way for each name: two of one name must not take each other's pipe. */
  readonly #lanes = new Map<string, Promise<unknown>>();

  constructor(private readonly options: ProofOptions) {}

  /** The created pipe, exactly one; or an error that says what exists. */
  create(steps: CreateSteps): Promise<Identified> {
    const lane = JSON.stringify([scopeKey(steps.scope), plain(steps.body["name"])]);
    const before = this.#lanes.get(lane) ?? Promise.resolve();
    const turn = before.then(
      () => this.#create(steps),
      () => this.#create(steps),
    );
    this.#lanes.set(lane, turn);
    return turn;
  }

  /** A pipe that this run deleted is none that exists. */
  async forget(scope: ServiceScope, id: string): Promise<void> {
    (await this.#known.get(scopeKey(scope)))?.delete(idKey(id));
  }

  async #create(steps: CreateSteps): Promise<Identified> {
    const askedAt = Date.now();
    const known = await this.#knownPipes(steps);
    this.#warnOfDouble(steps.body, known);
    for (let sent = 1, mayBeMade = false; ; sent += 1) {
      const outcome = await this.#post(steps, known).catch(datapipesError);
      if (!(outcome instanceof DatapipesError)) {
        known.set(idKey(outcome.id), outcome);
        if (mayBeMade) await this.#expectNoOther(steps, known, outcome, askedAt);
        return outcome;
      }
      const course = courseAfter(outcome, sent, this.options.maxRetries);
      const again = course ?? (mayBeMade ? LOOK_ONCE : undefined);
      if (again === undefined) throw await this.#refusal(steps, known, outcome);
      const found = await this.#lookFor(steps, known, outcome, { ...again, askedAt });
      if (found !== undefined) {
        known.set(idKey(found.id), found);
        return found;
      }
      if (sent > again.repeats) throw nothingMade(outcome, sent);
      mayBeMade ||= isUncertain(outcome);
      this.options.inform(`${attemptOf(steps)}: not in the list, so not created; sending the request again`);
    }
  }

  /** What a refused POST has to say. A gateway may have passed it on, or passed on a copy of it, all the same. */
  async #refusal(steps: CreateSteps, known: Census, refused: DatapipesError): Promise<DatapipesError> {
    if (refused.answer.arrived === false) return refused;
    try {
      const { same, perhaps } = freshOf(steps, await steps.list(), known, 0);
      const [copy] = [...same, ...perhaps];
      return copy === undefined ? refused : appeared(copy, refused);
    } catch (error) {
      datapipesError(error);
      return refused;
    }
  }

  /** An answer that names a pipe of before is an answer to something else. */
  async #post({ post }: CreateSteps, known: Census): Promise<Identified> {
    const pipe = await post();
    if (!known.has(idKey(pipe.id))) return pipe;
    throw new InvalidResponseError(
      "invalid-response",
      {
        summary: `create pipe ${JSON.stringify(pipe["name"])} failed: the API answered with pipe ${pipe.id}, which existed before.`,
        nextStep: CHECK_BASE_URL,
        reason: "an answer that names an older pipe",
      },
      { operation: "createPipe" },
    );
  }

  /** The first request may have made its pipe after all, after the second one was sent. */
  async #expectNoOther(steps: CreateSteps, known: Census, pipe: Identified, askedAt: number): Promise<void> {
    let others: readonly Identified[];
    try {
      others = freshOf(steps, await steps.list(), known, askedAt).same;
    } catch (error) {
      if (!isDatapipesError(error)) throw error;
      this.options.inform(
        `warning: pipe ${JSON.stringify(pipe["name"])} was created with a repeated request, and the list cannot be read ` +
          `(${error.reason}). Look in the service's console whether the first request has made a second one.`,
      );
      return;
    }
    if (others.length > 0) throw doubled(pipe, others);
  }

  /** The ids of before: read once for each service and run. Without them nobody could tell a new pipe from an old one. */
  async #knownPipes(steps: CreateSteps): Promise<Census> {
    const key = scopeKey(steps.scope);
    const present = this.#known.get(key);
    const taken = present ?? this.#census(steps);
    this.#known.set(key, taken);
    // A failed look is no knowledge: the next create looks again.
    taken.catch(() => this.#known.delete(key));
    return taken;
  }

  async #census({ list }: CreateSteps): Promise<Census> {
    return new Map((await list()).map((pipe) => [idKey(pipe.id), pipe]));
  }

  #warnOfDouble(body: WireObject, known: Census): void {
    const doubles = [...known.values()].filter((pipe) => likenessOf(body, pipe, 0) !== "no");
    if (doubles.length === 0) return;
    this.options.inform(
      `warning: the service already has a pipe of the name ${JSON.stringify(body["name"])} for the same table (${idsOf(doubles)}). ` +
        `The new pipe runs beside it; if both load the same data, the data is there twice. To take over the existing pipe, ` +
        `name its id as adopt.`,
    );
  }

  /** The one new pipe of this name and destination, once it shows; undefined when none does in time. */
  async #lookFor(
    steps: CreateSteps,
    known: Census,
    cause: DatapipesError,
    { delays, askedAt }: Course & { readonly askedAt: number },
  ): Promise<Identified | undefined> {
    let doubtful: readonly Identified[] = [];
    this.options.inform(`${attemptOf(steps)}: ${cause.reason}; looking for it in the list`);
    for (const delay of delays) {
      await this.options.clock.sleep(delay);
      const { same, perhaps } = freshOf(steps, await this.#listAfter(steps, cause), known, askedAt);
      if (same.length > 1) throw severalFound(steps.body["name"], same, cause);
      if (same[0] !== undefined) return same[0];
      doubtful = perhaps;
    }
    if (doubtful.length > 0) throw likeFound(steps.body["name"], doubtful, cause);
    return undefined;
  }

  async #listAfter({ list, body }: CreateSteps, cause: DatapipesError): Promise<readonly Identified[]> {
    try {
      return await list();
    } catch (error) {
      if (!isDatapipesError(error)) throw error;
      throw new DatapipesError(
        cause.code,
        {
          summary:
            `${cause.summary} It is not known whether pipe ${JSON.stringify(body["name"])} exists: the list cannot be read ` +
            `(${error.reason}).`,
          nextStep: `Look for it in the service's console first: if it is there, name its id as adopt.`,
        },
        cause.answer,
      );
    }
  }
}

/** What follows a failed POST. */
interface Course {
  /** How long before each look at the list, in milliseconds. */
  readonly delays: readonly number[];
  /** How often the request may be sent again when the list does not have the pipe. */
  readonly repeats: number;
}

/** When a repeated POST is refused, what is there may be what the first one made. */
const LOOK_ONCE: Course = { delays: [0], repeats: 0 };

/** What follows a failed POST; undefined when it certainly made nothing and is not worth another try. */
function courseAfter(error: DatapipesError, sent: number, maxRetries: number): Course | undefined {
  const { code, answer } = error;
  // Gateways have been seen to turn away what they had passed on.
  if (code === "rate-limited") return { delays: [backoff(sent)], repeats: maxRetries };
  if (!isUncertain(error)) return undefined;
  // The server may still be creating what was given up on, and not cut off.
  const mayStillWork = code === "timeout" || answer.status === 504;
  return { delays: mayStillWork ? LONGER_DELAYS_MS : SETTLE_DELAYS_MS, repeats: MAX_REPEATS };
}

/** The pipes of a list that were not there before: those that are what was asked for, and those that may be. */
function freshOf({ body }: CreateSteps, pipes: readonly Identified[], known: Census, askedAt: number) {
  const fresh = pipes.filter((pipe) => !known.has(idKey(pipe.id)));
  const [same, perhaps] = (["same", "perhaps"] as const).map((likeness) =>
    fresh.filter((pipe) => likenessOf(body, pipe, askedAt) === likeness),
  );
  return { same: same ?? [], perhaps: perhaps ?? [] };
}

/** An error of this package as something to think about; any other is thrown on. */
function datapipesError(error: unknown): DatapipesError {
  if (isDatapipesError(error)) return error;
  throw error;
}

const attemptOf = ({ body }: CreateSteps): string => `create pipe ${JSON.stringify(body["name"])}`;

const doubled = (pipe: Identified, others: readonly Identified[]): DoubledPipeError =>
  new DoubledPipeError(pipe, {
    summary:
      `create pipe ${JSON.stringify(pipe["name"])} was sent again, because its first answer was lost and the list did not show the ` +
      `pipe. Now another one of the name is there too: ${idsOf(others)}. Both load the same data. The pipe in the stack is ${pipe.id}.`,
    nextStep: `Remove ${idsOf(others)} in the service's console.`,
  });
