import { belongsTo, entriesOf, type Observation, type Snapshot } from "./observation";
import { entries, type Place } from "./program";
import type { Action, SettingsRow } from "./rows";
import { remainingSteps } from "./pipe-rules";

/** Entries that another client added to the service before. */
export const othersEntries = {
  ipAccessList: [{ source: "192.0.2.1", description: "theirs" }],
  privateEndpointIds: ["theirs-1"],
};

/** Actions after which the old entries belong to the same resource, which removes those that are no longer declared. */
const inPlace: readonly Action[] = ["unchanged", "renamed-with-alias", "moved-with-alias", "provider-added"];

/** Actions after which the engine has another resource of the same name. */
const replacing: readonly Action[] = ["replaced", "replace-flag", "replace-on-changes", "defaults-changed"];

/** The rules that a run broke for the settings of a service. */
export function violationsOfSettings(
  row: SettingsRow,
  place: Place,
  run: Observation,
  version: 2 | 3,
): string[] {
  const expected = expectedEntries(row, place);
  const errors = [...run.errors].filter(([name]) => belongsTo(row, name));
  const held = run.after.holders.filter(({ name }) => belongsTo(row, name)).length;
  const quiet = version === 3 || (row.action === "unchanged" && row.entries === "same");
  return [
    ...errors.map(([, error]) => `failed: ${error}`),
    ...(held === (row.action === "removed" ? 0 : 1) ? [] : [`the state has ${held} resources of the row`]),
    ...[...expected].flatMap(([id, wanted]) => differences(wanted, run.after, id)),
    ...(quiet ? writesTo([...expected.keys()], run) : []),
    ...remainingSteps(run.next.steps, (name) => belongsTo(row, name)),
  ];
}

/** The entries that each service of the row has at the end. */
function expectedEntries(row: SettingsRow, place: Place): Map<string, Set<string>> {
  const leaves = row.action === "replaced" || row.action === "defaults-changed";
  const others = row.exclusive ? [] : entriesOf(othersEntries);
  const old = entriesOf(entries.first);
  const declared = entriesOf(row.entries === "changed" ? entries.changed : entries.first);
  // As for pipes: the policy "retain" of the state holds with --replace, which the provider does not see.
  const retains = row.action === "replace-flag" && row.stored === "retain";
  const policy = replacing.includes(row.action) && !retains ? row.next : row.stored;
  const kept = policy === "retain" ? old : [];
  if (row.action === "removed") return new Map([[place.serviceId, new Set([...others, ...kept])]]);
  if (leaves) {
    return new Map([
      [place.serviceId, new Set([...others, ...kept])],
      [place.otherServiceId, new Set([...others, ...declared])],
    ]);
  }
  const left = inPlace.includes(row.action) || row.exclusive ? [] : kept;
  return new Map([[place.serviceId, new Set([...others, ...left, ...declared])]]);
}

function differences(wanted: ReadonlySet<string>, after: Snapshot, id: string): string[] {
  const present = after.services.get(id) ?? [];
  return [
    ...[...wanted].filter((entry) => !present.includes(entry)).map((entry) => `"${entry}" is missing`),
    ...present.filter((entry) => !wanted.has(entry)).map((entry) => `"${entry}" is still there`),
  ];
}

const writesTo = (services: readonly string[], { requests }: Observation): string[] =>
  requests
    .filter(({ method, path }) => method !== "GET" && services.some((id) => path.endsWith(`/services/${id}`)))
    .map(({ method, body }) => `sent ${method} ${JSON.stringify(body)}`);
