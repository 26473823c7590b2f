import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import ts from "typescript";
import { spreadOf, type Spread } from "./statistics";
import { VariantStack, type Sample } from "./variant-stack";
import { VARIANT, type VariantName } from "./variants";

/** A way to run a program. */
interface Form {
  /** What it is, for tables. */
  readonly title: string;
  readonly provider: VariantName;
  readonly program: string;
  readonly isCompiled: boolean;
  /** The option of `Pulumi.yaml`. @default true */
  readonly typescript?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

const ARGUMENTS = `{
  name: "orders",
  source: { kafka: { brokers: "kafka:9092", topics: "orders" } },
  destination: { database: "default", table: "orders", columns: [{ name: "id", type: "UInt64" }] },
  fieldMappings: [{ sourceField: "$.id", destinationField: "id" }],
}`;
const OURS = `import { Pipe } from "pulumi-datapipes";\nnew Pipe("orders", ${ARGUMENTS});\n`;
const NATIVE = `import * as pulumi from "@pulumi/pulumi";\nnew pulumi.CustomResource("datapipes:index:Pipe", "orders", ${ARGUMENTS});\n`;

const CACHE = { NODE_COMPILE_CACHE: path.join(tmpdir(), "datapipes-bench-cache") };
const TRANSPILE = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
const SOURCE = { provider: "ours", program: OURS, isCompiled: false } as const;
const COMPILED = { ...SOURCE, isCompiled: true };
const PLAIN = { ...COMPILED, typescript: false };

/** The ways that the guide compares, and a program that starts no plugin. */
export const FORMS = {
  checked: { ...SOURCE, title: "TypeScript, the default" },
  checkedCached: { ...SOURCE, title: "the same with `NODE_COMPILE_CACHE`", env: CACHE },
  transpiled: { ...SOURCE, title: "TypeScript without a type-check", env: TRANSPILE },
  transpiledCached: {
    ...SOURCE,
    title: "the same with `NODE_COMPILE_CACHE`",
    env: { ...TRANSPILE, ...CACHE },
  },
  compiled: { ...COMPILED, title: "compiled before" },
  plain: { ...PLAIN, title: "compiled before, with `typescript: false`" },
  plainCached: { ...PLAIN, title: "the same with `NODE_COMPILE_CACHE`", env: CACHE },
  native: { ...PLAIN, title: "compiled before, with the native plugin", provider: "native", program: NATIVE },
  empty: { ...PLAIN, title: "compiled before, without a resource", program: "" },
} as const satisfies Record<string, Form>;

/** The name of a way. */
export type FormName = keyof typeof FORMS;
const NAMES = Object.keys(FORMS) as readonly FormName[];

/** The processes of a run: what is neither the program nor the plugin is the CLI with its hosts. */
export type OnePipe = Readonly<
  Record<FormName, Readonly<Record<"all" | "program" | "plugin", Spread | undefined>>>
>;

const ROUNDS = 9;

/** Measures what previews of one unchanged pipe cost, in ms of CPU. */
export async function measureOnePipe(rounds = ROUNDS): Promise<OnePipe> {
  const stacks = new Map<FormName, VariantStack>();
  for (const name of NAMES) stacks.set(name, await deployed(FORMS[name]));
  const samples = new Map(NAMES.map((name): [FormName, Sample[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, variant] of stacks) samples.get(name)?.push(await preview(variant, FORMS[name]));
  return Object.fromEntries([...samples].map(([name, all]) => [name, costOf(all)])) as OnePipe;
}

async function deployed(form: Form): Promise<VariantStack> {
  const variant = await VariantStack.start(form.provider);
  const { stack } = variant;
  const main = form.isCompiled ? "main/index.js" : "main/index.ts";
  await mkdir(path.join(stack.project, "main"));
  await stack.writeFile(main, form.isCompiled ? compiled(form.program) : form.program);
  await stack.writeFile("main/package.json", JSON.stringify({ name: "one-pipe", main: path.basename(main) }));
  await stack.writeFile("main/tsconfig.json", JSON.stringify({ compilerOptions: OPTIONS }));
  const runtime = { name: "nodejs", options: { typescript: form.typescript ?? true } };
  const plugins = { providers: VARIANT[form.provider].plugin.providers };
  // JSON is YAML, too.
  await stack.writeFile(
    "Pulumi.yaml",
    JSON.stringify({ name: "datapipes-test", runtime, main: "main", plugins }),
  );
  await stack.up();
  await preview(variant, form);
  return variant;
}

const preview = (variant: VariantStack, { env = {} }: Form): Promise<Sample> =>
  variant.measure((options) => variant.stack.preview({ ...options, expectNoChanges: true }), { env });

/** As in the project that `pulumi new` makes. */
const OPTIONS = { target: "es2022", module: "nodenext", strict: true, skipLibCheck: true };

const compiled = (program: string): string =>
  ts.transpileModule(program, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  }).outputText;

const costOf = (samples: readonly Sample[]): OnePipe[FormName] => ({
  all: spreadOf(samples.map(({ allCpuMs }) => allCpuMs)),
  program: spreadOf(samples.map(({ program }) => program?.cpuMs)),
  plugin: spreadOf(samples.map(({ plugin }) => plugin?.cpuMs)),
});
