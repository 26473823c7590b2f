import type { Client } from "../../api/client";
import { readFirst } from "../../api/http/deadline";
import type { ServiceScope } from "../../settings/settings";
import { scopeKey } from "../../api/document/operations";
import { finish, isCancelled } from "../../api/http/clock";
import { LIST_READS, LOOK_ONCE } from "../../api/http/repetition";
import type { Wanted } from "../../api/shared-reads";
import type { Span } from "../../api/http/server-clock";
import type { WireObject, WireValue } from "../../api/document/wire";
import { idKey } from "../../values/uuid";
import type { PropertyMap } from "../../lifecycle/property-value";
import { InvalidResponseError, isDatapipesError, type DatapipesError } from "../../messages/errors";
import type { ListedPipe } from "./observed";
import { candidatesOf, isCreatedAfter, type Candidates, type DoubtfulPipe } from "./candidates";
import * as createErrors from "./create-errors";
import { folded } from "./match";
import { secondPipeWarning } from "./second-pipe";
import { knownPipes, lookAtPipes, type PipeList } from "./pipe-list";
import { isTransient, reactionTo, readDelays, wantedAfter } from "../outcome";
import { getOrAdd } from "../../values/get-or-add";

/** The part of the client that a create needs. */
export type PipeClient = Pick<Client, "createPipe" | "listPipes" | "lookAtPipes" | "requestContext">;

export interface PipeBody extends WireObject {
  readonly name?: WireValue;
}

/** The last create of each name, by client: two at the same time could take each other's pipe. */
const queuesOfClients = new WeakMap<PipeClient, Map<string, Promise<unknown>>>();

/** What a create has to know of the run. */
export interface CreateContext {
  /** Takes a pipe for this provider instance. False if another instance of the run has taken it. */
  readonly take?: (id: string) => boolean;
  /** The id of the pipe that the new one replaces. */
  readonly replaced?: string | undefined;
  /** Whether a warning already says that the new pipe loads the same as this one, if it does. */
  readonly isCompared?: (id: string) => boolean;
}

/**
 * Creates one pipe; or fails with an error that says what exists. When the answer is lost, the list before and after tells whether the
 * pipe exists; without that the POST is never sent again.
 */
export function createPipe(
  client: PipeClient,
  scope: ServiceScope,
  body: PipeBody,
  context: CreateContext = {},
): Promise<ListedPipe> {
  const queues = getOrAdd(queuesOfClients, client, () => new Map<string, Promise<unknown>>());
  const key = JSON.stringify([scopeKey(scope), folded(body.name)]);
  const create = async (): Promise<ListedPipe> => {
    const { clock } = client.requestContext;
    const known = await readFirst(clock, attemptOf(body), knownPipes(client, scope));
    return new PipeCreation(client, scope, body, known, context).create();
  };
  const created = (queues.get(key) ?? Promise.resolve()).then(create, create);
  queues.set(key, created);
  return created;
}

const attemptOf = ({ name }: PipeBody): string => `create pipe ${JSON.stringify(name)}`;

/** One POST. */
interface Attempt {
  sentAt: number;
  /** The server's time then, as far as it has been known since. */
  serverTime?: Span | undefined;
  /** When the list was read that shows what existed before. */
  readonly listedAt: number;
  /** The first POST, if this one repeats it. */
  readonly first?: Attempt;
}

class PipeCreation {
  readonly #attempted: string;
  readonly #context: PipeClient["requestContext"];

  constructor(
    private readonly client: PipeClient,
    private readonly scope: ServiceScope,
    private readonly body: PipeBody,
    private readonly known: PipeList,
    private readonly given: CreateContext,
  ) {
    this.#attempted = attemptOf(body);
    this.#context = client.requestContext;
  }

