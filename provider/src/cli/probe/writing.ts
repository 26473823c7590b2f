import type { Client } from "../../api/client";
import type { Identified, WireObject } from "../../api/document/wire";
import { finish, isCancelled, type Clock } from "../../api/http/clock";
import { LIST_READS } from "../../api/http/repetition";
import { isMap, type PropertyMap } from "../../lifecycle/property-value";
import { createBody } from "../../resources/context";
import { pipeFields } from "../../resources/pipe/schema";
import type { ServiceScope } from "../../settings/settings";
import { joined } from "./assumption";
import type { Exchange, Recorder } from "./evidence";
import { alsoChanged, differences, hasCapitalNames, plannedUpdates, type PlannedUpdate } from "./updates";
import { PASSING_STATES } from "./vocabularies";
import type { Left, Update, Written } from "./written";

/** How often a list is read until it shows what a write did. */
const DELAYS_MS: readonly number[] = [0, ...LIST_READS.missing.delaysMs, ...LIST_READS.missing.laterMs];
/** How long the probe waits for a pipe to leave a passing state before it goes on, in reads of the list. */
const MAX_SETTLING_READS = 6;

const isPassing = ({ state }: WireObject): boolean => typeof state === "string" && PASSING_STATES.has(state);

/** What the probe writes with. */
export interface Writing {
  readonly client: () => Client;
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly scope: ServiceScope;
  readonly say: (line: string) => void;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Creates one pipe, changes it, and takes it away. */
export class PipeWriter {
  readonly #written: Mutable<Written> = {
    missingInAnswer: [],
    hadZeros: false,
    hasCapitals: false,
    leftOut: [],
    rewritten: [],
    updates: [],
    left: [],
  };
  /** The pipes that createPipe has answered with, and that may still be there. */
  readonly #ids = new Set<string>();
  /** Whether a create ended without an answer. */
  #isUnclear = false;

  /** `name` is that of no other pipe: it begins with the prefix and ends with a random text. */
  constructor(
    private readonly to: Writing,
    private readonly inputs: PropertyMap,
    private readonly name: string,
  ) {}

  /** All steps, then the removal, also after a failure or Ctrl-C. */
  async run(): Promise<Written> {
    const { clock, say } = this.to;
    try {
      await this.#steps();
    } catch (error) {
      this.#written.failure = error;
    }
    await finish(
      clock,
      () => this.#takeAway(),
      () => {
        say("Interrupted: taking the pipe away. Press Ctrl-C again to leave it.");
      },
    );
    return this.#written;
  }

  async #steps(): Promise<void> {
    const written = this.#written;
    written.created = await this.#create();
    const created = written.created.value;
    if (created === undefined) throw written.created.error ?? new Error("createPipe ended without a result.");
    const body = this.#body();
    written.missingInAnswer = Object.keys(body).filter((name) => created[name] === undefined);
    const listed = await this.#firstListed(created.id);
    if (listed === undefined) return;
    const { leftOut, rewritten } = differences(this.inputs, listed);
    const hasCapitals = hasCapitalNames(this.inputs);
    Object.assign(written, { leftOut, rewritten, hasCapitals });
    await this.#updates(listed);
    Object.assign(written, await this.#delete(created.id));
    if (written.isGone === true) written.duplicate = await this.#duplicate();
  }

