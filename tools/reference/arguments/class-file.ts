import type { Field } from "../../../provider/src/lifecycle/fields";
import type { Described } from "../catalogue";
import type { Comment, Declarations } from "../declarations";
import { doc, outputComment } from "./comments";
import { isList, typeOf, uncapitalized } from "./types";

/** The parts of the class of a resource that its schema says: the outputs, and the imports of their types. */
export function classBlocks(
  { type, fields, computed, defaulted }: Described,
  schemas: Declarations,
  shared: Declarations,
): ReadonlyMap<string, string> {
  const names = new Set([`${type}Args`]);
  const [inputs, outputs] = ["Schema", "Outputs"].map((kind) => `${uncapitalized(type)}${kind}`);
  const lineOf = (
    root = "",
    field: Field,
    comment: (said: Comment) => readonly string[],
    may: string,
  ): string => {
    const said = schemas.commentAt(root, [field.name]);
    if (said === undefined) throw new Error(`${root}: ${field.name} has no doc comment`);
    const { text, name } = typeOf(schemas, root, field, [field.name]);
    if (name !== undefined) names.add(name);
    const unwrapped = name?.endsWith("Args") === true ? `pulumi.Unwrap<${text}>` : text;
    const output = `pulumi.Output<${unwrapped}${isList(field) ? "[]" : ""}${may}>`;
    return [...comment(said), `  declare public readonly ${field.name}: ${output};`].join("\n");
  };
  const mirrored = fields.map((field) => {
    const always = field.required || defaulted.includes(field.name);
    return lineOf(inputs, field, outputComment, always ? "" : " | undefined");
  });
  const own = computed.map((field) => lineOf(outputs, field, ({ text }) => doc(text), ""));
  return new Map([
    ["outputs", [...mirrored, ...own].join("\n")],
    ["imports", importsOf([...names].sort(), shared)],
  ]);
}

function importsOf(names: readonly string[], shared: Declarations): string {
  const isShared = (name: string): boolean => shared.commentOf(uncapitalized(name)) !== undefined;
  const importing = (of: readonly string[], file: string): string[] =>
    of.length === 0 ? [] : [`import type { ${of.join(", ")} } from "${file}";`];
  return [
    ...importing(names.filter(isShared), "../argument-types"),
    ...importing(
      names.filter((name) => !isShared(name)),
      "./args",
    ),
  ].join("\n");
}
