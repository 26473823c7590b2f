import schema from "../../plugin/schema.json";
import { examplesOf } from "../../tools/reference/plugin-schema/examples";
import { languagesOf, placesOf } from "../../tools/reference/plugin-schema/languages";
import { VERSION } from "../../provider/src/version";
import { RESOURCES } from "../../tools/reference/catalogue";

interface Property {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Property;
  readonly additionalProperties?: Property;
  readonly description?: string;
}

interface Named {
  readonly type?: string;
  readonly enum?: readonly { readonly name: string; readonly value: string }[];
  readonly properties?: Readonly<Record<string, Property>>;
  readonly inputProperties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
  readonly requiredInputs?: readonly string[];
}

const nameOf = (token: string): string => token.slice(token.lastIndexOf(":") + 1);
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const byName = (entries: object): [string, Named][] =>
  Object.entries(entries).map(([token, named]) => [nameOf(token), named as Named]);

const types = byName(schema.types);
const resources = byName(schema.resources);
const functions = Object.keys(schema.functions).map(nameOf);
const enums = types.filter(([, type]) => type.enum !== undefined).map(([name]) => name);

/** Each property with the class that has it. */
const properties = [...types, ...resources].flatMap(([owner, { properties = {}, inputProperties = {} }]) =>
  Object.entries({ ...properties, ...inputProperties }).map(([name, property]) => ({
    owner,
    name,
    property,
  })),
);

/** Words that no property or parameter can be called, in one of the languages; SDKs would give them other names. */
const RESERVED = new Set(
  (
    "abstract as assert async await base bool break byte case catch char checked class const continue decimal def default del delegate do double elif " +
    "else enum event except explicit extends extern false final finally fixed float for foreach from func global go goto if implements implicit import in " +
    "instanceof int interface internal is lambda lock long map namespace native new nonlocal null object operator or out override package params pass private " +
    "protected public raise range readonly record ref return sbyte sealed select short sizeof stackalloc static strictfp string struct super switch " +
    "synchronized this throw throws transient true try typeof uint ulong unchecked unsafe ushort using var virtual void volatile while with yield"
  ).split(" "),
);

/** Members that every resource or every object of an SDK has: those of Pulumi's resources, of C#'s `object` and of Java's `Object`. */
const INHERITED = new Set(
  "urn provider version pulumi equals toString hashCode getHashCode getType getClass notify notifyAll wait clone finalize builder".split(
    " ",
  ),
);

/** Classes that generated code of C# and Java names without their package. */
const IMPORTED = new Set(
  (
    "Object String Integer Double Boolean Number List Map Optional Objects Override Output Input Import Export Resource ResourceType CustomResource " +
    "CustomType Utilities Config Provider ProviderArgs InvokeArgs InvokeOptions Union Json Task Enum EnumType Type System Pulumi Datapipes"
  ).split(" "),
);

test("no property has a name that a language reserves or that every resource has", () => {
  expect(
    properties.map(({ name }) => name).filter((name) => RESERVED.has(name) || INHERITED.has(name)),
  ).toEqual([]);
  const own = resources.flatMap(([, { properties = {} }]) => Object.keys(properties));
  expect(own).not.toContain("id");
});

test("C# allows no member with the name of its class, and Java none that differs from another in case only", () => {
  expect(properties.filter(({ owner, name }) => pascal(name) === owner)).toEqual([]);
  for (const [, { properties = {} }] of [...types, ...resources]) {
    const folded = Object.keys(properties).map((name) => name.toLowerCase());
    expect(new Set(folded).size).toBe(folded.length);
  }
});

test("no two classes of an SDK have one name, with the endings that generators add", () => {
  // Resources and functions: arguments and results. Types: arguments. Go also has pointers, lists, maps, inputs and outputs of each.
  const endings = [
    "Args",
    "State",
    "Result",
    "Input",
    "Output",
    "Ptr",
    "Array",
    "Map",
    "PtrInput",
    "PtrOutput",
    "Invoke",
  ];
  const classes = [...types, ...resources].map(([name]) => name).concat(functions.map(pascal));
  expect(new Set(classes.map((name) => name.toLowerCase())).size).toBe(classes.length);
  const derived = new Set(classes.flatMap((name) => endings.map((ending) => `${name}${ending}`)));
  expect(classes.filter((name) => derived.has(name) || IMPORTED.has(name))).toEqual([]);
});

test("values of enums are identifiers, differ from the name of their enum, and no enum has the name of a resource", () => {
  for (const [name, { enum: values = [] }] of types)
    for (const value of values) {
      expect(value.name).toMatch(/^[A-Z][A-Za-z0-9]*$/);
      expect([name, "Equals", "ToString", "GetHashCode", "Value"]).not.toContain(value.name);
    }
  expect(enums.filter((name) => resources.some(([resource]) => resource === name))).toEqual([]);
});

test("names are nouns in one form: types begin with a capital, properties do not, and only functions begin with get", () => {
  for (const [name] of [...types, ...resources]) expect(name).toMatch(/^(?!Get)([A-Z][a-z0-9]+)+$/);
  for (const { name } of properties) expect(name).toMatch(/^[a-z][a-z0-9]*([A-Z][a-z0-9]+)*$/);
  for (const name of functions) expect(name).toMatch(/^get[A-Z]/);
});

