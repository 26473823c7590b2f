import { isNative } from "../../../testkit/program";
import { PROFILES, type FaultKind, type Profile } from "../../../simulator/src/index";

/** The commands of the CLI, in order. Each runs under the faults, then without them. */
export const COMMANDS = ["create", "update", "refresh", "function"] as const;
export type Command = (typeof COMMANDS)[number];

/** The resources of a scenario, each with a service of its own. */
export const KINDS = ["pipe", "endpoint", "settings"] as const;
export type Kind = (typeof KINDS)[number];

/** The operations of the provider, each with the request that the fault hits. */
const operations = [
  ["create", "pipe", "createPipe", "Create of a pipe"],
  ["create", "endpoint", "createReversePrivateEndpoint", "Create of a reverse private endpoint"],
  ["update", "pipe", "updatePipe", "Update of a pipe"],
  ["update", "settings", "updateService", "Update of the settings of a service"],
  ["refresh", "pipe", "listPipes", "Refresh"],
  ["function", "pipe", "listPipes", "Data function `getPipes`"],
] as const;

/** A fault of requests to a service without other failures. */
export interface Scenario {
  /** Its place among all scenarios, and part of the names of its resources. */
  readonly number: number;
  readonly name: string;
  readonly fault: FaultKind;
  /** Whether the server processes the request despite the fault. For a read this makes no difference. */
  readonly takesEffect: boolean;
  /** What the provider can do: read the answer, repeat the request, or find out what happened; nothing after `refused`; never repeat after `foreign`, an answer that is not the API's. */
  readonly nature: "harmless" | "busy" | "passing" | "lost" | "foreign" | "refused";
  /** Whether the fault hits every request, not only the first. */
  readonly persistent: boolean;
  readonly profile?: Profile;
}

/** How often the provider retries a request. */
export const MAX_RETRIES = 2;

/** The timeout of one request, and how long a slow server takes. A shorter timeout fails without any fault on a busy machine. */
export const REQUEST_TIMEOUT_SECONDS = 10;
const TOO_SLOW_MS = 14_000;

type Unnumbered = Omit<Scenario, "number">;
type Nature = Scenario["nature"];

const once = (name: string, nature: Nature, fault: FaultKind, takesEffect = false): Unnumbered => ({
  ...{ name, nature, fault, takesEffect },
  persistent: false,
});

/** The same fault for a request that the server does not process, and for one that it does. */
const both = (name: string, nature: Nature, fault: Extract<FaultKind, { processed?: boolean }>) => [
  once(`${name}, nothing done`, nature, fault),
  once(`${name}, done`, nature, { ...fault, processed: true }, true),
];

/** Every kind of fault of the simulator, on the first request. */
const first: readonly Unnumbered[] = [
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
  .map((one) => ({ ...one, name: `${one.name}, every time`, persistent: true }));

/** Faults whose outcome depends on what answers and lists contain; the others end in the same way under every profile. */
const CONTENT_DEPENDENT =
  /^`(status` 500, |reset-after`$|slow`, in time|bad-json`, done|rate-limit`$|echo` 400, nothing)/;

const profiled = PROFILES.flatMap((profile) =>
  first.filter(({ name }) => CONTENT_DEPENDENT.test(name)).map((one) => ({ ...one, profile })),
);

/** All scenarios. */
export const scenarios = [...first, ...every, ...profiled].map((one, number): Scenario => ({
  ...one,
  number,
}));

/** A repeatable request, one that is not, a pause and a refusal. `npm test` has these faults. */
const OF_EACH_KIND = ["`reset-after`", "`html` 504, done", "`rate-limit`", "`echo` 400, done"];

export const isOfEachKind = ({ name, profile }: Scenario): boolean =>
  OF_EACH_KIND.includes(name) && profile === undefined;

/** The cases of scenarios. A read has no effect: it makes no difference whether the server processes it. */
export const casesOf = (chosen: readonly Scenario[]) =>
  // A generated SDK prints the error of a function itself, with a stack.
  operations
    .filter(([command]) => command !== "function" || !isNative)
    .flatMap(([command, kind, request, title]) =>
      chosen
        .filter(({ fault }) => request !== "listPipes" || !("processed" in fault))
        .map((scenario) => ({ operation: { command, kind, request, title }, scenario })),
    );

/** An operation under the fault of a scenario. */
export type Case = ReturnType<typeof casesOf>[number];

/** The operation and its fault as the tests name them. */
export const titleOf = ({ operation, scenario: { name, profile } }: Case): string =>
  `${operation.title} | ${name}${profile === undefined ? "" : ` with the profile \`${profile}\``}`;
