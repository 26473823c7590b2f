import { counted } from "../messages/enumerated";
import { isUuid } from "../values/uuid";

export interface Setting<T> {
  readonly environment: string;
  readonly description: string;
  /** The form of its values, for errors and the reference. */
  readonly form: string;
  readonly secret?: true;
  /** A malformed value for errors, without what may be a secret; undefined if all of it may. Default: the value. */
  readonly shown?: (text: string) => string | undefined;
  readonly default?: string;
  /** The value, or undefined if the text is malformed. */
  readonly parse: (text: string) => T | undefined;
  /** What is wrong with a malformed value, as a verb and its object, where neither `shown` nor `form` says it. */
  readonly defect?: (text: string) => string | undefined;
}

/** A number of requests in any window of so many seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

const setting = <T>(value: Setting<T>): Setting<T> => value;

const UUID_LENGTH = 36;
const UUID = {
  form: "a UUID",
  // Anything else may be a secret in the wrong place.
  shown: (text: string) => (/^[\s"'({]*[\da-f]+(?:-[\da-f]*)+[\s"')}]*$/i.test(text) ? text : undefined),
  parse: (text: string) => (isUuid(text) ? text : undefined),
  defect: ({ length }: string) =>
    length === UUID_LENGTH
      ? undefined
      : `has ${counted(length, "character")} instead of the ${UUID_LENGTH} of a UUID`,
};

/** All settings. Their reading, their errors, the `Provider` class and the reference follow from this table. */
export const SETTINGS = {
  apiKeyId: setting({
    environment: "DATAPIPES_API_KEY_ID",
    description: "ID of the API key.",
    form: "text without a colon",
    // Either part may be the secret: people swap them.
    shown: (text) => (text.includes(":") ? "…:…" : text),
    // A colon would end the user name of the Basic credential early.
    parse: (text) => (text.includes(":") ? undefined : text),
  }),
  apiKeySecret: setting({
    environment: "DATAPIPES_API_KEY_SECRET",
    description: "Secret of the API key. A Pulumi secret.",
    form: "text",
    secret: true,
    parse: (text) => text,
  }),
  baseUrl: setting({
    environment: "DATAPIPES_BASE_URL",
    description:
      "Address of the API; a slash or `/v1` at the end is removed. Plain http is accepted for loopback addresses " +
      "only, unless `datapipes:allowInsecure` is set.",
    form: "an https URL without user, query and fragment, such as https://api.example.com",
    shown: (text) => text.replace(/^(.*?:\/\/)?.*@/s, "$1…@").replace(/[?#].*$/s, "…"),
    parse: parseBaseUrl,
    defect: (text) => (hasOperationPath(text) ? "has a path after /v1" : undefined),
  }),
  allowInsecure: setting({
    environment: "DATAPIPES_ALLOW_INSECURE",
    description:
      "Whether the provider may use plain http to reach other machines. The key and all secrets are then sent " +
      "unencrypted.",
    form: '"true" or "false"',
    default: "false",
    parse: (text) => (text === "true" || text === "false" ? text === "true" : undefined),
  }),
  organizationId: setting({
    environment: "DATAPIPES_ORGANIZATION_ID",
    description: "The default organization of resources and functions.",
    ...UUID,
  }),
  serviceId: setting({
    environment: "DATAPIPES_SERVICE_ID",
    description: "The default service of resources and functions.",
    ...UUID,
  }),
  rateLimit: setting({
    environment: "DATAPIPES_RATE_LIMIT",
    description: "The maximum number of requests that start in a rolling window of seconds.",
    form: '"<requests>/<seconds>s", such as "10/10s", or "off"',
    default: "10/10s",
    parse: parseRateLimit,
  }),
  requestTimeoutSeconds: setting({
    environment: "DATAPIPES_REQUEST_TIMEOUT_SECONDS",
    description: "How long one attempt of a request may take, in seconds.",
    form: "a whole number from 1",
    default: "60",
    parse: wholeNumber(1),
  }),
  maxRetries: setting({
    environment: "DATAPIPES_MAX_RETRIES",
    description:
      "The maximum number of retries of a request, where a retry is safe. Responses with status 429 do not count.",
    form: "a whole number from 0",
    default: "4",
    parse: wholeNumber(0),
  }),
  rateLimitTimeoutSeconds: setting({
    environment: "DATAPIPES_RATE_LIMIT_TIMEOUT_SECONDS",
    description:
      "How long the service may refuse every request with 429 before the provider gives up, in seconds.",
    form: "a whole number from 0",
    default: "600",
    parse: wholeNumber(0),
  }),
};

export type SettingName = keyof typeof SETTINGS;

/** Each setting with its name, in the order of the table. */
export const SETTING_ENTRIES = Object.entries(SETTINGS) as readonly (readonly [
  SettingName,
  Setting<unknown>,
])[];

export const SETTING_NAMES = SETTING_ENTRIES.map(([name]) => name);

/** Settings that a resource may override. */
export const SCOPE_SETTINGS = ["organizationId", "serviceId"] as const satisfies readonly SettingName[];

export const isScopeSetting = (name: string): boolean => (SCOPE_SETTINGS as readonly string[]).includes(name);

/** Settings that every request needs. */
export const CONNECTION_SETTINGS = SETTING_NAMES.filter(
  (name): name is Exclude<SettingName, keyof ServiceScope> => !isScopeSetting(name),
);

export type SettingValues = {
  readonly [N in SettingName]?: (typeof SETTINGS)[N] extends Setting<infer T> ? T : never;
};

/** The namespaced key of a setting in the stack's configuration. */
export const configurationKey = (name: SettingName): string => `datapipes:${name}`;

function wholeNumber(least: number): (text: string) => number | undefined {
  return (text) => (/^\d{1,6}$/.test(text) && Number(text) >= least ? Number(text) : undefined);
}

function parseRateLimit(text: string): RateLimit | "off" | undefined {
  if (text === "off") return "off";
  const [, requests, seconds] = /^(\d{1,6})\/(\d{1,6})s$/.exec(text) ?? [];
  const limit = { requests: Number(requests), seconds: Number(seconds) };
  return limit.requests > 0 && limit.seconds > 0 ? limit : undefined;
}

/** The path of an operation begins with /v1. A gateway may have another path before it. */
const OPERATION_PATH = /\/v1\/+[^/]/;

const hasOperationPath = (text: string): boolean =>
  URL.canParse(text) && OPERATION_PATH.test(new URL(text).pathname);

function parseBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text) || hasOperationPath(text)) return undefined;
  const url = new URL(text);
  const http = url.protocol === "https:" || url.protocol === "http:";
  const plain = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  // The paths of all operations begin with /v1.
  return http && plain ? `${url.origin}${url.pathname}`.replace(/(\/+v1)?\/*$/, "") : undefined;
}

export interface ServiceScope {
  readonly organizationId: string;
  readonly serviceId: string;
}
