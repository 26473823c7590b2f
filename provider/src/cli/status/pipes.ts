import {
  isList,
  valueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/comparison/property-value";
import type { StoredResource } from "../../lifecycle/program/stack";
import { kindOfSource, loadsOf, overlap } from "../../resources/pipe/loads";
import { mayLoad } from "../../resources/pipe/states";
import { idKey } from "../../values/uuid";

export interface ListedStatus {
  readonly id: string;
  readonly name: string;
  readonly serviceId: string;
  readonly state: string;
  readonly kind: string;
  /** With its database; several of a Postgres source. */
  readonly table: string;
  readonly resource?: string;
  /** The ids of the pipes that read the same source into the same table. */
  readonly duplicates: readonly string[];
}

export function listedPipes(
  serviceId: string,
  pipes: readonly PropertyMap[],
  managed: readonly StoredResource[],
): readonly ListedStatus[] {
  const managers = new Map(managed.map(({ id, urn }) => [idKey(id), urn]));
  const loads = pipes.map((pipe) => (mayLoad(pipe["state"]) ? loadsOf(pipe) : []));
  const statuses = pipes.map((pipe, at): ListedStatus => {
    const id = textOf(pipe["id"]);
    const resource = managers.get(idKey(id));
    const same = pipes.filter((_, other) => other !== at && overlap(loads[at] ?? [], loads[other] ?? []));
    return {
      id,
      name: textOf(pipe["name"]),
      serviceId,
      state: textOf(pipe["state"]),
      kind: kindOfSource(pipe["source"]) ?? "unknown",
      table: tableOf(pipe),
      ...(resource !== undefined && { resource }),
      duplicates: same.map((other) => textOf(other["id"])),
    };
  });
  const key = ({ name, id }: ListedStatus): string => `${name.toLowerCase()} ${id}`;
  return statuses.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

const textOf = (value: PropertyValue): string => (typeof value === "string" ? value : "unknown");

/** The table of a pipe with its database; several of a Postgres source. */
export function tableOf({ source, destination }: PropertyMap): string {
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
