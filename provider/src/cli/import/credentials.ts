import { upperFirst } from "es-toolkit/string";
import type { Field } from "../../lifecycle/fields";
import { isMap, valueAt } from "../../lifecycle/property-value";
import type { UniqueNames } from "./names";
import { SECRET_FIELDS, type ImportedPipe } from "./resources";

/** A secret field of a pipe that the program can declare. */
export interface Credential {
  readonly name: string;
  readonly path: readonly string[];
  /** Whether an update can set it. A change of the others replaces the pipe. */
  readonly isUpdatable: boolean;
  /** Whether the API returned it all the same. */
  readonly isReturned: boolean;
  /** The keys of the configuration with its values. */
  readonly keys: readonly string[];
  /** The expression that reads it from the configuration. */
  readonly code: string;
}

/** The secret fields that a pipe of this kind reads with. A pipe with a role needs none. */
export const credentialsOf = (pipe: ImportedPipe, keys: UniqueNames): readonly Credential[] =>
  SECRET_FIELDS.filter((field) => isUsed(field, pipe)).map((field) => credentialOf(field, pipe, keys));

function isUsed(field: Field, { args, returned }: ImportedPipe): boolean {
  const parent = valueAt(args, field.path.slice(0, -1));
  if (!isMap(parent)) return false;
  if (returned.includes(field)) return true;
  const isContainer =
    parent["azureContainerName"] !== undefined || returned.some(({ name }) => name === "connectionString");
  if (field.name === "connectionString") return isContainer;
  return parent["iamRole"] === undefined && !(field.name === "accessKey" && isContainer);
}

function credentialOf(field: Field, { variable, returned }: ImportedPipe, taken: UniqueNames): Credential {
  const { name, path, onChange, elements } = field;
  const members = elements?.map((member) => member.name) ?? [];
  const prefix = [variable, ...path.slice(2, -1).map(upperFirst)].join("");
  const keys = (members.length === 0 ? [name] : members).map((member) =>
    taken.take(`${prefix}${upperFirst(member)}`),
  );
  const values = keys.map((key) => `config.requireSecret(${JSON.stringify(key)})`);
  const code =
    members.length === 0
      ? values.join("")
      : `{ ${members.map((member, index) => `${member}: ${values[index] ?? ""}`).join(", ")} }`;
  return { name, path, isUpdatable: onChange === "update", isReturned: returned.includes(field), keys, code };
}
