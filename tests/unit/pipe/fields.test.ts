import { SECRET_NAMES } from "../../../provider/src/api/secrets/secret-names";
import { leafFields, type Field } from "../../../provider/src/lifecycle/comparison/fields";
import { valueAt } from "../../../provider/src/lifecycle/comparison/property-value";
import { pipeFields } from "../../../provider/src/resources/pipe/schema";
import { changesOf, pipeFieldTable, KINDS, type PipeField } from "../../kit/pipe-fields";
import { complete } from "../../kit/pipes";

/** Every field and every member of a field, elements of lists marked with `[]`. */
function contractOf(fields: readonly Field[], prefix = ""): PipeField[] {
  return fields.flatMap((field) => {
    const { type, onChange, identity } = field;
    const path = `${prefix}${field.name}`;
    const within = type.startsWith("list") ? `${path}[].` : `${path}.`;
    const own = {
      path,
      type,
      onChange,
      ...(field.required && { isRequired: true }),
      ...(field.secret && { isSecret: true }),
      ...(field.writeOnly && { isWriteOnly: true }),
      ...(field.variant && { isVariant: true }),
      ...(field.unordered && { isSet: true }),
      ...(identity.length > 0 && { identity }),
    };
    return [own, ...contractOf(field.members ?? field.elements ?? [], within)];
  });
}

test("a pipe has the fields of the contract in its order, each with its type and its change", () => {
  const contract = pipeFieldTable.map(({ value: _value, changed: _changed, ...field }) => field);
  expect(contractOf(pipeFields)).toEqual(contract);
});

test("the cases change each field that is compared as a whole", () => {
  const changed = new Set(KINDS.flatMap(changesOf).map(({ path }) => path));
  expect(new Set(leafFields(pipeFields).map(({ displayPath }) => displayPath))).toEqual(changed);
});

test("the complete pipes of the tests set every field of the API", () => {
  for (const { kind, path, onChange } of KINDS.flatMap(changesOf)) {
    const isSet = !["name", "organizationId", "serviceId"].includes(path) && onChange !== "providerOnly";
    const found = valueAt(complete[kind], path.split(".")) !== undefined;
    expect({ path, isSet: found }).toEqual({ path, isSet });
  }
});

test("the names of secrets are the contract's", () => {
  const secret = ["accessKey", "connectionString", "credentials", "ConnectionString", "connection_string"];
  for (const name of [...secret, "saslPassword", "secretKey"]) expect(SECRET_NAMES.has(name)).toBe(true);
  for (const name of ["username", "accessKeyId", "url", "topics"]) expect(SECRET_NAMES.has(name)).toBe(false);
});
