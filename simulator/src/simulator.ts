import type { Account } from "./account";
import { DEFAULT_ACCOUNT } from "./account";
import { AnswerLog } from "./answer-log";
import { Api } from "./api";
import { Clock } from "./clock";
import type { SimulatorControl } from "./control";
import { Control } from "./control";
import { FaultQueue } from "./fault";
import type { Context } from "./handlers";
import type { SimulatorOptions } from "./options";
import { resolveOptions } from "./options";
import { PAGE_PATH, SHOWN_REQUESTS } from "./page";
import { CurrentBehaviour } from "./profile";
import { RateLimiter } from "./rate-limit";
import { RequestLog } from "./request-log";
import { HttpServer } from "./server";
import { Store } from "./store";
import { Digester } from "./write-only";

/** A simulator that is running. */
export interface Simulator {
  /** The `{base_url}` of the API, without a trailing slash. */
  readonly url: string;
  /** The address of the page for browsers; undefined without the option `ui`. */
  readonly pageUrl: string | undefined;
  /** The first account: a credential that works, its organization and its services. */
  readonly account: Account;
  /** Reads and changes the simulator without HTTP. */
  readonly control: SimulatorControl;
  /** Stops it, and ends all its connections. */
  close(): Promise<void>;
}

/**
 * Starts the management API on a port of 127.0.0.1, and resolves when it listens.
 *
 * @example
 * const simulator = await startSimulator({ stateSeconds: 0 });
 * process.env.DATAPIPES_BASE_URL = simulator.url;
 * // … run your program …
 * await simulator.close();
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const resolved = resolveOptions(options);
  const { accounts, deletes, nulls, rateLimitHeaders } = resolved;
  const behaviour = new CurrentBehaviour(resolved.behaviour);
  const clock = new Clock(resolved.now, () => behaviour.clockSkewSeconds);
  const context: Context = {
    clock,
    store: new Store(accounts, clock, resolved.stateSeconds, resolved.data),
    rules: { digester: new Digester(), fill: resolved.fill, ignoreSettings: resolved.ignoreSettings },
    strictReferences: resolved.strictReferences,
    behaviour,
  };
  const limiter = new RateLimiter(resolved.rateLimit, resolved.rateLimitWindow);
  const log = new RequestLog();
  const faults = new FaultQueue();
  const api = new Api(context, limiter, { accounts, deletes, nulls, rateLimitHeaders });
  const control = new Control({ context, log, faults, limiter });
  const answers = new AnswerLog(SHOWN_REQUESTS);
  const server = new HttpServer({ api, clock, control, faults, log, answers, options: resolved });
  const url = await server.listen();
  const pageUrl = resolved.ui ? url + PAGE_PATH : undefined;
  return { url, pageUrl, account: accounts[0] ?? DEFAULT_ACCOUNT, control, close: () => server.close() };
}