test("what may be larger than 32 bits is a number, and credentials and keys have one type each", () => {
  const large = properties.filter(({ name }) => /(bytes|timestamp)$/i.test(name));
  expect(large.filter(({ property }) => property.type === "integer")).toEqual([]);
  const refs = (ending: string): unknown[] => [
    ...new Set(properties.filter(({ name }) => name === ending).map(({ property }) => property.$ref)),
  ];
  expect([refs("credentials"), refs("accessKey"), refs("deletionPolicy")]).toEqual([
    ["#/types/datapipes:index:Credentials"],
    ["#/types/datapipes:index:AccessKey"],
    ["#/types/datapipes:index:DeletionPolicy"],
  ]);
});

test("the schema has no defaults, which an SDK would write into the inputs of a stack that moves here", () => {
  expect(properties.filter(({ property }) => "default" in property)).toEqual([]);
});

/** All descriptions, without the examples. */
function descriptionsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    name === "description" && typeof member === "string"
      ? [member.replace(/\{\{% examples %\}\}[^]*/, "")]
      : descriptionsIn(member),
  );
}

test("descriptions suit every language", () => {
  const onlyTypeScript =
    /DatapipesError|\bmocks?\b|\{@|pulumi\.(Input|Output)|\bundefined\b|TypeScript|\]\(|`"|delete\[retain\]|transform\b|new datapipes/;
  const descriptions = descriptionsIn(schema);
  expect(descriptions.length).toBeGreaterThan(150);
  expect(descriptions.filter((text) => onlyTypeScript.test(text))).toEqual([]);
  expect(properties.filter(({ property }) => (property.description ?? "") === "")).toEqual([]);
});

/** The names in a value that its type does not have, and the required ones that the value lacks. */
function mistakesIn(value: unknown, spec: Property, place: string): string[] {
  if (typeof value === "string" && value.startsWith("${")) return [];
  if (spec.$ref !== undefined) {
    const found = types.find(([name]) => name === nameOf(spec.$ref ?? ""));
    if (found === undefined) return [];
    const [, named] = found;
    if (named.enum !== undefined)
      return named.enum.some((one) => one.value === value) ? [] : [`${place}: ${String(value)}`];
    return membersOf(value, named.properties ?? {}, named.required ?? [], place);
  }
  if (spec.type === "array")
    return Array.isArray(value)
      ? value.flatMap((element, index) => mistakesIn(element, spec.items ?? {}, `${place}[${index}]`))
      : [`${place} is no list`];
  const expected = spec.type === "integer" ? "number" : spec.type;
  return typeof value === expected ? [] : [`${place} is a ${typeof value}`];
}

function membersOf(
  value: unknown,
  known: Readonly<Record<string, Property>>,
  required: readonly string[],
  place: string,
): string[] {
  const given = value as Record<string, unknown>;
  const missing = required.filter((name) => !(name in given)).map((name) => `${place}.${name} is missing`);
  return Object.entries(given).reduce((mistakes, [name, member]) => {
    const property = known[name];
    const path = `${place}.${name}`;
    return [
      ...mistakes,
      ...(property === undefined ? [`${path} is unknown`] : mistakesIn(member, property, path)),
    ];
  }, missing);
}

test.each(RESOURCES.map(({ type }) => type))(
  "the examples of %s fit the schema, and its description holds them",
  async (type) => {
    const spec = schema.resources[`datapipes:index:${type}` as keyof typeof schema.resources];
    const examples = await examplesOf(type);
    expect(examples.length).toBeGreaterThan(0);
    for (const { title, yaml, program } of examples) {
      expect(title).toMatch(/^[A-Z][^.]+$/);
      expect(spec.description).toContain(`### ${title}`);
      expect(spec.description).toContain(yaml);
      for (const resource of Object.values(program.resources)) {
        expect(resource.type).toBe(`datapipes:${type}`);
        expect(
          membersOf(resource.properties, spec.inputProperties, (spec as Named).requiredInputs ?? [], type),
        ).toEqual([]);
      }
    }
    expect(
      mistakesIn({ kafka: { broker: 1 } }, { $ref: "#/types/datapipes:index:PipeSource" }, "source"),
    ).toContain("source.kafka.broker is unknown");
  },
);

test("the address of the repository says where Pulumi finds the plugin; without an address nothing does", () => {
  expect(placesOf(undefined)).toEqual({});
  expect(languagesOf(undefined).go).not.toHaveProperty("importBasePath");
  const url = "https://github.com/example/pipes";
  expect(placesOf(url)).toEqual({
    homepage: `${url}#readme`,
    repository: url,
    publisher: "example",
    pluginDownloadURL: "github://api.github.com/example/pipes",
  });
  expect(languagesOf(url).go).toMatchObject({ importBasePath: "github.com/example/pipes/sdk/go/datapipes" });
  expect(schema.version).toBe(VERSION);
});
