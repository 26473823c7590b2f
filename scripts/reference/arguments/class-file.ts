import type { Field } from "../../../provider/src/lifecycle/comparison/fields";
import type { Described } from "../catalogue";
import type { Comment, Declarations } from "../declarations";
import { doc, outputComment } from "./comments";
import { isList, typeOf, uncapitalized } from "./types";

/** The file of a resource's class, whose outputs and texts come from its schema. */
export function classFile(resource: Described, schemas: Declarations, shared: Declarations): string {
  const { type } = resource;
  const { names, outputs } = outputsOf(resource, schemas);
  const said = schemas.commentOf(`${uncapitalized(type)}Schema`);
  if (said === undefined) throw new Error(`the schema of ${type} has no doc comment`);
  return `// \`npm run reference\` makes this file from the schema of the resource and the comments in it.
import type * as pulumi from "@pulumi/pulumi";
import { DatapipesResource, idToRead, isResourceOfType } from "../datapipes-resource";
import { typeToken } from "../../lifecycle/state/resource-key";
${importsOf([...names].sort(), shared)}

${doc(said.text, [], "").join("\n")}
export class ${type} extends DatapipesResource {
  /** The type token, by which policies find the resource: \`validateResourceOfType(datapipes.${type}, …)\`. */
  public static readonly __pulumiType = typeToken("${type}");

${outputs.join("\n")}

${membersOf(resource)}

  /** Whether a value is such a resource, of any copy of this package. */
  public static override isInstance(value: unknown): value is ${type} {
    return isResourceOfType(value, "${type}");
  }
}
`;
}

/** The constructor and the static members of a class. */
function membersOf({ type, folder, fields, defaulted, isReadable }: Described): string {
  const what = folder.replaceAll("-", " ");
  const readId = isReadable ? `; it is an error when the service has no ${what} with it` : "";
  const readArgs = isReadable
    ? "`organizationId` and `serviceId`, where configuration does not give them"
    : "what is known of the resource: the API has no way to read it, so the outputs are these arguments";
  const also = defaulted.includes("name")
    ? `, and the name of the ${what} unless \`args.name\` says another`
    : "";
  const given = fields.some(({ required }) => required) ? `args as ${type}Args` : "args";
  return `  /**
   * Declares the resource.
   *
   * @param name logical name of the resource${also}
   * @param args the ${what} that the program declares
   * @param opts Pulumi's resource options, but not \`import\`
   */
  constructor(name: string, args: ${type}Args, opts?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, given?: object | null, options?: pulumi.CustomResourceOptions | null) {
    super("${type}", name, given, options);
  }

  /**
   * Reads what exists and is not managed by this stack.
   *
   * @param name logical name in this program
   * @param id the id${readId}
   * @param args ${readArgs}
   * @param opts options of the resource
   */
  public static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    args: Partial<${type}Args> = {},
    opts?: pulumi.CustomResourceOptions,
  ): ${type} {
    return new ${type}(name, ${given}, { ...opts, id: idToRead("${type}", name, id) });
  }`;
}

/** The declarations of the outputs of a class, and the names of their types. */
function outputsOf({ type, fields, computed, defaulted }: Described, schemas: Declarations) {
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
  return { names, outputs: [...mirrored, ...own] };
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
