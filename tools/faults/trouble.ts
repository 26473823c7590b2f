import { PROFILES, type FaultKind, type Profile } from "../../simulator/src/index";

/** The kinds that can replace the answer of a request that took effect. */
type Replacing = Extract<
  FaultKind,
  { kind: "status" | "html" | "bad-json" | "wrong-envelope" | "echo" | "redirect" }
>;

/** What goes wrong with the requests of one operation. */
export interface Trouble {
  /** As the table names it. */
  readonly name: string;
  readonly fault: FaultKind;
  /** Whether the request takes effect all the same. Of a read this makes no difference. */
  readonly takesEffect: boolean;
  /** Whether the operation ends well once the request is read, repeated or proven; `refused` means an answer that says no, `foreign` one that is not the API's. */
  readonly nature: "harmless" | "busy" | "passing" | "lost" | "foreign" | "refused";
  /** Whether every attempt meets it, not only the first. */
  readonly persistent: boolean;
  /** How the service of its scene answers. */
  readonly profile?: Profile;
}

/** Far more than any client repeats. */
const EVERY_TIME = 50;

/** The part of a fault that says how often. */
export const timesOf = ({ persistent }: Trouble): { times: number } => ({
  times: persistent ? EVERY_TIME : 1,
});

/** Repeats of a request, beside the first. */
export const MAX_RETRIES = 2;

/** How long one attempt may take, and how long a slow server takes. Less would fail by itself on a busy machine. */
export const REQUEST_TIMEOUT_SECONDS = 4;
const TOO_SLOW_MS = 7_000;

const once = (name: string, nature: Trouble["nature"], fault: FaultKind, takesEffect = false): Trouble => ({
  name,
  nature,
  fault,
  takesEffect,
  persistent: false,
});

/** A request that has no effect, and one that has. */
const both = (name: string, nature: Trouble["nature"], fault: Replacing): Trouble[] => [
  once(`${name}, nothing done`, nature, fault),
  once(`${name}, done`, nature, { ...fault, processed: true }, true),
];

/** Every kind of fault of the simulator, met by the first request. */
const first: readonly Trouble[] = [
  ...both("`status` 500", "lost", { kind: "status", status: 500 }),
  ...both("`status` 503", "passing", { kind: "status", status: 503 }),
  once("`status` 403", "refused", { kind: "status", status: 403 }),
  once("`reset-before`", "passing", { kind: "reset-before" }),
  once("`reset-after`", "passing", { kind: "reset-after" }, true),
  once("`slow`, in time", "harmless", { kind: "slow", ms: 300 }, true),
  once("`slow`, too slow", "passing", { kind: "slow", ms: TOO_SLOW_MS }, true),
  once("`slow-body`, too slow", "passing", { kind: "slow-body", ms: TOO_SLOW_MS }, true),
  once("`hang`", "passing", { kind: "hang" }),
  ...both("`html` 504", "passing", { kind: "html" }),
  ...both("`bad-json`", "foreign", { kind: "bad-json" }),
  ...both("`wrong-envelope` 500", "lost", { kind: "wrong-envelope" }),
  once("`wrong-content-type`", "harmless", { kind: "wrong-content-type" }, true),
  once("`rate-limit`", "busy", { kind: "rate-limit" }),
  once("`rate-limit` without headers", "busy", { kind: "rate-limit", headers: false }),
  ...both("`echo` 400", "refused", { kind: "echo", withAuthorization: true }),
  ...both("`redirect` 307", "foreign", { kind: "redirect", location: "http://127.0.0.1:9/" }),
];

/** Those that end otherwise when every request meets them: nothing is ever done, or every answer is lost. */
const every = first
  .filter(({ nature }) => nature !== "harmless" && nature !== "refused")
  .filter(({ takesEffect, fault }) => !takesEffect || !("processed" in fault))
  .map((trouble) => ({ ...trouble, name: `${trouble.name}, every time`, persistent: true }));

/** All troubles, in the order of the table. */
export const troubles: readonly Trouble[] = [...first, ...every];

/** Faults whose way out depends on what answers and lists say: the others end alike whatever a service spells. */
const TELLING = [
  "`status` 500, nothing done",
  "`status` 500, done",
  "`reset-after`",
  "`slow`, in time",
  "`bad-json`, done",
  "`rate-limit`",
  "`echo` 400, nothing done",
];

/** Those faults, met by services that answer under each of the profiles. */
export const profiled: readonly Trouble[] = PROFILES.flatMap((profile) =>
  first.filter(({ name }) => TELLING.includes(name)).map((trouble) => ({ ...trouble, profile })),
);

/** In parts that are played side by side. The last waits longest: a lost POST is looked for, and sent again, three times. */
export const parts: readonly (readonly Trouble[])[] = [
  first.filter((_, index) => index % 2 === 0),
  first.filter((_, index) => index % 2 === 1),
  every,
  profiled,
];
