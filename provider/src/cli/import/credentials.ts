import type { Field } from "../../lifecycle/comparison/fields";
import { isMap, valueAt } from "../../lifecycle/comparison/property-value";
import { upperFirst } from "../upper-first";
import { Expression, textCode, type Printed } from "./printer";
import { SECRET_FIELDS, type ImportedPipe } from "./resources";

/** A secret field of a pipe that the program declares as values of the configuration. */
export interface Credential {
  readonly path: readonly string[];
  readonly value: Printed;
  /** The keys of the configuration that the value reads. */
  readonly keys: readonly string[];
}

/** The credentials that a pipe of its kind reads with, and that an update can set, each with keys of its own. */
export const credentialsOf = (pipe: ImportedPipe): readonly Credential[] =>
  SECRET_FIELDS.filter((field) => field.onChange === "update" && isUsed(field, pipe)).map(
    ({ name, path, elements }) => {
      const keyOf = (member: string): string => `${pipe.prefix}${upperFirst(member)}`;
      const valueOf = (member: string): Expression =>
        new Expression(`config.requireSecret(${textCode(keyOf(member))})`);
      if (elements === undefined) return { path, value: valueOf(name), keys: [keyOf(name)] };
      const members = elements.map((member) => member.name);
      const value = Object.fromEntries(members.map((member) => [member, valueOf(member)]));
      return { path, value, keys: members.map(keyOf) };
    },
  );

/** A pipe with a role needs none, and a container has a connection string in place of a key. */
function isUsed(field: Field, { args, returned }: ImportedPipe): boolean {
  const parent = valueAt(args, field.path.slice(0, -1));
  if (!isMap(parent)) return false;
  if (returned.includes(field)) return true;
  const isContainer =
    parent["azureContainerName"] !== undefined || returned.some(({ name }) => name === "connectionString");
  if (field.name === "connectionString") return isContainer;
  return parent["iamRole"] === undefined && !(field.name === "accessKey" && isContainer);
}
