import { DatapipesError, InvalidResponseError, isDatapipesError } from "../errors";
import { candidatesOf, type Candidates, type Doubtful } from "./candidates";
import { appeared, doubled, idsOf, likeFound, nothingMade, severalFound } from "./create-errors";
import { CHECK_BASE_URL } from "./hint";
import type { Clock } from "./limiter";
import { scopeKey, type ServiceScope } from "./operations";
import { likenessOf, plain } from "./likeness";
import { backoff } from "./retry";
import type { ServerClock, Span } from "./server-clock";
import { isUncertain } from "./uncertain";
import { idKey, type Identified, type WireObject } from "./wire";

export { DoubledPipeError } from "./create-errors";

/** What the proof needs of the API. */
export interface CreateSteps {
  readonly scope: ServiceScope;
  readonly body: WireObject;
  /** Sends the POST once. Calls `sent` when it goes out, and again when it goes out anew because the server saw nothing of it. */
  readonly post: (sent: () => void) => Promise<Identified>;
  /** Lists the pipes of the service as they are now. Calls `sent` when the request goes out. */
  readonly list: (sent: () => void) => Promise<readonly Identified[]>;
}

/** Pipes by id. */
type Census = Map<string, Identified>;

/** A list of pipes, and when it was asked for. */
interface Reading {
  readonly pipes: readonly Identified[];
  readonly readAt: number;
}

/** When a POST was sent, and when the list was asked for that has shown what was there before it. */
interface Attempt {
  sentAt: number;
  /** What the server's clock showed then, as far as it was known when it was last asked for. */
  span?: Span | undefined;
  readonly listedAt: number;
  /** The first POST of the same pipe, where this one repeats it. */
  readonly first?: Attempt;
}

/** How long an unanswered POST may take to show in the list, and how often the list is looked at meanwhile. */
const SETTLE_DELAYS_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000];
/** The same where the server may still be at work. */
const LONGER_DELAYS_MS = [...SETTLE_DELAYS_MS, 30_000];

/** How often a POST is sent again after the list has shown that the one before created nothing. */
const MAX_REPEATS = 2;

/** What the proof needs of its surroundings. */
export interface ProofOptions {
  readonly clock: Clock;
  readonly serverClock: Pick<ServerClock, "at" | "untilTelling">;
  readonly inform: (line: string) => void;
  /** How often a request that the rate limit turned away is sent again. */
  readonly maxRetries: number;
}

/** Creates pipes so that one that is asked for once exists once, also when answers are lost. */
export class ProvenCreate {
  /** Pipes that existed before this run's first create, or that this run made, by service and id. */
  readonly #known = new Map<string, Promise<{ readonly known: Census; readonly readAt: number }>>();
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
    (await this.#known.get(scopeKey(scope)))?.known.delete(idKey(id));
  }

  async #create(steps: CreateSteps): Promise<Identified> {
    const { known, readAt } = await this.#knownPipes(steps);
    this.#warnOfDouble(steps.body, known);
    const first = this.#attempt(readAt);
    for (let sent = 1, attempt = first, mayBeMade = false; ; sent += 1) {
      const outcome = await this.#post(steps, known, attempt).catch(datapipesError);
      if (!(outcome instanceof DatapipesError)) {
        known.set(idKey(outcome.id), outcome);
        if (mayBeMade) await this.#expectNoOther(steps, known, outcome, first);
        return outcome;
      }
      const course = courseAfter(outcome, sent, this.options.maxRetries);
      const again = course ?? (mayBeMade ? LOOK_ONCE : undefined);
      if (again === undefined) throw await this.#refusal(steps, known, attempt, outcome);
      const look = await this.#lookFor(steps, known, outcome, { ...again, attempt });
      if (look.found !== undefined) {
        known.set(idKey(look.found.id), look.found);
        return look.found;
      }
      if (sent > again.repeats) throw nothingMade(outcome, sent);
      mayBeMade ||= isUncertain(outcome);
      attempt = { ...this.#attempt(look.readAt), first };
      this.options.inform(`${attemptOf(steps)}: not in the list, so not created; sending the request again`);
    }
  }

