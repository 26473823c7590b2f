import { nearestName } from "../messages/unknown-name";
import { configurationKey, SETTING_NAMES } from "./settings";

const KEYS = SETTING_NAMES.map(configurationKey);

/**
 * The keys of a stack's configuration in the namespace of the settings that are no settings. None in a project of the
 * name `datapipes`, whose own configuration has the same namespace.
 */
export function unknownSettings(keys: readonly string[], project: string | undefined) {
  if (project === "datapipes") return [];
  const unknown = keys.filter((key) => key.startsWith("datapipes:") && !KEYS.includes(key));
  return unknown.map((key) => {
    const nearest = nearestName(key, KEYS);
    const known = nearest === undefined ? `the settings are ${KEYS.join(", ")}` : `did you mean ${nearest}?`;
    return { key, problem: `${key} is not a setting; ${known}` };
  });
}