  async create(): Promise<ListedPipe> {
    this.#warnOfMatches();
    const { clock, log, maxRetries } = this.#context;
    const first: Attempt = { listedAt: this.known.readAt, sentAt: 0 };
    for (let sent = 1, attempt = first; ; sent += 1) {
      const outcome = await this.#post(attempt).catch(asDatapipesError);
      if (!isDatapipesError(outcome)) {
        if (!this.#take(outcome)) throw createErrors.takenByOther(outcome);
        if (sent > 1) await this.#finish(() => this.#requireNoDuplicate(outcome, first, true));
        return outcome;
      }
      const reaction = reactionTo(outcome, "createPipe");
      const look = reaction.action === "look" ? reaction : sent > 1 ? LOOK_ONCE : undefined;
      if (look === undefined)
        throw reaction.action === "report"
          ? await this.#finish(() => this.#refusal(attempt, outcome))
          : outcome;
      const isLast = (): boolean => sent > Math.min(look.atMost, maxRetries) || isCancelled(clock);
      const delays = readDelays(look, isLast);
      const { pipe, readAt } = await this.#finish(() => this.#findCreated(attempt, outcome, delays));
      if (pipe !== undefined) return this.#keep(pipe, attempt);
      if (isLast()) throw createErrors.notCreated(outcome, sent);
      log(`${this.#attempted}: the list does not have the pipe; sending the request again`);
      attempt = { listedAt: readAt, sentAt: 0, first };
    }
  }

  /** Keeps a pipe that the list shows, unless one of several POSTs has created another. */
  async #keep(pipe: ListedPipe, attempt: Attempt): Promise<ListedPipe> {
    this.#addKnown(pipe);
    const { first } = attempt;
    if (first === undefined) return pipe;
    const isOfLast = isCreatedAfter(pipe, this.#serverTimeOf(attempt));
    await this.#finish(() => this.#requireNoDuplicate(pipe, first, isOfLast));
    return pipe;
  }

  async #post(attempt: Attempt): Promise<ListedPipe> {
    const noteTime = (): void => {
      attempt.sentAt = this.#context.clock.now();
      this.#serverTimeOf(attempt);
    };
    noteTime();
    const pipe = await this.client.createPipe(this.scope, this.body, noteTime);
    if (!this.known.pipes.has(idKey(pipe.id))) return this.#addKnown(pipe);
    throw new InvalidResponseError(
      `${this.#attempted} failed: the API returned pipe ${pipe.id}, which existed before.`,
      { operation: "createPipe" },
      "a response with an older pipe",
    );
  }