  #attempt(listedAt: number): Attempt {
    return { listedAt, sentAt: this.options.clock.now() };
  }

  async #read({ list }: CreateSteps): Promise<Reading> {
    const { clock } = this.options;
    let readAt = clock.now();
    const pipes = await list(() => (readAt = clock.now()));
    return { pipes, readAt };
  }

  #candidates({ body }: CreateSteps, { pipes }: Reading, known: Census, attempt: Attempt): Candidates {
    const { sentAt, listedAt, first } = attempt;
    const sent = this.#spanOf(attempt);
    const firstSent = first && this.#spanOf(first);
    return candidatesOf({ body, sent, firstSent, listAge: sentAt - listedAt }, pipes, known);
  }

  /** Later answers tell it better, unless one of the two clocks has been set meanwhile. */
  #spanOf(attempt: Attempt): Span | undefined {
    return (attempt.span = this.options.serverClock.at(attempt.sentAt) ?? attempt.span);
  }

  /** What a refused POST has to say. A gateway may have passed it on, or passed on a copy of it, all the same. */
  async #refusal(
    steps: CreateSteps,
    known: Census,
    attempt: Attempt,
    refused: DatapipesError,
  ): Promise<DatapipesError> {
    if (refused.answer.arrived === false) return refused;
    try {
      const { ours, doubtful } = this.#candidates(steps, await this.#read(steps), known, attempt);
      const [copy] = [...ours, ...doubtful.map(({ pipe }) => pipe)];
      return copy === undefined ? refused : appeared(copy, refused);
    } catch (error) {
      datapipesError(error);
      return refused;
    }
  }

  /** An answer that names a pipe of before is an answer to something else. */
  async #post({ post }: CreateSteps, known: Census, attempt: Attempt): Promise<Identified> {
    const sent = (): void => {
      attempt.sentAt = this.options.clock.now();
      this.#spanOf(attempt);
    };
    sent();
    const pipe = await post(sent);
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
  async #expectNoOther(steps: CreateSteps, known: Census, pipe: Identified, first: Attempt): Promise<void> {
    let others: readonly Identified[];
    try {
      const { ours, doubtful } = this.#candidates(steps, await this.#read(steps), known, first);
      others = [...ours, ...doubtful.filter(isDoubtOfTime).map((each) => each.pipe)];
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
  async #knownPipes(steps: CreateSteps): Promise<{ readonly known: Census; readonly readAt: number }> {
    const key = scopeKey(steps.scope);
    const present = this.#known.get(key);
    const taken = present ?? this.#census(steps);
    this.#known.set(key, taken);
    // A failed look is no knowledge: the next create looks again.
    taken.catch(() => this.#known.delete(key));
    return taken;
  }

  async #census(steps: CreateSteps): Promise<{ readonly known: Census; readonly readAt: number }> {
    const { pipes, readAt } = await this.#read(steps);
    return { known: new Map(pipes.map((pipe) => [idKey(pipe.id), pipe])), readAt };
  }

  #warnOfDouble(body: WireObject, known: Census): void {
    const doubles = [...known.values()].filter((pipe) => likenessOf(body, pipe) !== "no");
    if (doubles.length === 0) return;
    this.options.inform(
      `warning: the service already has a pipe of the name ${JSON.stringify(body["name"])} for the same table (${idsOf(doubles)}). ` +
        `The new pipe runs beside it; if both load the same data, the data is there twice. To take over the existing pipe, ` +
        `name its id as adopt.`,
    );
  }

  /** The one pipe that the request has made, once it shows; none when none does in time. */
  async #lookFor(
    steps: CreateSteps,
    known: Census,
    cause: DatapipesError,
    { delays, attempt }: Course & { readonly attempt: Attempt },
  ): Promise<{ readonly found?: Identified; readonly readAt: number }> {
    const { clock, inform, serverClock } = this.options;
    const name = steps.body["name"];
    inform(`${attemptOf(steps)}: ${cause.reason}; looking for it in the list`);
    let seen: Candidates = { ours: [], doubtful: [] };
    let readAt = attempt.listedAt;
    for (const delay of delays) {
      await clock.sleep(delay);
      const untilTelling = seen.doubtful.some(isDoubtOfTime) ? serverClock.untilTelling() : 0;
      if (untilTelling > 0) await clock.sleep(untilTelling);
      const reading = await this.#listAfter(steps, cause);
      readAt = reading.readAt;
      seen = this.#candidates(steps, reading, known, attempt);
      const { ours, doubtful } = seen;
      if (ours.length > 1) throw severalFound(name, ours, cause);
      // Which of the two is ours, a more precise clock may tell.
      if (ours[0] !== undefined && !doubtful.some(isDoubtOfTime)) return { found: ours[0], readAt };
    }
    const { ours, doubtful } = seen;
    if (ours.length > 0) throw severalFound(name, [...ours, ...doubtful.map(({ pipe }) => pipe)], cause);
    if (doubtful.length > 0) throw likeFound(name, doubtful, cause);
    return { readAt };
  }

  async #listAfter(steps: CreateSteps, cause: DatapipesError): Promise<Reading> {
    try {
      return await this.#read(steps);
    } catch (error) {
      if (!isDatapipesError(error)) throw error;
      throw new DatapipesError(
        cause.code,
        {
          summary:
            `${cause.summary} It is not known whether pipe ${JSON.stringify(steps.body["name"])} exists: the list cannot be read ` +
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

/** An error of this package as something to think about; any other is thrown on. */
function datapipesError(error: unknown): DatapipesError {
  if (isDatapipesError(error)) return error;
  throw error;
}

/** Whether a pipe may be ours as far as all but its time goes. */
const isDoubtOfTime = ({ doubt }: Doubtful): boolean => doubt === "perhaps made before the request";

const attemptOf = ({ body }: CreateSteps): string => `create pipe ${JSON.stringify(body["name"])}`;
