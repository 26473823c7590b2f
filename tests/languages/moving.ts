import type { StoredResource } from "../kit/deployment";
import type { JsonObject } from "../kit/json";
import { declaration, outputs } from "../kit/program";
import { hostFolder, plugins, sdkVariable } from "../kit/sdk";
import type { Simulator } from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";
import { rewrite, type YamlProgram } from "./yaml";

/** The forms of one program: classes of dynamic resources, generated classes of the native plugin, YAML. */
export type Form = "dynamic" | "sdk" | "yaml";

export interface Declaration {
  readonly type: "Pipe" | "ReversePrivateEndpoint" | "ServiceSettings";
  readonly args: JsonObject;
  /** The resource is a child of the component `group`. A program in YAML has no components. */
  readonly inComponent?: boolean;
  /** The resource has the explicit provider `eu`. */
  readonly inEu?: boolean;
  readonly protect?: boolean;
}

export interface MovableProgram {
  readonly resources: Readonly<Record<string, Declaration>>;
  /** The arguments of the explicit provider `eu`, if the program has one. */
  readonly eu?: JsonObject;
  /** The name of a pipe whose id is the output `found`, by the function `getPipe`. */
  readonly find?: string;
}

const PROJECT = "datapipes-test";
const GROUP = "test:index:Group";

/** The URN of a dynamic resource in the component, as a user copies it from `pulumi stack --show-urns`. */
const urnInComponent = (type: string, name: string): string =>
  `urn:pulumi:dev::${PROJECT}::${GROUP}$pulumi-nodejs:dynamic/datapipes:${type}::${name}`;

function resourceInYaml(name: string, { type, args, inComponent, inEu, protect }: Declaration) {
  const options: Record<string, unknown> = { protect };
  if (inEu) options["provider"] = "${eu}";
  if (inComponent) options["aliases"] = [urnInComponent(type, name)];
  return { type: `datapipes:${type}`, properties: args, options };
}

function inYaml({ resources, eu, find }: MovableProgram): YamlProgram {
  const declared: Record<string, object> = {};
  if (eu !== undefined) declared["eu"] = { type: "pulumi:providers:datapipes", properties: eu };
  for (const [name, declaration] of Object.entries(resources))
    declared[name] = resourceInYaml(name, declaration);
  if (find === undefined) return { resources: declared };
  const call = { function: "datapipes:getPipe", arguments: { name: find }, return: "id" };
  return { resources: declared, outputs: { found: { "fn::invoke": call } } };
}

/** What the options of a resource in the component `group` say. */
const IN_GROUP = `parent: new pulumi.ComponentResource("${GROUP}", "group"), aliases: [{ parent: pulumi.rootStackResource, type: "datapipes:index:Pipe" }]`;

function resourceInNode(name: string, { type, args, inComponent, inEu, protect = false }: Declaration) {
  const options = [`protect: ${protect}`];
  if (inEu) options.push("provider: eu");
  if (inComponent) options.push(IN_GROUP);
  return declaration(type, name, args, `{ ${options.join(", ")} }`);
}

function nodeText({ resources, eu, find }: MovableProgram, form: "dynamic" | "sdk"): string {
  const imported = form === "dynamic" ? "pulumi-datapipes" : (process.env[sdkVariable] ?? "");
  const lines = [
    'const pulumi = require("@pulumi/pulumi");',
    `const datapipes = require(${JSON.stringify(imported)});`,
  ];
  if (eu !== undefined) lines.push(`const eu = ${declaration("Provider", "eu", eu)};`);
  for (const [name, each] of Object.entries(resources)) lines.push(resourceInNode(name, each));
  const found = `datapipes.getPipeOutput({ name: ${JSON.stringify(find)} }).id`;
  if (find !== undefined) lines.push(outputs({ found }));
  return lines.join(";\n");
}

/** Makes the program of a stack one in this form. Its project names the plugin in every form, as on the way back. */
export async function writeForm(stack: TestStack, form: Form, program: MovableProgram): Promise<void> {
  if (form === "yaml") return rewrite(stack, inYaml(program));
  await stack.writeFile("Pulumi.yaml", JSON.stringify({ name: PROJECT, runtime: "nodejs", plugins }));
  await stack.writeFile("index.js", nodeText(program, form));
}

export async function newMovableStack(
  simulator: Simulator,
  form: Form,
  program: MovableProgram,
): Promise<TestStack> {
  const stack = await newStack({ simulator, path: [await hostFolder("yaml")] });
  await writeForm(stack, form, program);
  return stack;
}

/** What a preview plans for other resources than the stack, sorted: `update Pipe::orders`. */
export async function plannedSteps(stack: TestStack): Promise<string[]> {
  const { stdout } = await stack.preview({ json: true });
  const { steps } = JSON.parse(stdout) as { steps: { op: string; urn: string }[] };
  return steps
    .filter(({ op }) => op !== "same")
    .map(({ op, urn }) => `${op} ${urn.replace(/.*(?:[:$/])([\w-]+::[^:]+)$/, "$1")}`)
    .sort();
}

/** What the state has of each resource of this package, by its logical name. */
export async function stored<T>(stack: TestStack, partOf: (resource: StoredResource) => T) {
  const { resources } = await stack.export();
  const own = resources.filter(({ type }) => /^(pulumi-nodejs:dynamic\/)?datapipes:/.test(type));
  return Object.fromEntries(own.map((each) => [each.urn.slice(each.urn.lastIndexOf(":") + 1), partOf(each)]));
}

export const idsOf = (stack: TestStack) => stored(stack, ({ id }) => id);
