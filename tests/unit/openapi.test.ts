import { pipeBody, pipeSettings } from "../../provider/src/api/wire";
import { leafFields } from "../../provider/src/lifecycle/comparison/fields";
import { DEFINITION, operationsOf, type Schema } from "../../simulator/src/definition";
import { RESOURCES } from "../../scripts/reference/catalogue";

type Fields = Readonly<Record<string, { readonly writeOnly: boolean }>>;

const operations = operationsOf(DEFINITION);
const leavesOf = (type: string) => leafFields(RESOURCES.find((each) => each.type === type)?.fields ?? []);

/** A field of a body under the name that it has in a program. */
const nameOf = (field: string): string =>
  field.replace(/To(Add|Remove)$/, "").replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** What a body can have, by path, down to the fields that the provider knows. */
function fieldsIn({ properties = {} }: Schema, known: Fields, at = ""): Fields {
  const fields = Object.entries(properties).map(([name, { writeOnly = false, ...inner }]) => {
    const path = `${at}${nameOf(name)}`;
    return path in known || inner.properties === undefined
      ? { [path]: { writeOnly } }
      : fieldsIn(inner, known, `${path}.`);
  });
  return Object.assign({}, ...fields) as Fields;
}

/** The operations of the definitions, each with a resource whose fields it sends. */
const SENDING = RESOURCES.flatMap(({ type, update = "" }) => [
  { type, operation: `create${type}`, onChanges: ["update", "replace", "sentAlong"] },
  { type, operation: update, onChanges: ["update", "sentAlong"] },
]).filter(({ operation }) => operation in operations);

test.each([...new Set(SENDING.map(({ operation }) => operation))])(
  "the fields that resources send with %s are those of the API document",
  (operation) => {
    const leaves = SENDING.filter((each) => each.operation === operation).flatMap(({ type, onChanges }) =>
      leavesOf(type).filter(
        ({ name, onChange }) => onChanges.includes(onChange) && !/^(organization|service)Id$/.test(name),
      ),
    );
    const fields = Object.fromEntries(leaves.map(({ path, writeOnly }) => [path.join("."), { writeOnly }]));
    // A service answers with endpoints, but in a form that the provider does not read.
    if (operation === "updateService") fields["endpoints"] = { writeOnly: false };
    expect(fields).not.toEqual({});
    expect(fieldsIn(operations[operation as keyof typeof operations].body ?? {}, fields)).toEqual(fields);
  },
);

test("every resource sends its fields with an operation", () => {
  expect(new Set(SENDING.map(({ type }) => type))).toEqual(new Set(RESOURCES.map(({ type }) => type)));
});

test("a request has the API document's names of settings, and an answer has ours", () => {
  const settings = leavesOf("Pipe").filter(({ path }) => path[0] === "settings");
  const ours = Object.fromEntries(settings.map(({ name }) => [name, 1]));
  const documented = operations.createPipe.body?.properties?.["settings"]?.properties ?? {};
  const sent = pipeBody({ settings: ours })["settings"];
  expect(Object.keys(sent as object).sort()).toEqual(Object.keys(documented).sort());
  expect(pipeSettings(sent, { serviceId: "" })).toEqual(ours);
  expect(settings).toHaveLength(12);
});