  #body(): WireObject {
    return { ...createBody(pipeFields, this.inputs as WireObject), name: this.name };
  }

  async #create(): Promise<Exchange<Identified>> {
    const { client, recorder, scope, say } = this.to;
    say(`Creating pipe ${JSON.stringify(this.name)} …`);
    this.#isUnclear = true;
    const created = await recorder.record(() => client().createPipe(scope, this.#body()));
    const status = created.answers.at(-1)?.status ?? 0;
    if (created.value !== undefined) this.#ids.add(created.value.id);
    // A refusal creates nothing.
    if (created.value !== undefined || (status >= 400 && status < 500)) this.#isUnclear = false;
    return created;
  }

  #list(): Promise<readonly Identified[]> {
    return this.to.client().listPipes(this.to.scope);
  }

  async #firstListed(id: string): Promise<Identified | undefined> {
    const { clock } = this.to;
    const start = clock.now();
    for (const delay of DELAYS_MS) {
      await clock.sleep(delay);
      const pipe = (await this.#list()).find((each) => each.id === id);
      if (pipe === undefined) continue;
      const { scaling } = pipe;
      this.#written.listed = pipe;
      this.#written.listedAfterMs = clock.now() - start;
      this.#written.hadZeros = isMap(scaling) && Object.values(scaling).includes(0);
      return this.#settled(pipe);
    }
    return undefined;
  }

  /** The pipe when it is in no passing state any more, or has been in one for long. */
  async #settled(pipe: Identified): Promise<Identified> {
    let current = pipe;
    for (const delay of DELAYS_MS.slice(1, MAX_SETTLING_READS)) {
      if (!isPassing(current)) return current;
      await this.to.clock.sleep(delay);
      current = (await this.#list()).find(({ id }) => id === pipe.id) ?? current;
    }
    return current;
  }

  async #updates(listed: Identified): Promise<void> {
    const written = this.#written;
    const { id } = listed;
    let current = listed;
    const planned = plannedUpdates(this.inputs, listed, `${this.name}-renamed`);
    for (const update of planned) {
      const before = current;
      // A mapping that could not be removed cannot be added again.
      if (
        written.updates.some(
          ({ part, exchange }) =>
            part === update.part && part === "tableMappings" && exchange.error !== undefined,
        )
      )
        continue;
      const { exchange, after } = await this.#send(update, before);
      current = after;
      written.updates = [...written.updates, await this.#outcome(update, exchange, before, after)];
    }
    written.emptyUpdate = await this.#patch(id, {});
    written.unknownMember = await this.#patch(id, { probeUnknownMember: true });
  }

  #patch(id: string, body: PropertyMap): Promise<Exchange<WireObject>> {
    const { client, recorder, scope } = this.to;
    return recorder.record(() => client().updatePipe(scope, id, body as WireObject, this.name));
  }

  async #send({ body, paths, otherwise }: PlannedUpdate, before: Identified) {
    this.to.say(`Changing ${joined(paths)} …`);
    const first = await this.#patch(before.id, body);
    let exchange = first;
    if (first.error !== undefined && otherwise !== undefined) {
      const second = await this.#patch(before.id, otherwise);
      // The first answer says what the service requires, the second whether it is enough.
      exchange = { ...second, answers: [...first.answers, ...second.answers] };
    }
    const pipe = (await this.#list()).find(({ id }) => id === before.id) ?? before;
    return { exchange, after: await this.#settled(pipe) };
  }

  async #outcome(
    { part, body, paths }: PlannedUpdate,
    exchange: Exchange<WireObject>,
    before: Identified,
    after: Identified,
  ): Promise<Update> {
    const { client, recorder, scope } = this.to;
    const isDone = exchange.error === undefined;
    const actual =
      part === "settings" && isDone
        ? await recorder.record(() => client().getPipeSettings(scope, after.id))
        : undefined;
    const now: PropertyMap = actual?.value === undefined ? after : { ...after, settings: actual.value };
    const { leftOut, rewritten } = differences(body, now);
    const changesValues = part === "settings" || paths.includes("name");
    return {
      part,
      paths,
      exchange,
      notApplied: isDone && changesValues ? [...leftOut, ...rewritten] : [],
      alsoChanged: part === "tableMappings" ? [] : alsoChanged(before, after, paths),
    };
  }

  /** Deletes a pipe, and finds out whether the list still has it. */
  async #delete(id: string): Promise<{ readonly deletion: Exchange; readonly isGone: boolean }> {
    const { client, clock, recorder, scope, say } = this.to;
    say("Deleting the pipe …");
    const deletion = await recorder.record(() => client().deletePipe(scope, id, this.name));
    // After a refusal one look is enough.
    for (const delay of deletion.error === undefined ? DELAYS_MS : [0]) {
      await clock.sleep(delay);
      if ((await this.#list()).some((pipe) => pipe.id === id)) continue;
      this.#ids.delete(id);
      return { deletion, isGone: true };
    }
    return { deletion, isGone: false };
  }

  /** Only where the service deletes pipes: two would load the same data. */
  async #duplicate(): Promise<Exchange | undefined> {
    const first = await this.#create();
    return first.value === undefined ? undefined : this.#create();
  }

  /** Deletes what the probe created, by its ids and by its name, and notes what remains. */
  async #takeAway(): Promise<void> {
    const { clock, say } = this.to;
    try {
      for (const delay of this.#isUnclear ? DELAYS_MS.slice(0, 4) : [0]) {
        await clock.sleep(delay);
        if (this.#ids.size === 0 && !this.#isUnclear) break;
        for (const { id, name } of await this.#list())
          if (typeof name === "string" && name.startsWith(this.name)) this.#ids.add(id);
        if (this.#ids.size > 0) break;
      }
      if (this.#ids.size > 0) this.#isUnclear = false;
      // A deletion that the service refused before is not sent again.
      const isRefused = this.#written.isGone === false;
      for (const id of isRefused ? [] : [...this.#ids]) await this.#delete(id);
    } catch (error) {
      this.#written.failure ??= error;
      if (isCancelled(clock)) say("Interrupted again: the pipe is left as it is.");
    }
    this.#written.left = await this.#left();
  }

  async #left(): Promise<readonly Left[]> {
    const names = new Map<string, string>();
    if (this.#ids.size > 0)
      await this.#list()
        .then((pipes) => {
          for (const { id, name } of pipes) names.set(id, typeof name === "string" ? name : this.name);
        })
        .catch(() => undefined);
    const known = [...this.#ids].map((id) => ({ name: names.get(id) ?? this.name, id }));
    return known.length === 0 && this.#isUnclear ? [{ name: this.name }] : known;
  }
}
