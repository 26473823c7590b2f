import type { Identified, WireObject } from "../../api/document/wire";
import { finish } from "../../api/http/clock";
import { LIST_READS } from "../../api/http/repetition";
import { isMap, type PropertyMap } from "../../lifecycle/property-value";
import { createBody } from "../../resources/context";
import { pipeFields } from "../../resources/pipe/schema";
import { joined } from "./assumption";
import { statusOf, type Exchange } from "./exchange";
import type { Session } from "./session";
import { alsoChanged, differences, hasCapitalNames, plannedUpdates, type PlannedUpdate } from "./updates";
import type { Update, Written } from "./written";

/** How often a list is read until it shows what a write did. */
const DELAYS_MS: readonly number[] = [0, ...LIST_READS.missing.delaysMs, ...LIST_READS.missing.laterMs];

/** States that a pipe leaves by itself, soon. */
const PASSING_STATES: ReadonlySet<string> = new Set([
  ...["Provisioning", "Setup", "Stopping", "Pausing", "Modifying"],
]);

const isPassing = ({ state }: WireObject): boolean => typeof state === "string" && PASSING_STATES.has(state);

/** A table mapping that could not be removed cannot be added again. */
const isPointless = ({ part }: PlannedUpdate, before: readonly Update[]): boolean =>
  part === "tableMappings" &&
  before.some((update) => update.part === part && update.exchange.error !== undefined);

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
    private readonly session: Session,
    private readonly inputs: PropertyMap,
    private readonly name: string,
  ) {}

  /** All steps, then the removal, also after a failure or Ctrl-C. */
  async run(): Promise<Written> {
    const { clock, say } = this.session;
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

  /** Ends the steps if the service does not answer. */
  async #record<T>(work: () => Promise<T>): Promise<Exchange<T>> {
    const exchange = await this.session.recorder.record(work);
    if (exchange.error !== undefined && exchange.answers.length === 0) throw exchange.error;
    return exchange;
  }

  #body(): WireObject {
    return { ...createBody(pipeFields, this.inputs as WireObject), name: this.name };
  }

  async #create(): Promise<Exchange<Identified>> {
    const { recorder, run, scope, say } = this.session;
    say(`Creating pipe ${JSON.stringify(this.name)} …`);
    const sent = (): void => {
      this.#isUnclear = true;
    };
    const created = await recorder.record(() => run.client().createPipe(scope, this.#body(), sent));
    const { value, error } = created;
    if (value !== undefined) this.#ids.add(value.id);
    const status = statusOf(created);
    const isRefused = status >= 400 && status < 500;
    if (value !== undefined || isRefused || error?.answer.arrived === false) this.#isUnclear = false;
    return created;
  }

  #list(): Promise<readonly Identified[]> {
    return this.session.run.client().listPipes(this.session.scope);
  }

  async #firstListed(id: string): Promise<Identified | undefined> {
    const { clock } = this.session;
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
    for (const delay of DELAYS_MS.slice(1)) {
      if (!isPassing(current)) return current;
      await this.session.clock.sleep(delay);
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
      if (isPointless(update, written.updates)) continue;
      const { exchange, after } = await this.#send(update, before);
      current = after;
      written.updates = [...written.updates, await this.#outcome(update, exchange, before, after)];
    }
    written.emptyUpdate = await this.#patch(id, {});
    written.unknownMember = await this.#patch(id, { probeUnknownMember: true });
  }

  #patch(id: string, body: PropertyMap): Promise<Exchange<WireObject>> {
    const { run, scope } = this.session;
    return this.#record(() => run.client().updatePipe(scope, id, body as WireObject, this.name));
  }

  async #send({ body, paths, otherwise }: PlannedUpdate, before: Identified) {
    this.session.say(`Changing ${joined(paths)} …`);
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
    const { run, scope } = this.session;
    const isDone = exchange.error === undefined;
    const actual =
      part === "settings" && isDone
        ? await this.#record(() => run.client().getPipeSettings(scope, after.id))
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
    const { run, clock, scope, say } = this.session;
    say("Deleting the pipe …");
    const deletion = await this.#record(() => run.client().deletePipe(scope, id, this.name));
    const status = statusOf(deletion);
    // What the service refuses to delete is there, although a list that is behind may lack it.
    const isRefused = status >= 400 && status < 500 && status !== 404;
    for (const delay of isRefused ? [] : deletion.error === undefined ? DELAYS_MS : [0]) {
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

  /** Deletes what the probe created, and notes what remains. */
  async #takeAway(): Promise<void> {
    const written = this.#written;
    await this.#attempt(() => this.#findLost());
    // A deletion that the service refused before is not sent again.
    for (const id of written.isGone === false ? [] : [...this.#ids])
      await this.#attempt(() => this.#delete(id));
    const names = new Map<string, unknown>();
    if (this.#ids.size > 0)
      await this.#attempt(async () => {
        for (const { id, name } of await this.#list()) names.set(id, name);
      });
    const nameOf = (id: string): string => {
      const name = names.get(id);
      return typeof name === "string" ? name : this.name;
    };
    written.left = [
      ...[...this.#ids].map((id) => ({ name: nameOf(id), id })),
      ...(this.#isUnclear ? [{ name: this.name }] : []),
    ];
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      this.#written.failure ??= error;
    });
  }

  /** Finds the pipe of a create without an answer by its name, which no other pipe has. */
  async #findLost(): Promise<void> {
    for (const delay of DELAYS_MS) {
      if (!this.#isUnclear) return;
      await this.session.clock.sleep(delay);
      const known = this.#ids.size;
      for (const { id, name } of await this.#list())
        if (typeof name === "string" && name.toLowerCase().startsWith(this.name.toLowerCase()))
          this.#ids.add(id);
      this.#isUnclear = this.#ids.size === known;
    }
  }
}
