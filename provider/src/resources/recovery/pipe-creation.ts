import { DatapipesError, InvalidResponseError, isDatapipesError } from "../../errors";
import { candidatesOf, type Candidates, type Doubtful } from "./candidates";
import { recoveryPlanFor, isPassing, LOOK_ONCE, type RecoveryPlan } from "./plan";
import * as createErrors from "./create-errors";
import type { Clock } from "../../api/rate-limiter";
import { scopeKey, type ServiceScope } from "../../api/operations";
import { likenessOf, plain } from "./likeness";
import type { ServerClock, Span } from "../../api/server-clock";
import { isUncertain } from "./uncertain";
import { idKey, type Identified, type WireObject } from "../../api/wire";

/** The requests that a create sends. */
export interface CreateSteps {
  readonly scope: ServiceScope;
  readonly body: WireObject;
  /** Sends the POST once. Calls `sent` when it goes out, and again when it goes out anew because the server saw nothing of it. */
  readonly post: (sent: () => void) => Promise<Identified>;
  /** Lists the pipes of the service as they are now. Calls `sent` when the request goes out. */
  readonly list: (sent: () => void) => Promise<readonly Identified[]>;
}

/** Pipes by id. */
type KnownPipes = Map<string, Identified>;

/** A list of pipes, and when it was asked for. */
interface PipeList {
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

/** After so much time of looking, in milliseconds, a look that fails is the last one. */
const MAX_LOOKING_MS = 600_000;

/** What a create needs beside them. */
export interface CreationContext {
  readonly clock: Clock;
  readonly serverClock: Pick<ServerClock, "at" | "untilTelling">;
  readonly log: (line: string) => void;
  readonly warn: (line: string) => void;
  /** How often a request that the rate limit turned away is sent again. */
  readonly maxRetries: number;
}

/** Creates pipes so that one that is asked for once exists once, also when answers are lost. */
export class PipeCreation {
  /** Pipes that existed before this run's first create, or that this run made, by service and id. */
  readonly #known = new Map<string, Promise<{ readonly known: KnownPipes; readonly readAt: number }>>();
  /** The last create under way for each name: two of one name must not take each other's pipe. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(private readonly options: CreationContext) {}

  /** The created pipe, exactly one; or an error that says what exists. */
  create(steps: CreateSteps): Promise<Identified> {
    const queue = JSON.stringify([scopeKey(steps.scope), plain(steps.body["name"])]);
    const before = this.#queues.get(queue) ?? Promise.resolve();
    const turn = before.then(
      () => this.#create(steps),
      () => this.#create(steps),
    );
    this.#queues.set(queue, turn);
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
      const plan = recoveryPlanFor(outcome, sent, this.options.maxRetries);
      const again = plan ?? (mayBeMade ? LOOK_ONCE : undefined);
      if (again === undefined) throw await this.#refusal(steps, known, attempt, outcome);
      const look = await this.#lookFor(steps, known, outcome, { ...again, attempt });
      if (look.found !== undefined) {
        known.set(idKey(look.found.id), look.found);
        return look.found;
      }
      if (sent > again.repeats) throw createErrors.nothingMade(outcome, sent);
      mayBeMade ||= isUncertain(outcome);
      attempt = { ...this.#attempt(look.readAt), first };
      this.options.log(`${attemptOf(steps)}: not in the list, so not created; sending the request again`);
    }
  }

  #attempt(listedAt: number): Attempt {
    return { listedAt, sentAt: this.options.clock.now() };
  }

