import { SECRET_NAMES } from "../../../provider/src/api/secret-names";
import { fieldsOf, leafFields, type Field } from "../../../provider/src/core/fields";
import { valueAt } from "../../../provider/src/core/property-value";
import { pipeFields, pipeSchema } from "../../../provider/src/resources/pipe/schema";
import { complete } from "../../../testkit/pipes";
import { CONTRACT, SECRET_PATHS, type Row } from "./contract-table";

/** Every field and every member of a field, elements of lists marked with `[]`. */
function rowsOf(fields: readonly Field[], prefix = ""): Row[] {
  return fields.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    const row: Row = [path, field.type, field.onChange, flagsOf(field)];
    const list = field.type.startsWith("list");
    const inside = rowsOf(field.members ?? field.elements ?? [], `${path}${list ? "[]" : ""}.`);
    return [row, ...inside];
  });
}

function flagsOf(field: Field): string {
  const flags = [
    field.required && "required",
    field.secret && "secret",
    field.writeOnly && "write-only",
    field.variant && "variant",
    field.unordered && "set",
    field.identity.length > 0 && `by ${field.identity.join("+")}`,
  ];
  return flags.filter((flag) => typeof flag === "string").join(" ");
}

const rows = rowsOf(fieldsOf(pipeSchema, SECRET_NAMES));

test("a pipe has the fields of the contract and no other, in its order", () => {
  expect(rows.map(([path]) => path)).toEqual(CONTRACT.map(([path]) => path));
});

test.each(CONTRACT)("%s is a %s whose change means %s, and is: %s", (path, ...expected) => {
  const row = rows.find(([name]) => name === path);
  expect(row?.slice(1)).toEqual(expected);
});

test("exactly the values under credentials, accessKey and connectionString are secret", () => {
  const secret = rows.filter(([, , , flags]) => flags.split(" ").includes("secret")).map(([path]) => path);
  expect(secret).toEqual(SECRET_PATHS);
});

test("the names of secrets are the contract's", () => {
  const secret = ["accessKey", "connectionString", "credentials", "ConnectionString", "connection_string"];
  for (const name of [...secret, "saslPassword", "secretKey"]) expect(SECRET_NAMES.has(name)).toBe(true);
  for (const name of ["username", "accessKeyId", "url", "topics"]) expect(SECRET_NAMES.has(name)).toBe(false);
});

test("the complete pipes of the tests set every field of the API", () => {
  const ofPipe = leafFields(pipeFields).filter(({ path: [name = ""] }) => name in complete.kafka);
  const unset = ofPipe.filter(({ path }) =>
    Object.values(complete).every((pipe) => valueAt(pipe, path) === undefined),
  );
  expect(unset.map(({ displayPath }) => displayPath)).toEqual([]);
});

test("the path of a member is its path in the properties", () => {
  const paths = (fields: readonly Field[]): string[] =>
    fields.flatMap((field) => [field.path.join("."), ...paths(field.members ?? [])]);
  const top = paths(fieldsOf(pipeSchema, SECRET_NAMES));
  expect(top).toContain("source.kafka.offset.timestamp");
  expect(top).toContain("destination.tableDefinition.engine.columnIds");
  expect(new Set(top).size).toBe(top.length);
});
