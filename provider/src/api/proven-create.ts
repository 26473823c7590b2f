import { DatapipesError, isDatapipesError } from "../errors";
import type { Clock } from "./limiter";
import type { ServiceScope } from "./operations";
import { isWireObject, type WireObject } from "./wire";

/** What the proof needs of the API. */
export interface CreateSteps {
  readonly scope: ServiceScope;
  readonly body: WireObject;
  /** Sends the POST once. */
  readonly post: () => Promise<Identified>;
  /** Lists the pipes of the service as they are now. */
  readonly list: () => Promise<readonly WireObject[]>;
}

/** Something that exists under an id. */
export type Identified = WireObject & { readonly id: string };

/** Pipes by id. */
type Census = Map<string, WireObject>;

/** How long an unanswered POST may take to show in the list, and how often the list is looked at meanwhile. */
const SETTLE_DELAYS_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000];

/** How often a POST is sent again after the list has shown that the one before created nothing. */
const MAX_REPEATS = 2;

/** Creates pipes so that one that is asked for once exists once, also when answers are lost. */
export class ProvenCreate {
  /** Pipes that existed before this run's first create, or that this run made, by service and id. */
  readonly #known = new Map<string, Promise<Census>>();
  /** The last create under way for each name: two of one name must not take each other's pipe. */
  readonly #lanes = new Map<string, Promise<unknown>>();

  constructor(
    private readonly clock: Clock,
    private readonly inform: (line: string) => void,
  ) {}

  /** The created pipe, exactly one; or an error that says what exists. */
  create(steps: CreateSteps): Promise<Identified> {
    const lane = JSON.stringify([steps.scope, steps.body["name"]]);
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
    (await this.#known.get(JSON.stringify(scope)))?.delete(id);
  }

  async #create(steps: CreateSteps): Promise<Identified> {
    const known = await this.#knownPipes(steps);
    this.#warnOfDouble(steps.body, known);
    const name = `pipe ${JSON.stringify(steps.body["name"])}`;
    for (let repeats = 0; ; repeats += 1) {
      try {
        return remember(known, await steps.post());
      } catch (error) {
        if (!isUncertain(error)) throw error;
        this.inform(
          `${error.message} It is not known whether the pipe was created: looking for it in the list.`,
        );
        const found = await this.#lookFor(steps, known, error);
        if (found !== undefined) return remember(known, found);
        if (repeats >= MAX_REPEATS) throw error;
        this.inform(`${name}: the list does not have it, so it was not created; sending the request again.`);
      }
    }
  }

  /** The ids of before: read once for each service and run. Without them nobody could tell a new pipe from an old one. */
  async #knownPipes(steps: CreateSteps): Promise<Census> {
    const key = JSON.stringify(steps.scope);
    const present = this.#known.get(key);
    const taken = present ?? this.#census(steps);
    this.#known.set(key, taken);
    // A failed look is no knowledge: the next create looks again.
    taken.catch(() => this.#known.delete(key));
    return taken;
  }

  async #census({ list }: CreateSteps): Promise<Census> {
    return new Map((await list()).flatMap((pipe) => idOf(pipe).map((id) => [id, pipe] as const)));
  }

  #warnOfDouble(body: WireObject, known: Census): void {
    const doubles = [...known].filter(([, pipe]) => isAlike(body, pipe)).map(([id]) => id);
    if (doubles.length === 0) return;
    this.inform(
      `warning: the service already has a pipe of the name ${JSON.stringify(body["name"])} for the same table (${doubles.join(", ")}). ` +
        `Another one is created beside it; if it loads the same data, the data is there twice. To take over the one that ` +
        `exists, name its id as adopt.`,
    );
  }

  /** The one new pipe of this name and destination, once it shows; undefined when none does in time. */
  async #lookFor(steps: CreateSteps, known: Census, cause: DatapipesError): Promise<Identified | undefined> {
    for (const delay of SETTLE_DELAYS_MS) {
      await this.clock.sleep(delay);
      const alike = (await this.#listAfter(steps, cause)).filter((pipe) => isAlike(steps.body, pipe));
      const fresh = alike.filter((pipe) => !idOf(pipe).some((id) => known.has(id)));
      if (fresh.length > 1) throw severalFound(steps, fresh, cause);
      if (fresh[0] !== undefined) return fresh[0] as Identified;
    }
    return undefined;
  }

  async #listAfter({ list, body }: CreateSteps, cause: DatapipesError): Promise<readonly WireObject[]> {
    try {
      return await list();
    } catch (error) {
      if (!isDatapipesError(error)) throw error;
      throw new DatapipesError(
        cause.code,
        `${cause.message} It is not known whether pipe ${JSON.stringify(body["name"])} exists, and the list cannot be read ` +
          `(${error.message}). Look for it in the service's console before the next run: if it is there, name its id as ` +
          `adopt, otherwise a second one would load the same data.`,
        cause.answer,
      );
    }
  }
}

/** Whether a failed POST may have created something all the same. */
export function isUncertain(error: unknown): error is DatapipesError {
  if (!isDatapipesError(error)) return false;
  if (error.code === "connection") return error.answer.arrived !== false;
  return ["timeout", "server-error", "invalid-response"].includes(error.code);
}

/** Whether a pipe has the name and writes to the table that a body asks for, as far as both say so. */
function isAlike(body: WireObject, pipe: WireObject): boolean {
  const [asked, present] = [tableOf(body), tableOf(pipe)];
  return body["name"] === pipe["name"] && (asked === undefined || present === undefined || asked === present);
}

function tableOf({ destination }: WireObject): unknown {
  return isWireObject(destination) ? (destination["table"] ?? undefined) : undefined;
}

const idOf = (pipe: WireObject): readonly string[] => (typeof pipe["id"] === "string" ? [pipe["id"]] : []);

function remember(known: Census, pipe: Identified): Identified {
  known.set(pipe.id, pipe);
  return pipe;
}

function severalFound(
  { body }: CreateSteps,
  pipes: readonly WireObject[],
  cause: DatapipesError,
): DatapipesError {
  const ids = pipes.flatMap(idOf).join(", ");
  return new DatapipesError(
    "conflict",
    `${cause.message} Since then several pipes of the name ${JSON.stringify(body["name"])} have appeared: ${ids}. None was taken ` +
      `over. Find out which is the one of this program and name its id as adopt; remove the others.`,
    cause.answer,
  );
}