  /** Looks for what a request did, also in a run that is cancelled: a pipe that no state has would be created again by the next run. */
  #finish<T>(look: () => Promise<T>): Promise<T> {
    const { clock, warn } = this.#context;
    return finish(clock, look, () => {
      warn(
        `${this.#attempted}: the run is cancelled while it is unknown what the request did. The provider goes on looking in the list. If you ` +
          "cancel again, check in the service's console whether the pipe exists before the next `pulumi up`.",
      );
    });
  }

  #take = ({ id }: ListedPipe): boolean => this.given.take?.(id) ?? true;

  #addKnown(pipe: ListedPipe): ListedPipe {
    this.known.pipes.set(idKey(pipe.id), pipe);
    return pipe;
  }

  #warnOfMatches(): void {
    const replaced = idKey(this.given.replaced ?? "");
    const others = [...this.known.pipes.values()].filter(({ id }) => idKey(id) !== replaced);
    const warning = secondPipeWarning(this.body, others, this.given.isCompared);
    if (warning !== undefined) this.#context.warn(warning);
  }

  /** The error of a refused POST. A gateway may have forwarded it, or a copy of it, all the same. */
  async #refusal(attempt: Attempt, refused: DatapipesError): Promise<DatapipesError> {
    const list = await this.#read();
    if (isDatapipesError(list)) return refused;
    const { created, doubtful } = this.#candidates(attempt, list);
    const [copy] = [...created, ...doubtful.map(({ pipe }) => pipe)];
    return copy === undefined ? refused : createErrors.pipeAppeared(copy, refused);
  }

  /**
   * Each POST of several may have created a pipe. A list with the pipe of the last one shows the others, too; otherwise the lists of a
   * minute have to.
   */
  async #requireNoDuplicate(pipe: ListedPipe, first: Attempt, isOfLast: boolean): Promise<void> {
    const { clock, warn } = this.#context;
    let problem: string | undefined = NOT_LISTED;
    for (const wanted of wantedAfter(LIST_READS.repeated.delaysMs, clock)) {
      const list = await this.#read(wanted);
      if (isDatapipesError(list)) {
        problem = `cannot read the list (${list.reason})`;
        if (isTransient(list)) continue;
        break;
      }
      const isListed = list.pipes.has(idKey(pipe.id));
      problem = isListed ? undefined : NOT_LISTED;
      // The other pipe is like this one where the service has rewritten what the program requests.
      const bodies = [this.body, list.pipes.get(idKey(pipe.id)) ?? pipe];
      const found = bodies.map((body) => this.#candidates(first, list, body));
      const others = new Set(
        found.flatMap(({ created, doubtful }) => [
          ...created,
          ...doubtful.filter(isTimeUnclear).map((one) => one.pipe),
        ]),
      );
      if (others.size > 0) throw new createErrors.DuplicatePipeError(pipe, [...others]);
      if (isListed && isOfLast) return;
    }
    if (problem === undefined) return;
    warn(
      `the provider created pipe ${JSON.stringify(pipe.name)} (${pipe.id}) with a repeated request, and ${problem}. ` +
        `Check in the service's console whether an earlier request created a second pipe.`,
    );
  }

  /** The pipe that the POST created, once the list shows it; without a pipe, when the last list was read. */
  async #findCreated(
    attempt: Attempt,
    cause: DatapipesError,
    delays: Iterable<number>,
  ): Promise<{ readonly pipe?: ListedPipe; readonly readAt: number }> {
    const { clock, log } = this.#context;
    log(`${this.#attempted}: ${cause.reason}; looking for the pipe in the list`);
    const start = clock.now();
    let candidates = NO_CANDIDATES;
    let last: PipeList | DatapipesError = { pipes: new Map(), readAt: attempt.listedAt };
    for (const wanted of wantedAfter(delays, clock)) {
      if (isDatapipesError(last)) log(`${this.#attempted}: cannot read the list (${last.reason}); retrying`);
      last = await this.#readAfter(wanted, candidates);
      if (isDatapipesError(last)) {
        if (isTransient(last) && clock.now() - start < LIST_READS.limitMs) continue;
        break;
      }
      candidates = this.#candidates(attempt, last);
      const { created, doubtful } = candidates;
      if (created.length > 1) throw createErrors.severalPipesAppeared(created, cause);
      const [pipe] = created;
      if (pipe === undefined || doubtful.some(isTimeUnclear)) continue;
      if (this.#take(pipe)) return { pipe, readAt: last.readAt };
      // Another provider instance of the run created it.
      this.#addKnown(pipe);
      candidates = NO_CANDIDATES;
    }
    const { created, doubtful } = candidates;
    if (created.length > 0)
      throw createErrors.severalPipesAppeared([...created, ...doubtful.map(({ pipe }) => pipe)], cause);
    if (doubtful.length > 0) throw createErrors.similarPipeAppeared(doubtful, cause);
    // An earlier list without the pipe proves nothing: the server may have created it since.
    if (isDatapipesError(last)) throw createErrors.mayExist(cause, last);
    return { readAt: last.readAt };
  }

  async #readAfter(wanted: Wanted, { doubtful }: Candidates): Promise<PipeList | DatapipesError> {
    const { clock, serverClock } = this.#context;
    if (!doubtful.some(isTimeUnclear)) return this.#read(wanted);
    await clock.sleep(wanted.delay);
    // A more precise clock may tell whether a pipe is older than the POST.
    const untilPrecise = serverClock.msUntilNextSecond();
    if (untilPrecise > 0) await clock.sleep(untilPrecise);
    return this.#read();
  }

  #read(wanted?: Wanted): Promise<PipeList | DatapipesError> {
    return lookAtPipes(this.client, this.scope, wanted).catch(asDatapipesError);
  }

  #candidates(attempt: Attempt, { pipes }: PipeList, body: PropertyMap = this.body): Candidates {
    const { sentAt, listedAt, first } = attempt;
    const sent = this.#serverTimeOf(attempt);
    const firstSent = first && this.#serverTimeOf(first);
    const request = { body, sent, firstSent, listAge: sentAt - listedAt };
    return candidatesOf(request, [...pipes.values()], this.known.pipes);
  }

  /** Later answers tell the server's time better, unless one of the two clocks has been set meanwhile. */
  #serverTimeOf(attempt: Attempt): Span | undefined {
    return (attempt.serverTime = this.#context.serverClock.at(attempt.sentAt) ?? attempt.serverTime);
  }
}

const NOT_LISTED = "the list does not show this pipe yet";

const NO_CANDIDATES: Candidates = { created: [], doubtful: [] };

/** An error of this package; any other is thrown on. */
function asDatapipesError(error: unknown): DatapipesError {
  if (isDatapipesError(error)) return error;
  throw error;
}

const isTimeUnclear = ({ doubt }: DoubtfulPipe): boolean => doubt === "perhaps created before the request";
