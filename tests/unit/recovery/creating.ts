import { createPipe } from "../../../provider/src/resources/pipe/create-pipe";
import type { CreateContext, PipeClient } from "../../../provider/src/resources/pipe/create-pipe";
import { forgetPipe } from "../../../provider/src/resources/pipe/pipe-list";
import { ServerClock } from "../../../provider/src/api/http/server-clock";
import type { Identified, WireObject } from "../../../provider/src/api/document/wire";
import { DatapipesError, type DatapipesErrorCode } from "../../../provider/src/messages/errors";
import { InstantClock } from "../../../testkit/instant-clock";
import { recordLines } from "../../../testkit/lines";
import { rendered } from "../../../testkit/rendered";

const scope = { organizationId: "o", serviceId: "s" };
export const body = { name: "orders", destination: { table: "t" } };
export const pipe = (id: string, more: object = {}): Identified => ({ ...body, ...more, id });
export const failed = (code: DatapipesErrorCode, answer: DatapipesError["answer"] = {}): DatapipesError =>
  new DatapipesError(code, "It failed.", { answer });

/** The delays of an ordinary recovery, and the lists of one that finds no pipe, after the list before the POST. */
export const DELAYS = [0, 1_000, 2_000, 4_000, 8_000, 15_000];
export const NEVER_FOUND: readonly Identified[][] = Array.from({ length: 7 }, () => []);

/** Answers in their order, the last one for ever, an error thrown; or a function that answers. */
type Answers<T> = readonly (T | Error)[] | (() => Promise<T>);

function inTurn<T>(answers: Answers<T>): () => Promise<T> {
  if (typeof answers === "function") return answers;
  const left = [...answers];
  return () => {
    const answer = left.length > 1 ? left.shift() : left[0];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as T);
  };
}

/** What a program asks for, and what the API answers to `createPipe` and `listPipes`. */
export interface Creation {
  readonly body?: WireObject;
  readonly posts?: Answers<Identified>;
  readonly lists?: Answers<Identified[]>;
  readonly run?: CreateContext;
}

/** A client whose sleeps take no time. */
export function creating(maxRetries = 2) {
  const clock = new InstantClock();
  const { lines, ...output } = recordLines();
  const posts = new Map<WireObject, () => Promise<Identified>>();
  let [list, sent] = [inTurn<Identified[]>([[]]), 0];
  const client: PipeClient = {
    requestContext: { clock, serverClock: new ServerClock(clock), ...output, maxRetries },
    createPipe: (_scope, asked) => {
      sent += 1;
      return (posts.get(asked) ?? inTurn([pipe("1")]))();
    },
    listPipes: () => list(),
    lookAtPipes: async (_scope, wanted) => {
      if (wanted !== undefined) await clock.sleep(wanted.delay);
      const sentAt = clock.now();
      return { pipes: await list(), sentAt };
    },
  };
  /** What came of a create, with the number of its POSTs, its sleeps and the lines that it printed. */
  const create = async (asked: Creation) => {
    const given = { ...(asked.body ?? body) };
    if (asked.posts !== undefined) posts.set(given, inTurn(asked.posts));
    list = inTurn(asked.lists ?? [[]]);
    const [first, slept, printed] = [sent, clock.slept.length, lines.length];
    const result = await rendered(createPipe(client, scope, given, asked.run)).then(
      (made) => ({ made, error: undefined }),
      (error: unknown) => ({ made: undefined, error }),
    );
    return { ...result, sent: sent - first, sleeps: clock.slept.slice(slept), lines: lines.slice(printed) };
  };
  return { create, forget: (id: string) => forgetPipe(client, scope, id), clock };
}
