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

test("the schema has each field of the kit's table, in its order, with its type and its change", () => {
  const contract = pipeFieldTable.map(({ value: _value, changed: _changed, ...field }) => field);
  expect(contractOf(pipeFields)).toEqual(contract);
});

test("the kit's table has another value for each field that is compared as a whole", () => {
  const changed = new Set(KINDS.flatMap(changesOf).map(({ path }) => path));
  expect(new Set(leafFields(pipeFields).map(({ displayPath }) => displayPath))).toEqual(changed);
});

test("the complete pipes of the kit leave out only the name, the service and provider fields", () => {
  const missing = KINDS.flatMap(changesOf)
    .filter(({ kind, path }) => valueAt(complete[kind], path.split(".")) === undefined)
    .map(({ path }) => path);
  const ofProvider = ["adopt", "deletionPolicy", "replacementPolicy", "waitFor"];
  expect([...new Set(missing)]).toEqual(["organizationId", "serviceId", "name", ...ofProvider]);
});

test.each(["accessKey", "credentials", "saslPassword", "secretKey"])("a field named %s is secret", (name) => {
  expect(SECRET_NAMES.has(name)).toBe(true);
});

test.each(["connectionString", "ConnectionString", "connection_string"])(
  "a field in the spelling %s is secret",
  (name) => {
    expect(SECRET_NAMES.has(name)).toBe(true);
  },
);

test.each(["username", "accessKeyId", "url", "topics"])("a field named %s is not secret", (name) => {
  expect(SECRET_NAMES.has(name)).toBe(false);
});
