/** Asks for the value. Calls `asked` when the request is sent, and again when it is repeated. */
export type Fetch<T> = (asked: () => void) => Promise<T>;

/**
 * A value that others may change at any time: a reader says after which moment it must have been asked for. A fetch
 * starts only if the last one is older, and after it has ended; all readers share it. A failure is forgotten.
 */
export class Fresh<T> {
  #last: { at: number; readonly value: Promise<T> } | undefined;

  constructor(
    private readonly now: () => number,
    private readonly fetch: Fetch<T>,
  ) {}

  /** The value that was asked for after a moment; without one, the last value. */
  read(after = -Infinity, fetch = this.fetch): Promise<T> {
    const last = this.#last !== undefined && this.#last.at > after ? this.#last : this.#start(fetch);
    return last.value;
  }

  #start(fetch: Fetch<T>) {
    const asked = (): void => {
      reading.at = this.now();
    };
    const running = this.#last?.value.catch(() => undefined) ?? Promise.resolve();
    // Until the request is sent, it is newer than whatever a reader wants.
    const reading = { at: Infinity, value: running.then(() => fetch(asked)) };
    this.#last = reading;
    reading.value.catch(() => {
      if (this.#last === reading) this.#last = undefined;
    });
    return reading;
  }
}
