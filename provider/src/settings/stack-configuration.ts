import { nearestName } from "../messages/unknown-name";
import { configurationKey, SETTING_NAMES } from "./settings";

/** What is wrong with a key secret that the stack's configuration holds unencrypted. */
export const PLAIN_SECRET =
  "datapipes:apiKeySecret is set as plain text: the stack's configuration and history hold it unencrypted.";

/** What programs and plugins say of it at each run. */
export const plainSecretWarning =
  `${PLAIN_SECRET} Encrypt it with \`pulumi config set --secret ` + `datapipes:apiKeySecret\`.`;

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
