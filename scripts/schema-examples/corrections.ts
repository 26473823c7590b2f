import { parse } from "yaml";

/** What corrections need of Pulumi's schema. */
export interface Schema {
  readonly types: Readonly<Record<string, Named>>;
  readonly resources: Readonly<Record<string, Named>>;
}

interface Named {
  readonly properties?: Readonly<Record<string, { readonly $ref?: string }>>;
  readonly enum?: readonly { readonly name: string; readonly value: string }[];
}

type Correction = (program: string, schema: Schema) => string;

/** Corrects what Pulumi's generators get wrong in programs with this package; compilers prove the rest in `tests/languages`. */
export function corrected(language: string, program: string, yaml: string, schema: Schema): string {
  const right = (CORRECTIONS[language] ?? unchanged)(program, schema);
  return withSecrets(right, yaml).replaceAll(/ +$/gm, "").trimEnd();
}

/** The generators for C# and Java know no secret configuration. */
function withSecrets(program: string, yaml: string): string {
  const { config = {} } = parse(yaml) as { config?: Record<string, { secret?: boolean }> };
  const secrets = Object.keys(config).filter((name) => config[name]?.secret === true);
  return secrets.reduce(
    (text, name) =>
      text
        .replace(`config.Require("${name}")`, `config.RequireSecret("${name}")`)
        .replace(`config.get("${name}")`, `config.requireSecret("${name}")`),
    program,
  );
}

const unchanged: Correction = (program) => program;

const CORRECTIONS: Readonly<Record<string, Correction>> = {
  // The SDK has the name `GetPipe` for the resource.
  go: (program) =>
    program.replaceAll(/\bdatapipes\.GetPipe(Args)?\b/g, (_all, args = "") => `datapipes.LookupPipe${args}`),
  java: javaProgram,
};

/** The generator for Java imports too few classes and too many of Java's own, and writes enums as texts. */
function javaProgram(program: string, schema: Schema): string {
  const text = program.slice(program.indexOf("public class App"));
  const body = enumValues(schema).reduce(
    (all, { property, value, constant }) =>
      all.replaceAll(`.${property}("${value}")`, `.${property}(${constant})`),
    text,
  );
  const classes = new Set([...body.matchAll(/\b[A-Z]\w+/g)].map(([name]) => name));
  const places = placesOf(schema).filter(([name]) => classes.has(name));
  const imports = places.map(([name, place]) => `import com.pulumi.datapipes.${place}${name};`);
  const head = ["import com.pulumi.Context;", "import com.pulumi.Pulumi;", ...imports.sort()];
  return `${head.join("\n")}\n\n${body.replace(/\n\n( {4}\}\n\})/, "\n$1")}`;
}

/** The packages of the classes that a program can name. */
function placesOf({ types, resources }: Schema): readonly (readonly [name: string, place: string])[] {
  const resourceNames = Object.keys(resources).map(nameOf);
  return [
    ...resourceNames.flatMap((name) => [[name, ""] as const, [`${name}Args`, ""] as const]),
    ["DatapipesFunctions", ""],
    ...Object.entries(types).map(([token, type]) =>
      type.enum === undefined
        ? ([`${nameOf(token)}Args`, "inputs."] as const)
        : ([nameOf(token), "enums."] as const),
    ),
    ...["GetPipeArgs", "GetPipeSettingsArgs"].map((name) => [name, "inputs."] as const),
  ];
}

const nameOf = (token: string): string => token.slice(token.lastIndexOf(":") + 1);

/** The values of the properties that have a list of them. */
function enumValues({ types, resources }: Schema) {
  const properties = [...Object.values(types), ...Object.values(resources)].flatMap((each) =>
    Object.entries(each.properties ?? {}),
  );
  return properties.flatMap(([property, { $ref = "" }]) => {
    const token = $ref.replace("#/types/", "");
    return (types[token]?.enum ?? []).map(({ name, value }) => ({
      property,
      value,
      constant: `${nameOf(token)}.${name}`,
    }));
  });
}
