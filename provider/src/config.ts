import { ConfigurationError } from "./errors";
import {
  defectOfEnds,
  defectOfText,
  defectOfUrl,
  defectOfUuid,
  OPERATION_PATH,
  quoted,
} from "./setting-defects";

/** One setting of the provider: where it comes from, its form, and what holds without it. */
export interface Setting<T> {
  readonly environment: string;
  readonly description: string;
  /** The form that a person reads in an error and in the reference. */
  readonly form: string;
  readonly secret?: true;
  /** White space at the ends is an error: the provider sends the value as it is. */
  readonly exact?: true;
  /** A malformed value as an error may repeat it, without what may be a secret in the wrong place. Default: as it is. */
  readonly shown?: (text: string) => string;
  readonly default?: string;
  /** The value, or undefined when the text does not have the form. */
  readonly parse: (text: string) => T | undefined;
  /** What is wrong with a malformed value, as a verb and its object; undefined where its form says enough. */
  readonly defect?: (text: string) => string | undefined;
  /** What to give in place of a value with such a defect, where the form does not say it. Default: the form. */
  readonly instead?: string;
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
    exact: true,
    shown: (text) => text.replace(/:.*$/s, ":…"),
    // A colon would end the user name of the Basic credential early.
    parse: (text) => (text.includes(":") ? undefined : text),
    defect: (text) => (text.includes(":") ? "holds a colon" : undefined),
    instead: "give the key id alone; what follows the colon is datapipes:apiKeySecret",
  }),
  apiKeySecret: setting({
    environment: "DATAPIPES_API_KEY_SECRET",
    description: "Key secret of the API's Basic credential. A Pulumi secret.",
    form: "text",
    secret: true,
    parse: (text) => text,
  }),
  baseUrl: setting({
    environment: "DATAPIPES_BASE_URL",
    description:
      "Address of the API; a slash or `/v1` at its end is taken off. Plain http is accepted for loopback addresses only, unless `datapipes:allowInsecure` is set.",
    form: "an https URL without user, query and fragment, such as https://api.example.com",
    shown: (text) => text.replace(/^(.*?:\/\/)?.*@/s, "$1…@").replace(/[?#].*$/s, "…"),
    parse: parseBaseUrl,
    defect: defectOfUrl,
  }),
  allowInsecure: setting({
    environment: "DATAPIPES_ALLOW_INSECURE",
    description:
      "Whether the API may be reached over plain http outside of this machine. The key and all secrets are then sent unencrypted.",
    form: '"true" or "false"',
    default: "false",
    parse: parseBoolean,
    defect: (text) => (/^(true|false)$/i.test(text) ? "is not in lower case" : undefined),
  }),
  organizationId: setting({
    environment: "DATAPIPES_ORGANIZATION_ID",
    description: "The organization of resources and functions that name none.",
    form: "a UUID",
    parse: parseUuid,
    defect: defectOfUuid,
  }),
  serviceId: setting({
    environment: "DATAPIPES_SERVICE_ID",
    description: "The service of resources and functions that name none.",
    form: "a UUID",
    parse: parseUuid,
    defect: defectOfUuid,
  }),
  rateLimit: setting({
    environment: "DATAPIPES_RATE_LIMIT",
    description: "How many requests may start in any window of so many seconds.",
    form: '"<requests>/<seconds>s", such as "10/10s", or "off"',
    default: "10/10s",
    parse: parseRateLimit,
    defect: (text) => (/^\d+\/\d+$/.test(text) ? "lacks the s after the seconds" : undefined),
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

/** The settings that the program gives as arguments of a `Provider`: only there they can be corrected. */
export interface GivenSettings {
  /** The logical name of the `Provider`. */
  readonly provider: string;
  readonly names: readonly string[];
}

/** The namespaced key of a setting in the stack's configuration. */
export const configurationKey = (name: SettingName): string => `datapipes:${name}`;

/** Reads all settings: the stack's configuration (or an explicit provider) first, then the environment. */
export function readConfiguration(
  read: (key: string) => string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  given?: GivenSettings,
): Configuration {
  const values: Partial<Record<SettingName, unknown>> = {};
  const problems: Partial<Record<SettingName, string>> = {};
  for (const [name, entry] of Object.entries(SETTINGS) as [SettingName, Setting<unknown>][]) {
    const configured = read(configurationKey(name)) ?? environment[entry.environment];
    const text = configured === undefined || configured === "" ? entry.default : configured;
    const isUsable = text !== undefined && hiddenDefect(entry, text) === undefined;
    // Spaces at the ends of most values are a slip that cannot be meant.
    const value = isUsable ? entry.parse(text.trim()) : undefined;
    if (value !== undefined) values[name] = value;
    else problems[name] = `${configurationKey(name)} ${complaintOf(entry, text)}. ${remedyOf(name, given)}`;
  }
  refuseInsecure(values, problems, given);
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
  given: GivenSettings | undefined,
): void {
  const { baseUrl, allowInsecure } = values as SettingValues;
  if (baseUrl === undefined || allowInsecure === true || !isInsecure(baseUrl)) return;
  delete values.baseUrl;
  problems.baseUrl =
    `datapipes:baseUrl is ${quoted(baseUrl)}: over plain http the API key and all secrets are sent unencrypted. ` +
    // The reference describes datapipes:allowInsecure. An error that advises it would make people send secrets unencrypted.
    (isGiven("baseUrl", given)
      ? `Give an https URL as the argument baseUrl of the Provider ${JSON.stringify(given?.provider)}.`
      : "Set an https URL with `pulumi config set datapipes:baseUrl https://…` or as DATAPIPES_BASE_URL in the environment.");
}

/** Who has had the warning: each run and each program once, however many clients it makes. */
const warned = new WeakSet<object>();

/** Warns that requests leave this machine unencrypted, or may do so. */
export function warnOfInsecure(
  { baseUrl, allowInsecure }: Pick<SettingValues, "baseUrl" | "allowInsecure">,
  warn: (line: string) => void,
): void {
  const isOpen = baseUrl !== undefined && isInsecure(baseUrl);
  if ((!isOpen && allowInsecure !== true) || warned.has(warn)) return;
  warned.add(warn);
  warn(
    isOpen
      ? `${baseUrl} is reached over plain http (datapipes:allowInsecure): the API key and all secrets are sent unencrypted.`
      : `datapipes:allowInsecure is "true": it would let the API key and all secrets be sent unencrypted. ` +
          `Remove it where every datapipes:baseUrl is https or a loopback address.`,
  );
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

/** A defect of a value that its display does not show. */
const hiddenDefect = ({ exact }: Setting<unknown>, text: string): string | undefined =>
  defectOfText(text) ?? (exact ? defectOfEnds(text) : undefined);

function complaintOf(entry: Setting<unknown>, text: string | undefined): string {
  if (text === undefined) return "is not set";
  const hidden = hiddenDefect(entry, text);
  const defect = hidden ?? entry.defect?.(text.trim());
  if (entry.secret) return `cannot be used: it ${defect ?? `is not ${entry.form}`}`;
  const shown = quoted(entry.shown?.(text) ?? text);
  if (hidden === undefined && defect !== undefined && entry.instead !== undefined)
    return `is ${shown}, which ${defect}: ${entry.instead}`;
  return `is ${shown},${defect === undefined ? "" : ` which ${defect};`} expected ${entry.form}`;
}

const isGiven = (name: SettingName, given: GivenSettings | undefined): boolean =>
  given?.names.includes(name) === true;

const remedyOf = (name: SettingName, given: GivenSettings | undefined): string => {
  if (isGiven(name, given))
    return `Correct the argument ${name} of the Provider ${JSON.stringify(given?.provider)}.`;
  const { secret, environment }: Setting<unknown> = SETTINGS[name];
  // Without a value the CLI asks for it, so that no secret is left in the history of a shell.
  const command = secret ? `--secret ${configurationKey(name)}` : `${configurationKey(name)} <value>`;
  return `Set it with \`pulumi config set ${command}\` or as ${environment} in the environment.`;
};

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
  if (OPERATION_PATH.test(url.pathname)) return undefined;
  // The paths of all operations begin with /v1.
  return http && plain ? `${url.origin}${url.pathname}`.replace(/(\/+v1)?\/*$/, "") : undefined;
}
