import { isList, valueAt, type PropertyMap, type PropertyValue } from "../../lifecycle/property-value";
import type { StoredResource } from "../../lifecycle/definition";
import { kindOfSource, loadsOf, sameLoads } from "../../resources/pipe/loads";
import { mayLoad } from "../../resources/pipe/states";
import type { ServiceScope } from "../../settings/settings";
import { idKey } from "../../values/uuid";

/** A pipe of a list, as `--json` prints it. */
export interface ListedStatus {
  readonly id: string;
  readonly name: string;
  readonly serviceId: string;
  readonly state: string;
  readonly kind: string;
  /** With its database; several of a Postgres source. */
  readonly table: string;
  /** The URN of the resource that manages the pipe. */
  readonly resource?: string;
  /** The ids of the pipes that read the same source into the same table. */
  readonly duplicates: readonly string[];
}

/** The pipes of a service. */
export interface List {
  readonly scope: ServiceScope;
  readonly pipes: readonly PropertyMap[];
}

/** The pipes of the lists, and which resources of the stack manage them. */
export function listedPipes(
  lists: readonly List[],
  managed: readonly StoredResource[],
): readonly ListedStatus[] {
  const managers = new Map(managed.map(({ id, urn }) => [idKey(id), urn]));
  return lists.flatMap(({ scope: { serviceId }, pipes }) => {
    const all = pipes.map((pipe) => ({
      pipe,
      id: textOf(pipe["id"]),
      loads: mayLoad(pipe["state"]) ? loadsOf(pipe, serviceId) : [],
    }));
    return all.toSorted(byName).map((one) => {
      const { pipe, id, loads } = one;
      const resource = managers.get(idKey(id));
      const same = sameLoads(loads, all, (other) => other.loads).filter((other) => other !== one);
      return {
        ...{ id, name: textOf(pipe["name"]), serviceId, state: textOf(pipe["state"]) },
        ...{ kind: kindOfSource(pipe["source"]).kind ?? "unknown", table: tableOf(pipe) },
        ...(resource !== undefined && { resource }),
        duplicates: same.map((other) => other.id),
      };
    });
  });
}

interface Named {
  readonly pipe: PropertyMap;
  readonly id: string;
}

const byName = (one: Named, other: Named): number => (nameKey(one) < nameKey(other) ? -1 : 1);
const nameKey = ({ pipe, id }: Named): string => `${textOf(pipe["name"]).toLowerCase()} ${id}`;

const textOf = (value: PropertyValue): string => (typeof value === "string" ? value : "unknown");

function tableOf({ source, destination }: PropertyMap): string {
  const [database, table] = ["database", "table"].map((name) => valueAt(destination, [name]));
  const mappings = valueAt(source, ["postgres", "tableMappings"]);
  const targets = isList(mappings) ? mappings.map((mapping) => valueAt(mapping, ["targetTable"])) : [];
  const names = typeof table === "string" && table !== "" ? [table] : targets;
  const start = typeof database === "string" && database !== "" ? `${database}.` : "";
  return names
    .filter((name) => typeof name === "string")
    .map((name) => `${start}${name}`)
    .join(", ");
}
