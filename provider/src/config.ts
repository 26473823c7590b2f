import { ConfigurationError } from "./errors";
import { defectOfEnds, defectOfText, defectOfUrl, defectOfUuid, quoted } from "./setting-defects";
import { parseBaseUrl, parseBoolean, parseRateLimit, wholeNumber } from "./setting-values";

/** One setting of the provider: its sources, form and default. */
export interface Setting<T> {
  readonly environment: string;
  readonly description: string;
  /** The form of its values, for errors and the reference. */
  readonly form: string;
  readonly secret?: true;
  /** White space at the ends is an error, because the provider sends the value unchanged. */
  readonly exact?: true;
  /** A malformed value for errors, without what may be a secret. Default: the value. */
  readonly shown?: (text: string) => string;
  readonly default?: string;
  /** The value, or undefined if the text is malformed. */
  readonly parse: (text: string) => T | undefined;
  /** What is wrong with a malformed value, as a verb and its object, if `form` does not say enough. */
  readonly defect?: (text: string) => string | undefined;
  /** What to give instead of a value with such a defect. Default: the form. */
  readonly instead?: string;
}

/** A number of requests in any window of so many seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a text has the form of a UUID. */
export const isUuid = (text: string): boolean => UUID.test(text);

const setting = <T>(value: Setting<T>): Setting<T> => value;

/** All settings. Their reading, their errors, the `Provider` class and the reference follow from this table. */
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

/** Settings that every request needs. */
export const CONNECTION_SETTINGS = [
  "apiKeyId",
  "apiKeySecret",
  "baseUrl",
  "allowInsecure",
  "rateLimit",
  "requestTimeoutSeconds",
  "maxRetries",
] as const satisfies readonly SettingName[];
/** Settings that a resource may override. */
export const SCOPE_SETTINGS = ["organizationId", "serviceId"] as const satisfies readonly SettingName[];

/** Whether a resource may override the setting of this name. */
export const isScopeSetting = (name: string): boolean => (SCOPE_SETTINGS as readonly string[]).includes(name);

/** The values of the settings. */
export type SettingValues = {
  readonly [N in SettingName]?: (typeof SETTINGS)[N] extends Setting<infer T> ? T : never;
};

/** What is wrong with a setting, and how to set it: a sentence each. */
export interface SettingDefect {
  readonly problem: string;
  readonly remedy: string;
}

type Defects = Partial<Record<SettingName, SettingDefect>>;

/** The configuration, with what is wrong with each setting that is missing or malformed. */
export interface Configuration {
  readonly values: SettingValues;
  readonly defects: Readonly<Defects>;
  /** Each defect as one text. */
  readonly problems: Readonly<Partial<Record<SettingName, string>>>;
}

/** The settings that are arguments of a `Provider` in the program. */
export interface GivenSettings {
  /** The logical name of the `Provider`. */
  readonly provider: string;
  readonly names: readonly string[];
}

/** The namespaced key of a setting in the stack's configuration. */
export const configurationKey = (name: SettingName): string => `datapipes:${name}`;

/** Reads all settings. The stack's configuration, or an explicit provider, wins over the environment. */
export function readConfiguration(
  read: (key: string) => string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  given?: GivenSettings,
): Configuration {
  const values: Partial<Record<SettingName, unknown>> = {};
  const defects: Defects = {};
  for (const [name, entry] of Object.entries(SETTINGS) as [SettingName, Setting<unknown>][]) {
    const configured = read(configurationKey(name)) ?? environment[entry.environment];
    const text = configured === undefined || configured === "" ? entry.default : configured;
    const isUsable = text !== undefined && invisibleDefect(entry, text) === undefined;
    // Most values may have white space at their ends, as from a copy.
    const value = isUsable ? entry.parse(text.trim()) : undefined;
    if (value !== undefined) values[name] = value;
    else
      defects[name] = {
        problem: `${configurationKey(name)} ${problemOf(entry, text)}.`,
        remedy: remedyOf(name, given),
      };
  }
  refuseInsecure(values, defects, given);
  const texts = Object.entries(defects).map(([name, { problem, remedy }]) => [name, `${problem} ${remedy}`]);
  return {
    values: values as SettingValues,
    defects,
    problems: Object.fromEntries(texts) as Configuration["problems"],
  };
}

