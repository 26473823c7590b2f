import { ApiError } from "./api-error";
import { isObject } from "./json";

/** The profiles, and what a simulator does with each, in short. */
export const PROFILE_SUMMARIES = {
  quantity: 'scaling as quantities: "125m" and "1.5Gi"',
  omit: "the list omits fields that cannot be changed, or returns null or [] for them",
  "zero-later": "the first two lists after a create return 0 for scaling",
  sparse: "responses to createPipe and updatePipe contain only id, name and state",
  masked: "connectionString is masked and path normalized in responses",
  cidr: "ipAccessList keeps networks (10.0.0.1/32) and trims descriptions",
  "lower-case": "names of database, table and columns are kept in lower case",
  "recheck-connection": "host, port or database of postgres without credentials returns 400",
  "pause-required": "a change of the source of a pipe that is not paused returns 409",
} as const;

/** A way in which some real services answer or validate; README.md describes each. */
export type Profile = keyof typeof PROFILE_SUMMARIES;

/** All profiles. */
export const PROFILES = Object.keys(PROFILE_SUMMARIES) as readonly Profile[];

/** How answers write the time of a pipe. */
export const TIME_FORMATS = ["iso", "seconds", "without-zone", "unix-seconds", "absent"] as const;

/** How answers write `createdAt` and `updatedAt` of a pipe. */
export type TimeFormat = (typeof TIME_FORMATS)[number];

/** How a simulator behaves beyond the API's document; control can change it while it runs. */
export interface Behaviour {
  profiles: readonly Profile[];
  timeFormat: TimeFormat;
  /** Seconds that the server's clock is ahead of the real time; negative when it is behind. */
  clockSkewSeconds: number;
  /** Seconds until a new pipe is in lists and its settings can be read, as of replicas that are behind. */
  readLagSeconds: number;
}

export const DEFAULT_BEHAVIOUR: Readonly<Behaviour> = {
  profiles: [],
  timeFormat: "iso",
  clockSkewSeconds: 0,
  readLagSeconds: 0,
};

/** Thirty years: HTTP can write such a `Date`. */
const MAX_SKEW_SECONDS = 946_080_000;

const isOneOf = (values: readonly string[], value: unknown): boolean =>
  typeof value === "string" && values.includes(value);

/** The first error of a change of the behaviour. */
export function behaviourError(change: unknown): string | undefined {
  if (!isObject(change)) return "the behaviour must be an object";
  const { profiles, timeFormat, clockSkewSeconds, readLagSeconds, ...rest } = change;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `${unknown} is not a field of a behaviour`;
  if (
    profiles !== undefined &&
    !(Array.isArray(profiles) && profiles.every((name) => isOneOf(PROFILES, name)))
  )
    return `profiles must be an array of ${PROFILES.join(", ")}`;
  if (timeFormat !== undefined && !isOneOf(TIME_FORMATS, timeFormat))
    return `timeFormat must be one of ${TIME_FORMATS.join(", ")}`;
  if (clockSkewSeconds !== undefined && !(Math.abs(Number(clockSkewSeconds)) <= MAX_SKEW_SECONDS))
    return `clockSkewSeconds must be a number from -${MAX_SKEW_SECONDS} to ${MAX_SKEW_SECONDS}`;
  if (readLagSeconds !== undefined && !(Number(readLagSeconds) >= 0))
    return "readLagSeconds must be a number from 0";
  return undefined;
}

/** The behaviour towards one service. */
export class ServiceBehaviour {
  constructor(private readonly values: Readonly<Behaviour>) {}

  /** Whether answers are as they are stored. */
  get isPlain(): boolean {
    return this.values.profiles.length === 0 && this.values.timeFormat === "iso";
  }

  has(profile: Profile): boolean {
    return this.values.profiles.includes(profile);
  }

  get timeFormat(): TimeFormat {
    return this.values.timeFormat;
  }

  /** Whether reads show a pipe of this age, in ms. */
  showsPipeOfAge(milliseconds: number): boolean {
    const { readLagSeconds } = this.values;
    return readLagSeconds === 0 || !(milliseconds < readLagSeconds * 1000);
  }
}

/** The behaviour of a running simulator: of all services, and the differences of some services. */
export class CurrentBehaviour {
  private current: Readonly<Behaviour>;
  private readonly differences = new Map<string, Partial<Behaviour>>();

  constructor(private readonly initial: Readonly<Behaviour>) {
    this.current = initial;
  }

  get(serviceId = ""): Behaviour {
    return structuredClone({ ...this.current, ...this.differences.get(serviceId.toLowerCase()) });
  }

  of(serviceId: string): ServiceBehaviour {
    return new ServiceBehaviour({ ...this.current, ...this.differences.get(serviceId) });
  }

  get clockSkewSeconds(): number {
    return this.current.clockSkewSeconds;
  }

  /** Replaces the given members, in one service or in all services without own values. */
  change(change: Partial<Behaviour>, serviceId?: string): void {
    const error = behaviourError(change);
    if (error !== undefined) throw new ApiError(400, error);
    if (serviceId === undefined) {
      this.current = { ...this.current, ...structuredClone(change) };
      return;
    }
    if (change.clockSkewSeconds !== undefined)
      throw new ApiError(400, "clockSkewSeconds cannot differ between services");
    const key = serviceId.toLowerCase();
    this.differences.set(key, { ...this.differences.get(key), ...structuredClone(change) });
  }

  /** Restores the behaviour of the start. */
  reset(): void {
    this.current = this.initial;
    this.differences.clear();
  }
}