  async #read({ list }: CreateSteps): Promise<PipeList> {
    const { clock } = this.options;
    let readAt = clock.now();
    const pipes = await list(() => (readAt = clock.now()));
    return { pipes, readAt };
  }

  #candidates({ body }: CreateSteps, { pipes }: PipeList, known: KnownPipes, attempt: Attempt): Candidates {
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
    known: KnownPipes,
    attempt: Attempt,
    refused: DatapipesError,
  ): Promise<DatapipesError> {
    if (refused.answer.arrived === false) return refused;
    try {
      const { ours, doubtful } = this.#candidates(steps, await this.#read(steps), known, attempt);
      const [copy] = [...ours, ...doubtful.map(({ pipe }) => pipe)];
      return copy === undefined ? refused : createErrors.appeared(copy, refused);
    } catch (error) {
      datapipesError(error);
      return refused;
    }
  }

  /** An answer that names a pipe of before is an answer to something else. */
  async #post({ post }: CreateSteps, known: KnownPipes, attempt: Attempt): Promise<Identified> {
    const sent = (): void => {
      attempt.sentAt = this.options.clock.now();
      this.#spanOf(attempt);
    };
    sent();
    const pipe = await post(sent);
    if (!known.has(idKey(pipe.id))) return pipe;
    throw new InvalidResponseError(
      `create pipe ${JSON.stringify(pipe["name"])} failed: the API answered with pipe ${pipe.id}, which existed before.`,
      { operation: "createPipe" },
      "an answer that names an older pipe",
    );
  }

  /** The first request may have made its pipe after all, after the second one was sent. */
  async #expectNoOther(
    steps: CreateSteps,
    known: KnownPipes,
    pipe: Identified,
    first: Attempt,
  ): Promise<void> {
    let others: readonly Identified[];
    try {
      const { ours, doubtful } = this.#candidates(steps, await this.#read(steps), known, first);
      others = [...ours, ...doubtful.filter(isDoubtOfTime).map((each) => each.pipe)];
    } catch (error) {
      if (!isDatapipesError(error)) throw error;
      this.options.warn(
        `pipe ${JSON.stringify(pipe["name"])} was created with a repeated request, and the list cannot be read ` +
          `(${error.reason}). Look in the service's console whether the first request created a second one.`,
      );
      return;
    }
    if (others.length > 0) throw new createErrors.DoubledPipeError(pipe, others);
  }

  /** The ids of before: read once for each service and run. Without them nobody could tell a new pipe from an old one. */
  async #knownPipes(steps: CreateSteps): Promise<{ readonly known: KnownPipes; readonly readAt: number }> {
    const key = scopeKey(steps.scope);
    const present = this.#known.get(key);
    const taken = present ?? this.#listKnown(steps);
    this.#known.set(key, taken);
    // A failed look is no knowledge: the next create looks again.
    taken.catch(() => this.#known.delete(key));
    return taken;
  }

  async #listKnown(steps: CreateSteps): Promise<{ readonly known: KnownPipes; readonly readAt: number }> {
    const { pipes, readAt } = await this.#read(steps);
    return { known: new Map(pipes.map((pipe) => [idKey(pipe.id), pipe])), readAt };
  }

  #warnOfDouble(body: WireObject, known: KnownPipes): void {
    const doubles = [...known.values()].filter((pipe) => likenessOf(body, pipe) !== "no");
    if (doubles.length === 0) return;
    this.options.warn(
      `the service already has a pipe of the name ${JSON.stringify(body["name"])} for the same table (${createErrors.idsOf(doubles)}). ` +
        `The new pipe runs beside it; if both load the same data, the data is there twice. To take over the existing pipe, ` +
        `set adopt to its id.`,
    );
  }

  /** The one pipe that the request has made, once it shows; none when the list of the last look does not have it. */
  async #lookFor(
    steps: CreateSteps,
    known: KnownPipes,
    cause: DatapipesError,
    { delays, attempt }: RecoveryPlan & { readonly attempt: Attempt },
  ): Promise<{ readonly found?: Identified; readonly readAt: number }> {
    const { clock, log } = this.options;
    const name = steps.body["name"];
    log(`${attemptOf(steps)}: ${cause.reason}; looking for it in the list`);
    const start = clock.now();
    let seen: Candidates = { ours: [], doubtful: [] };
    let last: PipeList | DatapipesError | undefined;
    for (const delay of delays) {
      if (isDatapipesError(last)) log(`${attemptOf(steps)}: no list (${last.reason}); looking again`);
      last = await this.#look(steps, seen, delay);
      if (isDatapipesError(last)) {
        if (isPassing(last) && clock.now() - start < MAX_LOOKING_MS) continue;
        break;
      }
      seen = this.#candidates(steps, last, known, attempt);
      const { ours, doubtful } = seen;
      if (ours.length > 1) throw createErrors.severalFound(name, ours, cause);
      // Which of the two is ours, a more precise clock may tell.
      if (ours[0] !== undefined && !doubtful.some(isDoubtOfTime))
        return { found: ours[0], readAt: last.readAt };
    }
    const { ours, doubtful } = seen;
    if (ours.length > 0)
      throw createErrors.severalFound(name, [...ours, ...doubtful.map(({ pipe }) => pipe)], cause);
    if (doubtful.length > 0) throw createErrors.likeFound(name, doubtful, cause);
    // An earlier list without the pipe proves nothing: it may have been made since.
    if (isDatapipesError(last)) throw createErrors.nothingKnown(name, cause, last);
    return { readAt: last?.readAt ?? attempt.listedAt };
  }

  /** The list after a while, or why it cannot be read. */
  async #look(steps: CreateSteps, seen: Candidates, delay: number): Promise<PipeList | DatapipesError> {
    const { clock, serverClock } = this.options;
    await clock.sleep(delay);
    const untilTelling = seen.doubtful.some(isDoubtOfTime) ? serverClock.untilTelling() : 0;
    if (untilTelling > 0) await clock.sleep(untilTelling);
    return this.#read(steps).catch(datapipesError);
  }
}

/** An error of this package as something to think about; any other is thrown on. */
function datapipesError(error: unknown): DatapipesError {
  if (isDatapipesError(error)) return error;
  throw error;
}

/** Whether a pipe may be ours as far as all but its time goes. */
const isDoubtOfTime = ({ doubt }: Doubtful): boolean => doubt === "perhaps made before the request";

const attemptOf = ({ body }: CreateSteps): string => `create pipe ${JSON.stringify(body["name"])}`;
