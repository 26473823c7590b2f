import { withValues, type JsonObject } from "../../kit/json";
import { intoTable } from "../../kit/pipes";

/** A resource of a program, with the options that the rules of deletion depend on. */
export interface Declaration {
  readonly kind: "Pipe" | "ReversePrivateEndpoint";
  readonly name: string;
  readonly args: JsonObject;
  readonly options?: Options;
}

export interface Options {
  /** Inside of a component. */
  readonly moved?: boolean;
  /** With the explicit provider. */
  readonly provided?: boolean;
  /** The logical name before. */
  readonly formerName?: string;
  /** Outside of the component before. */
  readonly formerlyOutside?: boolean;
  /** The logical name of an earlier declaration. */
  readonly dependsOn?: string;
}

/** A pipe with a table of its own, which is also its name; `more` are values by their dotted paths. */
export const pipe = (
  name: string,
  table: string,
  more: JsonObject = {},
  options: Options = {},
): Declaration => ({
  kind: "Pipe",
  name,
  args: withValues(intoTable(table), { name: table, ...more }),
  options,
});

/** The text of a program with these resources. The component and the explicit provider exist only where they are used. */
export const programOf = (declarations: readonly Declaration[]): string => `
const declarations = ${JSON.stringify(declarations)};
const uses = (option) => declarations.some(({ options = {} }) => options[option]);
const group = uses("moved") ? new pulumi.ComponentResource("test:index:Group", "group") : undefined;
const provider = uses("provided") ? new datapipes.Provider("explicit") : undefined;
const declared = {};
for (const { kind, name, args, options = {} } of declarations) {
  const former = { ...(options.formerName && { name: options.formerName }),
    ...(options.formerlyOutside && { parent: pulumi.rootStackResource }) };
  declared[name] = new datapipes[kind](name, args, {
    ...(options.moved && { parent: group }),
    ...(options.provided && { provider }),
    ...(options.dependsOn && { dependsOn: [declared[options.dependsOn]] }),
    ...(Object.keys(former).length > 0 && { aliases: [former] }),
  });
}`;
