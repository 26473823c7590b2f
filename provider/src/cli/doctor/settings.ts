import { upperFirst } from "../upper-first";
import { isInsecure, readConfiguration, warnOfInsecure, type Configuration } from "../../settings/config";
import { quoted } from "../../messages/printable";
import { PLAIN_SECRET } from "../../settings/setting-defects";
import { configurationKey, SETTINGS, type Setting, type SettingName } from "../../settings/settings";
import { nearestName } from "../../messages/unknown-name";
import type { StackConfiguration, StackValue } from "../stack-configuration";
import { failed, ok, warning, type DoctorFinding } from "./finding";
import type { Stack } from "./stack";

/** How much of a key id is shown that the API has not accepted: it may be a secret in the wrong place. */
const SHOWN_OF_ID = 4;

const NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Reads the settings as the provider does. */
export const configurationOf = (stack: StackConfiguration): Configuration =>
  readConfiguration((key) => stack.get(key)?.value);

/** Checks each setting, and says where it comes from. */
export function checkSettings(
  stack: Stack & { readonly configuration: StackConfiguration },
  configuration: Configuration,
  isKeyAccepted: boolean,
): readonly DoctorFinding[] {
  const warnings = [...plainSecret(stack.configuration), ...insecure(configuration)];
  const unset = stack.selection === undefined ? [] : NAMES.filter((name) => isUnset(name, configuration));
  const findings = NAMES.filter((name) => !unset.includes(name)).flatMap((name) => {
    const key = configurationKey(name);
    const defect = configuration.defects[name];
    if (defect !== undefined) return [failed(key, defect.problem, defect.remedy)];
    const ofSetting = warnings.filter(({ check }) => check === key);
    return ofSetting.length > 0
      ? ofSetting
      : [ok(key, sentenceOf(name, { stack, configuration, isKeyAccepted }))];
  });
  return [...ofNoStack(unset, stack.selection), ...findings, ...misspelt(stack.configuration)];
}

/** Whether a required setting has no value. */
const isUnset = (name: SettingName, { defects }: Configuration): boolean =>
  defects[name] !== undefined && (process.env[SETTINGS[name].environment] ?? "") === "";

/** The settings that the stack may have which is not selected, as one finding. */
function ofNoStack(unset: readonly SettingName[], selection = ""): readonly DoctorFinding[] {
  if (unset.length === 0) return [];
  const message = `The environment does not give ${unset.map(configurationKey).join(", ")}, and the configuration of a stack is not read while none is selected.`;
  return [failed("settings", message, selection)];
}

interface Reading {
  readonly stack: Stack & { readonly configuration: StackConfiguration };
  readonly configuration: Configuration;
  readonly isKeyAccepted: boolean;
}

function sentenceOf(name: SettingName, { stack, configuration, isKeyAccepted }: Reading): string {
  const key = configurationKey(name);
  const { environment, secret }: Setting<unknown> = SETTINGS[name];
  const configured = stack.configuration.get(key);
  const fromEnvironment = process.env[environment];
  const text = configured?.value ?? fromEnvironment ?? "";
  const source =
    text === "" ? "default" : configured === undefined ? environment : `stack ${stack.name ?? ""}`;
  const unused =
    configured !== undefined && fromEnvironment !== undefined && fromEnvironment !== configured.value
      ? `; ${environment} has another value, which is not used`
      : "";
  if (secret === true || configured?.isSecret === true)
    return `${key} is set (${source}${configured?.isSecret === true ? ", encrypted" : ""}${unused}).`;
  return `${key} is ${shown(name, { text, configuration, isKeyAccepted })} (${source}${unused}).`;
}

function shown(
  name: SettingName,
  { text, configuration, isKeyAccepted }: Omit<Reading, "stack"> & { readonly text: string },
): string {
  if (name === "baseUrl") return configuration.values.baseUrl ?? "";
  if (name === "apiKeyId" && !isKeyAccepted) return quoted(`${text.slice(0, SHOWN_OF_ID)}…`);
  return quoted(text === "" ? ((SETTINGS[name] as Setting<unknown>).default ?? "") : text.trim());
}

function plainSecret(stack: StackConfiguration): readonly DoctorFinding[] {
  const value: StackValue | undefined = stack.get(configurationKey("apiKeySecret"));
  if (value === undefined || value.value === "" || value.isSecret) return [];
  return [warning(configurationKey("apiKeySecret"), PLAIN_SECRET.problem, PLAIN_SECRET.command)];
}

/** What the provider itself warns of at every run. */
function insecure({ values }: Configuration): readonly DoctorFinding[] {
  const key = configurationKey("allowInsecure");
  const found: DoctorFinding[] = [];
  warnOfInsecure(values, (line) => {
    const removal = `remove the permission: \`pulumi config rm ${key}\`, or unset ${SETTINGS.allowInsecure.environment}.`;
    const isUsed = values.baseUrl !== undefined && isInsecure(values.baseUrl);
    const fix = isUsed ? `Set an https URL as datapipes:baseUrl, then ${removal}` : upperFirst(removal);
    found.push(warning(key, line, fix));
  });
  return found;
}

/** Keys of the stack that look like a setting. Keys of the program itself may have the same namespace. */
function misspelt(stack: StackConfiguration): readonly DoctorFinding[] {
  return [...stack.keys()].flatMap((key) => {
    const [namespace, name = ""] = key.split(":");
    if (namespace !== "datapipes" || name in SETTINGS) return [];
    const nearest = nearestName(name, NAMES);
    if (nearest === undefined) return [];
    const message = `${key} is not a setting, and the provider does not read it; did you mean datapipes:${nearest}?`;
    return [warning(key, message, `pulumi config rm ${key}`)];
  });
}
