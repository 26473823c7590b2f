import { groupBy } from "es-toolkit/array";
import { upperFirst } from "es-toolkit/string";
import type { Field } from "../../lifecycle/fields";
import { isMap, valueAt } from "../../lifecycle/property-value";
import { hostsOf, kindOf, namesOfSource } from "./hosts";
import { UniqueNames } from "./names";
import { SECRET_FIELDS, type ImportedPipe } from "./resources";

/** A secret field of a pipe that the program can declare. */
export interface Credential {
  readonly name: string;
  readonly path: readonly string[];
  /** Whether an update can set it. A change of the others replaces the pipe. */
  readonly isUpdatable: boolean;
  /** Whether the API returned it all the same. */
  readonly isReturned: boolean;
  readonly login: Login;
}

/** Values of the configuration that the pipes of one source share. */
export interface Login {
  /** What its keys begin with. */
  readonly prefix: string;
  /** The keys of the configuration with its values. */
  readonly keys: readonly string[];
  /** The expression that reads it from the configuration. */
  readonly code: string;
  /** The name of the secret field. */
  readonly field: string;
  /** Whether the expression is an object, which can be a constant. */
  readonly isObject: boolean;
  /** The ids of the pipes. */
  readonly users: ReadonlySet<string>;
}

/** Which pipes share a login: those that read from one host, or none. */
export type CredentialSharing = "per-host" | "per-pipe";

interface Use {
  readonly pipe: ImportedPipe;
  readonly field: Field;
}

type Group = readonly [Use, ...Use[]];

/** The secret fields that pipes of these kinds read with, by the ids of the pipes. A pipe with a role needs none. */
export function credentialsOf(
  pipes: readonly ImportedPipe[],
  sharing: CredentialSharing,
): ReadonlyMap<string, readonly Credential[]> {
  const uses = pipes.flatMap((pipe) =>
    SECRET_FIELDS.filter((field) => isUsed(field, pipe)).map((field) => ({ pipe, field })),
  );
  const keys = new UniqueNames();
  const found = new Map<string, Credential[]>(pipes.map(({ id }) => [id, []]));
  for (const sameField of Object.values(groupBy(uses, ({ field }) => field.displayPath))) {
    const groups = sharing === "per-pipe" ? sameField.map((use): Group => [use]) : byHost(sameField);
    const isOnly = groups.filter((group) => group.length > 1).length === 1;
    const names = { keys, sources: new UniqueNames(), isOnly };
    for (const group of groups) {
      const login = loginOf(group, names);
      for (const { pipe, field } of group) found.get(pipe.id)?.push(credentialOf(field, pipe, login));
    }
  }
  return found;
}

function isUsed(field: Field, { args, returned }: ImportedPipe): boolean {
  const parent = valueAt(args, field.path.slice(0, -1));
  if (!isMap(parent)) return false;
  if (returned.includes(field)) return true;
  const isContainer =
    parent["azureContainerName"] !== undefined || returned.some(({ name }) => name === "connectionString");
  if (field.name === "connectionString") return isContainer;
  return parent["iamRole"] === undefined && !(field.name === "accessKey" && isContainer);
}

/** Groups of which each has a host that all of its pipes are connected by: brokers of one cluster may be listed in part. */
function byHost(all: readonly Use[]): readonly Group[] {
  let groups: { readonly hosts: ReadonlySet<string>; readonly uses: Group }[] = [];
  for (const use of all) {
    const hosts = hostsOf(use.pipe.args);
    const [first, ...others] = groups.filter((group) => hosts.some((host) => group.hosts.has(host)));
    const added = [use, ...others.flatMap((group) => group.uses)] as const;
    const merged = {
      hosts: new Set([...(first?.hosts ?? []), ...others.flatMap((group) => [...group.hosts]), ...hosts]),
      uses: first === undefined ? added : ([...first.uses, ...added] as const),
    };
    groups = groups
      .filter((group) => !others.includes(group))
      .map((group) => (group === first ? merged : group));
    if (first === undefined) groups.push(merged);
  }
  return groups.map((group) => group.uses);
}

interface LoginNames {
  readonly keys: UniqueNames;
  readonly sources: UniqueNames;
  /** Whether the pipes of no other source share a login. */
  readonly isOnly: boolean;
}

function loginOf(group: Group, { keys: taken, sources, isOnly }: LoginNames): Login {
  const [{ field, pipe }] = group;
  const members = field.elements?.map((member) => member.name) ?? [];
  const kind = kindOf(pipe.args) ?? "";
  const source =
    group.length === 1 ? pipe.variable : sources.take(...namesOfSource(kind, hostsOf(pipe.args), isOnly));
  const prefix = [source, ...field.path.slice(2, -1).map(upperFirst)].join("");
  const isObject = members.length > 0;
  const keys = (isObject ? members : [field.name]).map((member) =>
    taken.take(`${prefix}${upperFirst(member)}`),
  );
  const values = keys.map((key) => `config.requireSecret(${JSON.stringify(key)})`);
  const code = isObject
    ? `{ ${members.map((member, index) => `${member}: ${values[index] ?? ""}`).join(", ")} }`
    : values.join("");
  return { prefix, keys, code, field: field.name, isObject, users: new Set(group.map((use) => use.pipe.id)) };
}

const credentialOf = (field: Field, { returned }: ImportedPipe, login: Login): Credential => ({
  name: field.name,
  path: field.path,
  isUpdatable: field.onChange === "update",
  isReturned: returned.includes(field),
  login,
});
