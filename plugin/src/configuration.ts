import type { CheckRequest, ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import {
  asSecret,
  SECRET_SIGNATURE,
  type Properties,
  SIGNATURE,
} from "../../provider/src/lifecycle/protocol/engine-values";
import { isMap, mapMembers, mapOf } from "../../provider/src/lifecycle/comparison/property-value";
import {
  configurationKey,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
} from "../../provider/src/settings/settings";
import { printable } from "../../provider/src/messages/printable";
import { isDeclaredProvider, partsOf } from "../../provider/src/lifecycle/state/resource-key";
import { unknownName } from "../../provider/src/messages/unknown-name";
import { propertiesOf } from "./struct";

/** The value of a secret; any other value as it is. */
const withoutSecretMark = (value: unknown): unknown =>
  isMap(value) && value[SIGNATURE] === SECRET_SIGNATURE ? value["value"] : value;

/** Reads the settings of a provider by their keys: its arguments, else the stack's configuration. */
export function readerOf(
  request: ConfigureRequest,
  environment: NodeJS.ProcessEnv,
): (key: string) => string | undefined {
  // The engine marks secrets here, also for a plugin that accepts none in properties of resources.
  const args = mapMembers(propertiesOf(request.getArgs()), withoutSecretMark);
  const stored = stackConfiguration(environment);
  const values = new Map(
    SETTING_NAMES.flatMap((name) => {
      // An empty argument counts as not set.
      const value = [args[name], stored[name]].find((each) => (each ?? "") !== "");
      return value === undefined ? [] : [[configurationKey(name), textOf(value)]];
    }),
  );
  return (key) => values.get(key);
}

/**
 * The stack's configuration of this package: the engine passes it to every plugin, and merges it with the arguments
 * of no provider.
 */
export function stackConfiguration({ PULUMI_CONFIG: text = "{}" }: NodeJS.ProcessEnv): Properties {
  try {
    return mapOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The configuration with its secrets marked, so that the state holds none in plain text. */
export const checkedConfiguration = (newInputs: Properties): Properties =>
  Object.fromEntries(
    Object.entries(newInputs).map(([name, value]) => [
      name,
      isSecretName(name) && !isMap(value) ? asSecret(value) : value,
    ]),
  );

/**
 * What is wrong with the arguments that a program gives a provider. What is wrong with their values, each resource's
 * check says.
 */
export function argumentFailures(request: CheckRequest): readonly string[] {
  // The project may be called datapipes: then its own configuration has the same namespace as the settings.
  if (!isDeclaredProvider(partsOf(request.getUrn()).name)) return [];
  return Object.keys(propertiesOf(request.getNews()))
    .filter((name) => !known.includes(name))
    .map((name) => `${printable(name)} ${unknownName(name, SETTING_NAMES)}`);
}

/** Some versions of the engine pass these along. */
const known: readonly string[] = [...SETTING_NAMES, "version", "pluginDownloadURL"];

const isSecretName = (name: string): boolean =>
  (SETTINGS as Readonly<Record<string, Setting<unknown>>>)[name]?.secret === true;

/** Programs in other languages may give a number or a boolean. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
