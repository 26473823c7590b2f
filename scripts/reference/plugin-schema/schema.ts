import { SETTING_ENTRIES, type Setting } from "../../../provider/src/settings/settings";
import { VERSION } from "../../../provider/src/run/version";
import { RESOURCES, type Described } from "../catalogue";
import { Declarations } from "../declarations";
import { textOf } from "../../made-files";
import { declarationsOf, functionDeclarations } from "../sources";
import { DeclaredTypes } from "./declared-types";
import { rewritten } from "./descriptions";
import { exampleSectionOf } from "./examples";
import { importSection } from "./imports";
import { LANGUAGES } from "./languages";
import { functionsOf } from "./functions";
import { FieldTypes, PACKAGE, tokenOf, type NamedType, type PropertySpec } from "./types";

/** The schema of the package in Pulumi's schema language, from which SDKs of all languages are generated. */
export async function pluginSchema(): Promise<object> {
  const { description, license } = JSON.parse(await textOf("provider/package.json")) as Manifest;
  const resources = await Promise.all(RESOURCES.map(resourceOf));
  const { functions, types } = await functionsOf(await functionDeclarations());
  const named = onlyOnce([...resources.flatMap(({ types: own }) => own), ...types]);
  const config = await settingProperties();
  return rewritten({
    name: PACKAGE,
    displayName: "Datapipes",
    version: VERSION,
    description,
    keywords: ["pulumi", PACKAGE, "category/database", "kind/native"],
    license,
    config: { variables: config },
    provider: { description: PROVIDER, inputProperties: config },
    types: sorted([...named].map(([name, type]) => [tokenOf(name), type])),
    resources: Object.fromEntries(resources.map(({ token, spec }) => [token, spec])),
    functions,
    language: LANGUAGES,
  });
}

interface Manifest {
  readonly description: string;
  readonly license: string;
}

const PROVIDER =
  "An account of the management API, for programs with several. Settings that you leave out come from the stack's configuration, then from the environment.";

async function resourceOf(resource: Described) {
  const { type, fields, outputs, defaulted } = resource;
  const declarations = await declarationsOf(resource);
  const fieldTypes = new FieldTypes(declarations, `${type}Args`);
  const { properties: inputProperties, required: requiredInputs = [] } = fieldTypes.objectOf(fields);
  const declaredTypes = new DeclaredTypes(declarations);
  const computed = declarations
    .outputsOf(type)
    .filter(({ name }) => outputs.includes(name) && inputProperties[name] === undefined)
    .map(({ name, node, comment }): [string, PropertySpec] => [
      name,
      { ...declaredTypes.typeOf(node), description: comment.text },
    ]);
  const properties = { ...inputProperties, ...Object.fromEntries(computed) };
  return {
    token: tokenOf(type),
    types: fieldTypes.types,
    spec: {
      description: [
        declarations.commentOf(type)?.text ?? "",
        await exampleSectionOf(type),
        importSection(resource),
      ].join("\n\n"),
      inputProperties,
      // Pulumi itself writes no empty list.
      ...(requiredInputs.length > 0 && { requiredInputs }),
      properties,
      // `get` takes what a read cannot return.
      stateInputs: { type: "object", properties },
      required: [...requiredInputs, ...defaulted, ...computed.map(([name]) => name)],
      aliases: [{ type: `pulumi-nodejs:dynamic/${PACKAGE}:${type}` }],
    },
  };
}

/** Without defaults: a generated SDK would take values of the environment for arguments, and these win over the stack's configuration. */
async function settingProperties(): Promise<Readonly<Record<string, PropertySpec>>> {
  const name = "provider/src/program/provider-args.ts";
  const types = new DeclaredTypes(new Declarations([{ name, text: await textOf(name) }]));
  const { properties = {} } = types.objectOf("ProviderArgs");
  return Object.fromEntries(
    SETTING_ENTRIES.map(([name, setting]) => [
      name,
      {
        ...properties[name],
        description: describedSetting(setting),
        ...(setting.secret === true && { secret: true as const }),
      },
    ]),
  );
}

function describedSetting({ description, form, environment, ...setting }: Setting<unknown>): string {
  const otherwise = setting.default === undefined ? "" : ` Default: \`${setting.default}\`.`;
  return `${description} Format: ${form}. In the environment: \`${environment}\`.${otherwise}`;
}

/** Resources and functions share types, but no two types have one name. */
export function onlyOnce(types: readonly (readonly [string, NamedType])[]): ReadonlyMap<string, NamedType> {
  const named = new Map<string, NamedType>();
  for (const [name, type] of types) {
    if (JSON.stringify(named.get(name) ?? type) !== JSON.stringify(type))
      throw new Error(`two types of the plugin's schema have the name ${name}: rename one of them`);
    named.set(name, type);
  }
  return named;
}

const sorted = (entries: readonly (readonly [string, NamedType])[]) =>
  Object.fromEntries([...entries].sort(([a], [b]) => a.localeCompare(b)));
