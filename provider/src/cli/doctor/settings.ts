import { quoted } from "../../messages/quoted";
import { insecureWarning, isInsecure, readConfiguration, type Configuration } from "../../settings/config";
import { PLAIN_SECRET, unknownSettings } from "../../settings/stack-configuration";
import {
  configurationKey,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingName,
} from "../../settings/settings";
import { shellWord } from "../../messages/shell-word";
import { failed, ok, warning, type DoctorFinding } from "./finding";
import type { ReadStack } from "./stack";

/** How much of a key id is shown: it may be a secret in the wrong place. */
const SHOWN_OF_ID = 4;

const settingOf = (name: SettingName): Setting<unknown> => SETTINGS[name];
const inEnvironment = (name: SettingName): string => process.env[SETTINGS[name].environment] ?? "";
const inStack = (name: SettingName, { configuration }: ReadStack) =>
  configuration.get(configurationKey(name));

/** Reads the settings as the provider does. */
export const configurationOf = ({ configuration }: ReadStack): Configuration =>
  readConfiguration((key) => configuration.get(key)?.value);

/** The command that sets a setting where it is set. It asks for a secret, which stays out of the shell's history. */
export function setCommand(name: SettingName, stack: ReadStack): string {
  const isInStack = (inStack(name, stack)?.value ?? "") !== "";
  const { environment, secret } = settingOf(name);
  if (stack.name === undefined || (!isInStack && inEnvironment(name) !== ""))
    return secret ? `read -rs ${environment} && export ${environment}` : `export ${environment}=<value>`;
  const key = configurationKey(name);
  const rest = secret ? `--secret ${key}` : `${key} <value>`;
  return `pulumi config set ${stack.flag}${rest}`;
}

/** Checks each setting, and says where it comes from. */
export function checkSettings(stack: ReadStack, configuration: Configuration): readonly DoctorFinding[] {
  const isDefault = (name: SettingName): boolean =>
    settingOf(name).default !== undefined && textOf(name, stack) === "";
  const defaults = SETTING_NAMES.filter(isDefault).map(
    (name) => `${configurationKey(name)} ${quoted(settingOf(name).default ?? "")}`,
  );
  return [
    ...SETTING_NAMES.filter((name) => !isDefault(name)).map((name) =>
      checkSetting(name, stack, configuration),
    ),
    ...(defaults.length === 0
      ? []
      : [ok("defaults", `Not set, so the defaults apply: ${defaults.join(", ")}.`)]),
    ...insecure(configuration, stack),
    ...unknown(stack),
  ];
}

const unknown = ({ configuration, flag, project }: ReadStack): readonly DoctorFinding[] =>
  unknownSettings([...configuration.keys()], project).map(({ key, problem }) =>
    warning(key, problem, `pulumi config rm ${flag}${shellWord(key)}`),
  );

/** The text of a setting; empty if it is not set. */
function textOf(name: SettingName, stack: ReadStack): string {
  const configured = inStack(name, stack)?.value ?? "";
  return configured === "" ? inEnvironment(name) : configured;
}

function checkSetting(
  name: SettingName,
  stack: ReadStack,
  { defects, values }: Configuration,
): DoctorFinding {
  const key = configurationKey(name);
  const { environment, secret = false } = settingOf(name);
  const defect = defects[name];
  if (defect !== undefined) {
    const isMissing = textOf(name, stack) === "";
    const problem = isMissing
      ? `${key} is not set, and neither is ${environment} in the environment.`
      : defect.problem;
    return failed(key, problem, setCommand(name, stack));
  }
  const { value = "", isSecret = false } = inStack(name, stack) ?? {};
  if (value !== "" && secret && !isSecret) return warning(key, PLAIN_SECRET, setCommand(name, stack));
  const origin = value === "" ? environment : `stack ${stack.name ?? ""}${isSecret ? ", encrypted" : ""}`;
  const isHidden = value !== "" && !["", value].includes(inEnvironment(name));
  const hidden = isHidden ? `; ${environment} has another value, which is not used` : "";
  const text = name === "baseUrl" ? (values.baseUrl ?? "") : textOf(name, stack).trim();
  const shown = quoted(name === "apiKeyId" ? `${text.slice(0, SHOWN_OF_ID)}…` : text);
  return ok(key, `${key} is ${secret || isSecret ? "set" : shown} (${origin}${hidden}).`);
}

/** What the provider itself warns of at every run. */
function insecure({ values }: Configuration, stack: ReadStack): readonly DoctorFinding[] {
  const [key, { environment }] = [configurationKey("allowInsecure"), SETTINGS.allowInsecure];
  const remove =
    inStack("allowInsecure", stack) === undefined
      ? `unset ${environment}`
      : `pulumi config rm ${stack.flag}${key}`;
  const isOpen = values.baseUrl !== undefined && isInsecure(values.baseUrl);
  const fix = isOpen ? setCommand("baseUrl", stack) : remove;
  const line = insecureWarning(values);
  return line === undefined ? [] : [warning(key, line, fix)];
}
