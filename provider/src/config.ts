import { ConfigurationError } from "./errors";

/** One setting of the provider: where it comes from, its form, and what holds without it. */
export interface Setting<T> {
  readonly environment: string;
  readonly description: string;
  /** The form that a person reads in an error and in the reference. */
  readonly form: string;
  readonly secret?: true;
  /** A malformed value as an error may repeat it, without what may be a secret in the wrong place. Default: as it is. */
  readonly shown?: (text: string) => string;
  readonly default?: string;
  /** The value, or undefined when the text does not have the form. */
  readonly parse: (text: string) => T | undefined;
}

/** How many requests may start in any window of this length. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a text has the form of a UUID. */
export const isUuid = (text: string): boolean => UUID.test(text);

const wholeNumber =
  (least: number) =>
  (text: string): number | undefined =>
    /^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined;

const setting = <T>(value: Setting<T>): Setting<T> => value;

/** Every setting, once: reading, errors, the `Provider` class and the reference follow this table. */
export const SETTINGS = {
  apiKeyId: setting({
    environment: "DATAPIPES_API_KEY_ID",
    description: "Key id of the API's Basic credential.",
    form: "text without a colon",
    shown: (text) => text.replace(/:.*$/s, ":…"),
    // A colon would end the user name of the Basic credential early.
    parse: (text) => (/^[^:\p{Cc}]+$/u.test(text) ? text : undefined),
  }),
  apiKeySecret: setting({
    environment: "DATAPIPES_API_KEY_SECRET",
    description: "Key secret of the API's Basic credential. A Pulumi secret.",
    form: "text",
    secret: true,
    parse: (text) => (/^\P{Cc}+$/u.test(text) ? text : undefined),
  }),
  baseUrl: setting({
    environment: "DATAPIPES_BASE_URL",
    description:
      "Address of the API, without `/v1`. Plain http is accepted for loopback addresses only, unless `datapipes:allowInsecure` is set.",
    form: "an https URL without user, query and fragment, such as https://api.example.com",
    shown: (text) => text.replace(/\/\/.*@/s, "//…@").replace(/[?#].*$/s, "…"),
    parse: parseBaseUrl,
  }),
  allowInsecure: setting({
    environment: "DATAPIPES_ALLOW_INSECURE",
    description:
      "Whether the API may be reached over plain http outside of this machine. The key and all secrets then travel readable.",
    form: '"true" or "false"',
    default: "false",
    parse: parseBoolean,
  }),
  organizationId: setting({
    environment: "DATAPIPES_ORGANIZATION_ID",
    description: "The organization of resources and functions that name none.",
    form: "a UUID",
    parse: parseUuid,
  }),
  serviceId: setting({
    environment: "DATAPIPES_SERVICE_ID",
    description: "The service of resources and functions that name none.",
    form: "a UUID",
    parse: parseUuid,
  }),
  rateLimit: setting({
    environment: "DATAPIPES_RATE_LIMIT",
    description: "How many requests may start in any window of so many seconds.",
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
    description: "How often a request is repeated at most, where repeating is safe.",
    form: "a whole number from 0",
    default: "4",
    parse: wholeNumber(0),
  }),
};

/** The name of a setting. */
export type SettingName = keyof typeof SETTINGS;

/** Settings that every request needs: all but those that a resource can also say itself. */
export const CONNECTION_SETTINGS = [
  "apiKeyId",
  "apiKeySecret",
  "baseUrl",
  "allowInsecure",
  "rateLimit",
  "requestTimeoutSeconds",
  "maxRetries",
] as const satisfies readonly SettingName[];
/** Settings that a resource can also say itself. */
export const SCOPE_SETTINGS = ["organizationId", "serviceId"] as const satisfies readonly SettingName[];

/** The values of the settings. */
export type SettingValues = {
  readonly [N in SettingName]?: (typeof SETTINGS)[N] extends Setting<infer T> ? T : never;
};

/** What was read of the configuration, and what is wrong with it: one sentence for each setting that has a problem. */
export interface Configuration {
  readonly values: SettingValues;
  readonly problems: Readonly<Partial<Record<SettingName, string>>>;
}

/** The namespaced key of a setting in the stack's configuration. */
export const configurationKey = (name: SettingName): string => `datapipes:${name}`;

/** Reads all settings: the stack's configuration (or an explicit provider) first, then the environment. */
export function readConfiguration(
  read: (key: string) => string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Configuration {
  const values: Partial<Record<SettingName, unknown>> = {};
  const problems: Partial<Record<SettingName, string>> = {};
  for (const [name, entry] of Object.entries(SETTINGS) as [SettingName, Setting<unknown>][]) {
    const configured = read(configurationKey(name)) ?? environment[entry.environment];
    const text = configured === undefined || configured === "" ? entry.default : configured.trim();
    const value = text === undefined ? undefined : entry.parse(text);
    if (value !== undefined) values[name] = value;
    else problems[name] = problemOf(name, entry, text);
  }
  refuseInsecure(values, problems);
  return { values: values as SettingValues, problems };
}

/** Whether requests to this address can be read, and changed, by others on the way. */
export function isInsecure(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !LOOPBACK.test(hostname);
}

function refuseInsecure(
  values: Partial<Record<SettingName, unknown>>,
  problems: Partial<Record<SettingName, string>>,
): void {
  const { baseUrl, allowInsecure } = values as SettingValues;
  if (baseUrl === undefined || allowInsecure === true || !isInsecure(baseUrl)) return;
  delete values.baseUrl;
  problems.baseUrl =
    `datapipes:baseUrl is ${JSON.stringify(baseUrl)}: over plain http the API key and all secrets travel readable. ` +
    `${remedyOf("baseUrl", SETTINGS.baseUrl)} On a network that you trust, \`pulumi config set datapipes:allowInsecure true\` lets it through.`;
}

/** The named settings, all present; otherwise one error that lists what is wrong. */
export function requireSettings<N extends SettingName>(
  { values, problems }: Configuration,
  names: readonly N[],
): SettingValues & { readonly [K in N]-?: NonNullable<SettingValues[K]> } {
  const found = names.flatMap((name) => problems[name] ?? []);
  if (found.length > 0) throw new ConfigurationError(found);
  return values as SettingValues & { readonly [K in N]-?: NonNullable<SettingValues[K]> };
}

function problemOf(name: SettingName, entry: Setting<unknown>, text: string | undefined): string {
  const key = configurationKey(name);
  const what =
    text === undefined
      ? `${key} is not set`
      : entry.secret
        ? `${key} cannot be used: expected ${entry.form}`
        : `${key} is ${JSON.stringify(entry.shown?.(text) ?? text)}, expected ${entry.form}`;
  return `${what}. ${remedyOf(name, entry)}`;
}

const remedyOf = (name: SettingName, { secret, environment }: Setting<unknown>): string =>
  `Set it with \`pulumi config set ${secret ? "--secret " : ""}${configurationKey(name)} <value>\` or as ${environment} in the environment.`;

function parseUuid(text: string): string | undefined {
  return isUuid(text) ? text : undefined;
}

function parseBoolean(text: string): boolean | undefined {
  return text === "true" || text === "false" ? text === "true" : undefined;
}

function parseRateLimit(text: string): RateLimit | "off" | undefined {
  if (text === "off") return "off";
  const [, requests, seconds] = /^(\d{1,6})\/(\d{1,6})s$/.exec(text) ?? [];
  const limit = { requests: Number(requests), seconds: Number(seconds) };
  return limit.requests > 0 && limit.seconds > 0 ? limit : undefined;
}

function parseBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const http = url.protocol === "https:" || url.protocol === "http:";
  const plain = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  return http && plain ? `${url.origin}${url.pathname}`.replace(/\/+$/, "") : undefined;
}
