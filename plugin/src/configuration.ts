import type { ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import { asSecret, withoutSecretMark, type Properties } from "../../provider/src/core/engine-values";
import { isMap, mapMembers } from "../../provider/src/core/property-value";
import {
  configurationKey,
  SETTINGS,
  type GivenSettings,
  type SettingName,
  type Setting,
} from "../../provider/src/settings";
import { readUrn } from "./resource-urn";
import { propertiesOf } from "./struct";

/** The names that the engine gives to providers that the program does not declare. */
const DEFAULT_PROVIDER = /^default(_|$)/;

/** The settings that the engine passes, and which of them are arguments of a provider in the program. */
export function configurationOf(request: ConfigureRequest): {
  readonly read: (key: string) => string | undefined;
  readonly given: GivenSettings | undefined;
} {
  // The engine marks secrets here, also for a plugin that accepts none in properties of resources.
  const args = mapMembers(propertiesOf(request.getArgs()), withoutSecretMark);
  const provider = request.getName() ?? readUrn(request.getUrn() ?? "").name;
  const values = new Map(
    names.flatMap((name) => (args[name] === undefined ? [] : [[configurationKey(name), textOf(args[name])]])),
  );
  const isDeclared = provider !== "" && !DEFAULT_PROVIDER.test(provider);
  const ofStack = stackConfiguration();
  return {
    read: (key) => values.get(key) ?? ofStack[key],
    given: isDeclared ? { provider, names: names.filter((name) => args[name] !== undefined) } : undefined,
  };
}

/**
 * The stack's configuration. A provider that the program declares gets none of it in its settings, but the engine passes it to each
 * plugin in the environment.
 */
function stackConfiguration(): Readonly<Record<string, string | undefined>> {
  const config = JSON.parse(process.env["PULUMI_CONFIG"] ?? "{}") as Record<string, string>;
  return Object.fromEntries(names.map((name) => [configurationKey(name), config[name]]));
}

/** The configuration with its secrets marked, so that the state holds none in plain text. */
export const checkedConfiguration = (news: Properties): Properties =>
  Object.fromEntries(
    Object.entries(news).map(([name, value]) => [
      name,
      isSecretName(name) && !isMap(value) ? asSecret(value) : value,
    ]),
  );

const names = Object.keys(SETTINGS) as readonly SettingName[];

const isSecretName = (name: string): boolean =>
  (SETTINGS as Readonly<Record<string, Setting<unknown>>>)[name]?.secret === true;

/** Programs in other languages may give a number or a boolean. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
