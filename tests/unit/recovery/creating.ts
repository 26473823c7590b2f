import {
  createPipe,
  type CreateContext,
  type PipeClient,
} from "../../../provider/src/resources/recovery/create-pipe";
import { forgetPipe } from "../../../provider/src/resources/recovery/pipe-list";
import { ServerClock } from "../../../provider/src/api/server-clock";
import type { Identified, WireObject } from "../../../provider/src/api/wire";
import { DatapipesError, type DatapipesErrorCode } from "../../../provider/src/errors";
import { InstantClock } from "../../../testkit/instant-clock";
import { recordLines } from "../../../testkit/lines";
import { rendered } from "../../../testkit/rendered";

const scope = { organizationId: "o", serviceId: "s" };
export const body = { name: "orders", destination: { table: "t" } };
export const pipe = (id: string, more: object = {}): Identified => ({ ...body, ...more, id });
export const failed = (code: DatapipesErrorCode, answer: DatapipesError["answer"] = {}): DatapipesError =>
  new DatapipesError(code, "It failed.", { answer });

/** Answers in their order; the last one for ever. An error is thrown. */
export const inTurn =
  <T>(...answers: readonly (T | Error)[]) =>
  (): Promise<T> => {
    const [answer, ...rest] = answers;
    if (rest.length > 0) answers = rest;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as T);
  };

export const posts = (...answers: readonly (Identified | Error)[]) => inTurn<Identified>(...answers);
export const lists = (...answers: readonly (Identified[] | Error)[]) => inTurn<Identified[]>(...answers);

/** The waits before each look of an ordinary failure. */
export const SETTLED = [0, 1_000, 2_000, 4_000, 8_000, 15_000];

/** All looks after a lost answer, none of which finds the pipe. */
export const NEVER_FOUND: readonly Identified[][] = Array.from({ length: 7 }, () => []);
export const BUG = new TypeError("a bug");

/** A POST, and how often it was sent. */
export function counted(answer: () => Promise<Identified>) {
  let sent = 0;
  const post = (): Promise<Identified> => {
    sent += 1;
    return answer();
  };
  return { post, sent: () => sent };
}

class WatchedClock extends InstantClock {
  readonly sleeps: number[] = [];

  override sleep(milliseconds: number): Promise<void> {
    this.sleeps.push(milliseconds);
    return super.sleep(milliseconds);
  }
}

/** What is asked for, and what the API answers. */
export interface Create {
  readonly body?: WireObject;
  readonly post?: () => Promise<Identified>;
  readonly list?: () => Promise<Identified[]>;
  /** What the create knows of the run. */
  readonly run?: CreateContext;
}

export function creating(maxRetries = 2) {
  const clock = new WatchedClock();
  const { lines, ...output } = recordLines();
  const posts = new Map<WireObject, () => Promise<Identified>>();
  let list = lists([]);
  const client: PipeClient = {
    requestContext: { clock, serverClock: new ServerClock(clock), ...output, maxRetries },
    createPipe: (_scope, asked) => (posts.get(asked) ?? inTurn(pipe("1")))(),
    listPipes: () => list(),
  };
  const create = (asked: Create) => {
    const given = { ...(asked.body ?? body) };
    if (asked.post !== undefined) posts.set(given, asked.post);
    list = asked.list ?? lists([]);
    return rendered(createPipe(client, scope, given, asked.run));
  };
  return { create, forget: (id: string) => forgetPipe(client, scope, id), clock, lines };
}
