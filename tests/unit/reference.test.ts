import schema from "../../plugin/schema.json";
import type { OnChange } from "../../provider/src/lifecycle/comparison/field-schema";
import { leafFields } from "../../provider/src/lifecycle/comparison/fields";
import { RESOURCES } from "../../scripts/reference/catalogue";
import { textOf } from "../../scripts/made-files";
import { declarationsOf } from "../../scripts/reference/sources";

/** What a doc comment says of a change. */
const WORDINGS: Record<OnChange, RegExp> = {
  replace: /\ba change( of any part)? replaces\b/i,
  update: /\bchanged in place\b/i,
  sentAlong: /\bsent along\b/i,
  providerOnly: /\bnever sent\b/i,
};

test.each(RESOURCES)(
  "the doc comments of $type describe changes as the schema does, and name every secret",
  async (resource) => {
    const declarations = await declarationsOf(resource);
    const fields = leafFields(resource.fields);
    const said = fields.map(({ path }) => {
      const text = declarations.commentAt(`${resource.type}Args`, path)?.text ?? "";
      const onChange = Object.entries(WORDINGS).flatMap(([is, wording]) => (wording.test(text) ? [is] : []));
      return { path: path.join("."), onChange, secret: /\bsecret\b/i.test(text) };
    });
    expect(said).toEqual(
      fields.map(({ path, onChange, secret }) => ({ path: path.join("."), onChange: [onChange], secret })),
    );
  },
);

test.each(RESOURCES)("$type has a line in README and a place in golden states", async ({ type, folder }) => {
  expect(await textOf("README.md")).toContain(`(docs/reference/${folder}.md)`);
  expect(await textOf("tests/golden/program.ts")).toContain(`new datapipes.${type}(`);
});

interface Property {
  readonly type?: string;
}

interface Named {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly inputProperties?: Readonly<Record<string, Property>>;
}

const nameOf = (token: string): string => token.slice(token.lastIndexOf(":") + 1);
const byName = (entries: object): [string, Named][] =>
  Object.entries(entries).map(([token, named]) => [nameOf(token), named as Named]);

const types = byName(schema.types);
const resources = byName(schema.resources);
const classes = [...types, ...resources];

/** Each property with the class that has it. */
const properties = classes.flatMap(([owner, { properties = {}, inputProperties = {} }]) =>
  Object.entries({ ...properties, ...inputProperties }).map(([name, property]) => ({
    owner,
    name,
    property,
  })),
);

const namesIn = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that no property or parameter can be called, in one of the languages; SDKs would give them other names. */
const RESERVED = namesIn(`
  abstract as assert async await base bool break byte case catch char checked class const continue decimal def default del delegate do double elif
  else enum event except explicit extends extern false final finally fixed float for foreach from func global go goto if implements implicit import in
  instanceof int interface internal is lambda lock long map namespace native new nonlocal null object operator or out override package params pass
  private protected public raise range readonly record ref return sbyte sealed select short sizeof stackalloc static strictfp string struct super
  switch synchronized this throw throws transient true try typeof uint ulong unchecked unsafe ushort using var virtual void volatile while with yield`);

/** Members that every resource or every object of an SDK has: those of Pulumi's resources, of C#'s `object` and of Java's `Object`. */
const INHERITED = namesIn(
  "urn provider version pulumi equals toString hashCode getHashCode getType getClass notify notifyAll wait clone finalize builder",
);

/** Whether the SDKs could not have such a property. */
type Refused = (property: (typeof properties)[number]) => boolean;

test.each<[what: string, isRefused: Refused]>([
  ["has a name that a language reserves", ({ name }) => RESERVED.has(name)],
  ["has a name that every resource has", ({ name }) => INHERITED.has(name)],
  // What may be larger than 32 bits is a number.
  ["is too large", ({ name, property: { type } }) => /(bytes|timestamp)$/i.test(name) && type === "integer"],
  [
    "has a default, which an SDK would write into inputs of a moved stack",
    ({ property }) => "default" in property,
  ],
])("no property %s", (_, isRefused) => {
  expect(properties.filter(isRefused).map(({ owner, name }) => `${owner}.${name}`)).toEqual([]);
});

test("no resource has an output with the name `id`, which every resource has", () => {
  expect(resources.filter(([, { properties = {} }]) => "id" in properties)).toEqual([]);
});
