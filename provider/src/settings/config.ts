import { isLoopback } from "./loopback";
import type { ServiceScope } from "./settings";
import { ConfigurationError } from "../messages/errors";
import { quoted } from "../messages/quoted";
import {
  configurationKey,
  CONNECTION_SETTINGS,
  SCOPE_SETTINGS,
  SETTING_ENTRIES,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValues,
} from "./settings";

export interface SettingDefect {
  readonly problem: string;
  /** The problem, and how to set it. */
  readonly text: string;
}

type Defects = Partial<Record<SettingName, SettingDefect>>;

/** The configuration, with what is wrong with each setting that is missing or malformed. */
export interface Configuration {
  readonly values: SettingValues;
  readonly defects: Readonly<Defects>;
}

/** Reads all settings. The stack's configuration, or an explicit provider, wins over the environment. */
export function readConfiguration(
  read: (key: string) => string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Configuration {
  const values: Partial<Record<SettingName, unknown>> = {};
  const defects: Defects = {};
  for (const [name, entry] of SETTING_ENTRIES) {
    const texts = [read(configurationKey(name)), environment[entry.environment], entry.default];
    const text = texts.find((one) => one !== undefined && one !== "");
    const isUsable = text !== undefined && defectOfText(text) === undefined;
    // Values may have white space at their ends, as from a copy.
    const value = isUsable ? entry.parse(text.trim()) : undefined;
    if (value !== undefined) values[name] = value;
    else defects[name] = defect(`${configurationKey(name)} ${problemOf(entry, text)}.`, remedyOf(name));
  }
  refuseInsecure(values, defects);
  return { values: values as SettingValues, defects };
}

const defect = (problem: string, remedy: string): SettingDefect => ({
  problem,
  text: `${problem} ${remedy}`,
});

/** Whether requests to this URL are sent unencrypted over a network. */
export function isInsecure(baseUrl: string): boolean {
  return new URL(baseUrl).protocol === "http:" && !isLoopback(baseUrl);
}

function refuseInsecure(values: Partial<Record<SettingName, unknown>>, defects: Defects): void {
  const { baseUrl, allowInsecure } = values as SettingValues;
  if (baseUrl === undefined || allowInsecure === true || !isInsecure(baseUrl)) return;
  delete values.baseUrl;
  // An error that advises datapipes:allowInsecure would make people send secrets unencrypted.
  defects.baseUrl = defect(
    `datapipes:baseUrl is ${quoted(baseUrl)}: plain http would send the API key and all secrets unencrypted.`,
    "Set an https URL with `pulumi config set datapipes:baseUrl https://…` or as DATAPIPES_BASE_URL in the " +
      "environment; for an explicit Provider, set the argument baseUrl.",
  );
}

/** What to warn of at every run: requests are sent unencrypted, or may be. */
export function insecureWarning({ baseUrl, allowInsecure }: SettingValues): string | undefined {
  if (baseUrl !== undefined && isInsecure(baseUrl))
    return (
      `${baseUrl} uses plain http (datapipes:allowInsecure): the provider sends the API key and all secrets ` +
      "unencrypted. Set an https URL."
    );
  if (allowInsecure !== true) return undefined;
  return (
    `datapipes:allowInsecure is "true", which allows the provider to send the API key and all secrets unencrypted. ` +
    "If every datapipes:baseUrl is https or a loopback address, remove it."
  );
}

/** The named settings; throws one error with all of their problems. */
export function requireSettings<N extends SettingName>(
  { values, defects }: Configuration,
  names: readonly N[],
): SettingValues & { readonly [K in N]-?: NonNullable<SettingValues[K]> } {
  const sentences = names.flatMap((name) => defects[name]?.text ?? []);
  if (sentences.length > 0) throw new ConfigurationError("configuration", sentences.join("\n"));
  return values as SettingValues & { readonly [K in N]-?: NonNullable<SettingValues[K]> };
}

/** The service: ids that are given, else those of the configuration. Requires the settings of the connection, too. */
export function requireScope(configuration: Configuration, given: Partial<ServiceScope>): ServiceScope {
  const missing = SCOPE_SETTINGS.filter((name) => given[name] === undefined);
  const settings = requireSettings(configuration, [...CONNECTION_SETTINGS, ...missing]);
  const { organizationId = settings.organizationId, serviceId = settings.serviceId } = given;
  return { organizationId, serviceId };
}

const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/;

/** White space that people do not see, and control characters. */
function defectOfText(text: string): string | undefined {
  const value = text.trim();
  if (value === "") return "contains only whitespace";
  if (LINE_BREAK.test(text.slice(text.trimEnd().length))) return "ends with a line break";
  if (LINE_BREAK.test(value)) return "contains a line break";
  return /\p{Cc}/u.test(value) ? "contains a control character" : undefined;
}

function problemOf(entry: Setting<unknown>, text: string | undefined): string {
  if (text === undefined) return "is not set";
  const defect = defectOfText(text) ?? entry.defect?.(text.trim());
  const shown = entry.shown === undefined ? text : entry.shown(text);
  if (entry.secret || shown === undefined) return `cannot be used: it ${defect ?? `is not ${entry.form}`}`;
  return `is ${quoted(shown)},${defect === undefined ? "" : ` which ${defect};`} expected ${entry.form}`;
}

function remedyOf(name: SettingName): string {
  const { secret, environment }: Setting<unknown> = SETTINGS[name];
  // Without a value, the CLI asks for it, which keeps the secret out of the shell's history.
  const command = secret ? `--secret ${configurationKey(name)}` : `${configurationKey(name)} <value>`;
  return (
    `Set it with \`pulumi config set ${command}\` or as ${environment} in the environment; for an explicit ` +
    `Provider, set the argument ${name}.`
  );
}
