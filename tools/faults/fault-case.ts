import { PROFILES, type FaultKind, type Profile } from "../../simulator/src/index";

/** The kinds that can replace the answer of a request that took effect. */
type Replacing = Extract<
  FaultKind,
  { kind: "status" | "html" | "bad-json" | "wrong-envelope" | "echo" | "redirect" }
>;

/** A fault, how often it occurs, and how the service answers otherwise. */
export interface FaultCase {
  /** Its name in the table. */
  readonly name: string;
  readonly fault: FaultKind;
  /** Whether the server processes the request despite the fault. For a read this makes no difference. */
  readonly takesEffect: boolean;
  /** What the provider can do: read the answer, repeat the request, or find out what happened; nothing after `refused`; never repeat after `foreign`, an answer that is not the API's. */
  readonly nature: "harmless" | "busy" | "passing" | "lost" | "foreign" | "refused";
  /** Whether the fault hits every request, not only the first. */
  readonly persistent: boolean;
  /** The profile of the service. */
  readonly profile?: Profile;
}

/** Far more requests than a client sends. */
const EVERY_TIME = 50;

/** How many requests the fault hits. */
export const timesOf = ({ persistent }: FaultCase): { times: number } => ({
  times: persistent ? EVERY_TIME : 1,
});

/** How often the provider retries a request. */
export const MAX_RETRIES = 2;

/** The timeout of one request, and how long a slow server takes. A shorter timeout fails without any fault on a busy machine. */
export const REQUEST_TIMEOUT_SECONDS = 4;
const TOO_SLOW_MS = 7_000;

const once = (
  name: string,
  nature: FaultCase["nature"],
  fault: FaultKind,
  takesEffect = false,
): FaultCase => ({
  name,
  nature,
  fault,
  takesEffect,
  persistent: false,
});

/** The same fault for a request that the server does not process, and for one that it does. */
const both = (name: string, nature: FaultCase["nature"], fault: Replacing): FaultCase[] => [
  once(`${name}, nothing done`, nature, fault),
  once(`${name}, done`, nature, { ...fault, processed: true }, true),
];

/** Every kind of fault of the simulator, on the first request. */
const first: readonly FaultCase[] = [
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

/** The faults with another outcome when they hit every request. */
const every = first
  .filter(({ nature }) => nature !== "harmless" && nature !== "refused")
  .filter(({ takesEffect, fault }) => !takesEffect || !("processed" in fault))
  .map((faultCase) => ({ ...faultCase, name: `${faultCase.name}, every time`, persistent: true }));

/** All fault cases without a profile, in the order of the table. */
export const faultCases: readonly FaultCase[] = [...first, ...every];

/** Faults whose outcome depends on what answers and lists contain; the others end in the same way under every profile. */
const CONTENT_DEPENDENT = [
  "`status` 500, nothing done",
  "`status` 500, done",
  "`reset-after`",
  "`slow`, in time",
  "`bad-json`, done",
  "`rate-limit`",
  "`echo` 400, nothing done",
];

/** Those faults under each profile. */
export const profiled: readonly FaultCase[] = PROFILES.flatMap((profile) =>
  first
    .filter(({ name }) => CONTENT_DEPENDENT.includes(name))
    .map((faultCase) => ({ ...faultCase, profile })),
);

/** In parts that run at the same time, each with a stack of its own. */
export const parts: readonly (readonly FaultCase[])[] = [
  first.filter((_, index) => index % 2 === 0),
  first.filter((_, index) => index % 2 === 1),
  every,
  profiled,
];
