import type { Account } from "./account";
import { DEFAULT_ACCOUNT } from "./account";
import type { Behaviour, Profile, TimeFormat } from "./profile";
import { DEFAULT_BEHAVIOUR, behaviourError } from "./profile";
import { parseRateLimit } from "./rate-limit";
import type { RateLimit, RateLimitWindow } from "./rate-limit";
import type { LoggedRequest } from "./request-log";

/** How a simulator behaves. Everything has a default. */
export interface SimulatorOptions {
  /** Port on 127.0.0.1; 0 takes a free one. @default 0 */
  port?: number;
  /** The accounts that may call the API. @default [DEFAULT_ACCOUNT] */
  accounts?: readonly Account[];
  /** File that keeps everything across restarts. @default in memory only */
  data?: string;
  /** Serve the control path over HTTP. The typed `control` works without it. @default false */
  control?: boolean;
  /** Serve a page for browsers, which needs no control path. @default false */
  ui?: boolean;
  /** Serve the two DELETE operations, which the API document does not have. @default true */
  deletes?: boolean;
  /** Seconds that a pipe or an endpoint stays in each transitional state; 0 skips them. @default 2 */
  stateSeconds?: number;
  /** `"<requests>/<seconds>s"` per API key, or `"off"`. @default "off" */
  rateLimit?: string;
  /** Whether the requests of any such time count, or those of windows that follow each other. @default "rolling" */
  rateLimitWindow?: RateLimitWindow;
  /** Send `Retry-After` and `X-RateLimit-Reset` with a refusal at the rate limit. @default true */
  rateLimitHeaders?: boolean;
  /** Time that every answer takes, in ms. @default 0 */
  latencyMs?: number;
  /** Fill in what requests leave out, as real services do. @default true */
  fill?: boolean;
  /** Return null where an optional field has no value. @default false */
  nulls?: boolean;
  /** Accept `settings` in updatePipe and ignore them. @default false */
  ignoreSettings?: boolean;
  /** Refuse `reversePrivateEndpointIds` that do not exist in the service. @default false */
  strictReferences?: boolean;
  /** Ways in which some real services answer and check, in any combination; control can switch them. @default [] */
  profiles?: readonly Profile[];
  /** How answers write the times of a pipe. @default "iso" */
  timeFormat?: TimeFormat;
  /** Seconds that the server's clock is ahead: in the `Date` header and in the times of a pipe. @default 0 */
  clockSkewSeconds?: number;
  /** Seconds until reads show a new pipe, as of replicas that are behind. @default 0 */
  readLagSeconds?: number;
  /** The base clock, in ms. @default Date.now */
  now?: () => number;
  /** Called once per request to the API, after its answer or its reset. */
  onRequest?: (request: LoggedRequest) => void;
}

const DEFAULTS = {
  port: 0,
  accounts: [DEFAULT_ACCOUNT] as readonly Account[],
  data: undefined,
  control: false,
  ui: false,
  deletes: true,
  stateSeconds: 2,
  rateLimit: "off",
  rateLimitWindow: "rolling" as RateLimitWindow,
  rateLimitHeaders: true,
  latencyMs: 0,
  fill: true,
  nulls: false,
  ignoreSettings: false,
  strictReferences: false,
  ...DEFAULT_BEHAVIOUR,
  now: Date.now,
  onRequest: (): void => undefined,
};

/** Options with all defaults. */
export type ResolvedOptions = Required<Omit<SimulatorOptions, "data" | "rateLimit" | keyof Behaviour>> & {
  behaviour: Behaviour;
  data: string | undefined;
  rateLimit: RateLimit | undefined;
};

/** Without fields whose value is undefined, which would hide a default. */
function defined<T extends object>(options: T): T {
  const entries: [string, unknown][] = Object.entries(options);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T;
}

/** The simulator compares UUIDs as lower-case texts. */
function withLowerCaseIds(account: Account): Account {
  const { organizationId, serviceIds } = account;
  return {
    ...account,
    organizationId: organizationId.toLowerCase(),
    serviceIds: serviceIds.map((id) => id.toLowerCase()),
  };
}

export function resolveOptions(options: SimulatorOptions): ResolvedOptions {
  const all = { ...DEFAULTS, ...defined(options) };
  const { profiles, timeFormat, clockSkewSeconds, readLagSeconds, accounts, rateLimit, ...rest } = all;
  const behaviour = { profiles, timeFormat, clockSkewSeconds, readLagSeconds };
  const error = behaviourError(behaviour);
  if (error !== undefined) throw new RangeError(error);
  return {
    ...rest,
    accounts: accounts.map(withLowerCaseIds),
    behaviour,
    rateLimit: parseRateLimit(rateLimit),
  };
}
