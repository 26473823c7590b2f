import { randomUUID } from "node:crypto";
import { Client } from "../../api/client";
import { cancellableClock, type Clock } from "../../api/http/clock";
import type { TransportOptions } from "../../api/http/transport";
import { Secrets } from "../../api/secrets/redaction";
import type { Lifecycle } from "../../lifecycle/lifecycle";
import { printable } from "../../messages/printable";
import { VERSION } from "../../pulumi/version";
import { logTo, Run } from "../../run/run";
import { readConfiguration, requireSettings } from "../../settings/config";
import { CONNECTION_SETTINGS, SCOPE_SETTINGS, type ServiceScope } from "../../settings/settings";
import type { Output } from "../output";
import { Recorder } from "./exchange";

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** What a probe works with: the run and the client of the provider, whose answers are recorded. Shows neither secrets nor ids. */
export class Session {
  readonly recorder = new Recorder();
  readonly clock: Clock;
  readonly run: Run;
  readonly scope: ServiceScope;
  readonly settings;
  readonly #secrets = new Secrets();
  readonly #cancelled = new AbortController();
  readonly #ended = new AbortController();
  readonly #lines;
  #isQuiet = false;

  /** `read` returns the text of a setting. Throws if one is missing or malformed. */
  constructor(
    read: (key: string) => string | undefined,
    private readonly showsIds: boolean,
    private readonly output: Output,
  ) {
    this.settings = requireSettings(readConfiguration(read), [...CONNECTION_SETTINGS, ...SCOPE_SETTINGS]);
    const { organizationId, serviceId, apiKeyId, apiKeySecret } = this.settings;
    this.scope = { organizationId, serviceId };
    this.#secrets.add(apiKeySecret, `${apiKeyId}:${apiKeySecret}`);
    this.clock = cancellableClock({ cancelled: this.#cancelled.signal, ended: this.#ended.signal });
    this.#lines = logTo((line) => {
      if (!this.#isQuiet) this.say(line);
    });
    const { clock, recorder } = this;
    class RecordingClient extends Client {
      constructor(options: TransportOptions) {
        super({ ...options, answered: recorder.add });
      }
    }
    // What the service sent is compared, so no text of it is cleaned.
    const clean = (text: string): string => text;
    this.run = new Run(
      this.#lines,
      { read },
      { clean, clock, loadClient: () => ({ Client: RecordingClient }) },
    );
  }

  /** A text without secrets, and without ids unless the user wants them. */
  readonly shown = (text: string): string => {
    const line = printable(this.#secrets.redact(text));
    return this.showsIds ? line : line.replaceAll(UUIDS, "[id]");
  };

  readonly say = (line: string): void => {
    this.output.progress(`${this.shown(line)}\n`);
  };

  readonly hasSecret = (text: string): boolean => this.#secrets.isIn(text);

  learn(...values: readonly unknown[]): void {
    this.#secrets.addFrom(...values);
  }

  /** A client with a key that the service does not have. */
  clientWithWrongKey(): Client {
    const key = { apiKeyId: `probe-${randomUUID()}`, apiKeySecret: randomUUID() };
    const { recorder, clock } = this;
    const userAgent = `pulumi-datapipes/${VERSION}`;
    return new Client({
      ...this.settings,
      ...key,
      ...this.#lines,
      clock,
      userAgent,
      maxRetries: 0,
      answered: recorder.add,
    });
  }

  /** Works with the provider's lifecycle of pipes, whose lines would be about the ids of pipes. */
  async quietly<T>(work: (lifecycle: Lifecycle) => Promise<T>): Promise<T> {
    this.#isQuiet = true;
    try {
      return await work(this.run.lifecycle("Pipe"));
    } finally {
      this.#isQuiet = false;
    }
  }

  /** The first time, ends the steps; the second time, also the removal of what was created. */
  readonly interrupt = (): void => {
    (this.#cancelled.signal.aborted ? this.#ended : this.#cancelled).abort();
  };
}
