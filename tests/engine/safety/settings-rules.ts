import { entriesOf } from "./observation";
import { entries, type Place } from "./program";
import type { Action, SettingsRow } from "./rows";
import type { Observation } from "./stack-of-rows";

/** Actions after which the old entries belong to the same resource, which removes those that are no longer declared. */
const inPlace: readonly Action[] = ["unchanged", "renamed-with-alias", "moved-with-alias", "provider-added"];

/** Actions after which the engine has another resource of the same name. */
const replacing: readonly Action[] = ["replaced", "replace-flag", "replace-on-changes", "defaults-changed"];

/** The rules that a run broke for the settings of a service. */
export function violationsOfSettings(
  row: SettingsRow,
  place: Place,
  { after, requests }: Observation,
  version: 2 | 3,
): string[] {
  const isQuiet = version === 3 || (row.action === "unchanged" && row.entries === "same");
  return Object.entries(expectedEntries(row, place)).flatMap(([id, wanted]) => {
    const present = after.services.get(id) ?? [];
    const writes = requests.filter(
      ({ method, path }) => method !== "GET" && path.endsWith(`/services/${id}`),
    );
    return [
      ...wanted.filter((entry) => !present.includes(entry)).map((entry) => `"${entry}" is missing`),
      ...present.filter((entry) => !wanted.includes(entry)).map((entry) => `"${entry}" is still there`),
      ...(isQuiet ? writes.map(({ method, body }) => `sent ${method} ${JSON.stringify(body)}`) : []),
    ];
  });
}

/** The entries that each service of the row has at the end. */
function expectedEntries(row: SettingsRow, { serviceId, otherServiceId }: Place): Record<string, string[]> {
  const { action, stored, next, exclusive } = row;
  const others = exclusive ? [] : entriesOf(entries.others);
  const declared = entriesOf(entries[row.entries === "changed" ? "changed" : "first"]);
  // As for pipes: the policy "retain" of the state holds with --replace, which the provider does not see.
  const retains = action === "replace-flag" && stored === "retain";
  const policy = replacing.includes(action) && !retains ? next : stored;
  const kept = policy === "retain" ? entriesOf(entries.first) : [];
  if (action === "removed") return { [serviceId]: [...others, ...kept] };
  if (action === "replaced" || action === "defaults-changed")
    return { [serviceId]: [...others, ...kept], [otherServiceId]: [...others, ...declared] };
  const left = inPlace.includes(action) || exclusive ? [] : kept;
  return { [serviceId]: [...others, ...left, ...declared] };
}