/** Whether requests to this URL are sent unencrypted over a network. */
export function isInsecure(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !LOOPBACK.test(hostname);
}

function refuseInsecure(
  values: Partial<Record<SettingName, unknown>>,
  defects: Defects,
  given: GivenSettings | undefined,
): void {
  const { baseUrl, allowInsecure } = values as SettingValues;
  if (baseUrl === undefined || allowInsecure === true || !isInsecure(baseUrl)) return;
  delete values.baseUrl;
  defects.baseUrl = {
    problem: `datapipes:baseUrl is ${quoted(baseUrl)}: plain http would send the API key and all secrets unencrypted.`,
    // The reference describes datapipes:allowInsecure. An error that advises it would make people send secrets unencrypted.
    remedy: isArgument("baseUrl", given)
      ? `Give an https URL as the argument baseUrl of the Provider ${JSON.stringify(given?.provider)}.`
      : "Set an https URL with `pulumi config set datapipes:baseUrl https://…` or as DATAPIPES_BASE_URL in the environment.",
  };
}

/** The logs that have the warning: one for each run and each program, which may have many clients. */
const warned = new WeakSet<object>();

/** Warns once that requests are sent unencrypted, or may be. */
export function warnOfInsecure(
  { baseUrl, allowInsecure }: Pick<SettingValues, "baseUrl" | "allowInsecure">,
  warn: (line: string) => void,
): void {
  const isOpen = baseUrl !== undefined && isInsecure(baseUrl);
  if ((!isOpen && allowInsecure !== true) || warned.has(warn)) return;
  warned.add(warn);
  warn(
    isOpen
      ? `${baseUrl} uses plain http (datapipes:allowInsecure): the provider sends the API key and all secrets unencrypted.`
      : `datapipes:allowInsecure is "true", which allows the provider to send the API key and all secrets unencrypted. ` +
          `Remove it where every datapipes:baseUrl is https or a loopback address.`,
  );
}

/** The named settings; throws one error with all of their problems. */
export function requireSettings<N extends SettingName>(
  { values, problems }: Configuration,
  names: readonly N[],
): SettingValues & { readonly [K in N]-?: NonNullable<SettingValues[K]> } {
  const found = names.flatMap((name) => problems[name] ?? []);
  if (found.length > 0) throw new ConfigurationError(found);
  return values as SettingValues & { readonly [K in N]-?: NonNullable<SettingValues[K]> };
}

/** What is wrong with a value, where the value in an error does not show it. */
const invisibleDefect = ({ exact }: Setting<unknown>, text: string): string | undefined =>
  defectOfText(text) ?? (exact ? defectOfEnds(text) : undefined);

function problemOf(entry: Setting<unknown>, text: string | undefined): string {
  if (text === undefined) return "is not set";
  const hidden = invisibleDefect(entry, text);
  const defect = hidden ?? entry.defect?.(text.trim());
  if (entry.secret) return `cannot be used: it ${defect ?? `is not ${entry.form}`}`;
  const shown = quoted(entry.shown?.(text) ?? text);
  if (hidden === undefined && defect !== undefined && entry.instead !== undefined)
    return `is ${shown}, which ${defect}: ${entry.instead}`;
  return `is ${shown},${defect === undefined ? "" : ` which ${defect};`} expected ${entry.form}`;
}

const isArgument = (name: SettingName, given: GivenSettings | undefined): boolean =>
  given?.names.includes(name) === true;

/** How to set a setting. */
export const remedyOf = (name: SettingName, given?: GivenSettings): string => {
  if (isArgument(name, given))
    return `Correct the argument ${name} of the Provider ${JSON.stringify(given?.provider)}.`;
  const { secret, environment }: Setting<unknown> = SETTINGS[name];
  // Without a value, the CLI asks for it, which keeps the secret out of the shell's history.
  const command = secret ? `--secret ${configurationKey(name)}` : `${configurationKey(name)} <value>`;
  return `Set it with \`pulumi config set ${command}\` or as ${environment} in the environment.`;
};

function parseUuid(text: string): string | undefined {
  return isUuid(text) ? text : undefined;
}
