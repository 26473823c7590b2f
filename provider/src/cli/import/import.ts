import { groupBy } from "es-toolkit/array";
import { memoize } from "es-toolkit/function";
import path from "node:path";
import type { PropertyMap } from "../../lifecycle/property-value";
import { describeFailure } from "../../lifecycle/validation";
import { printable, printableJson } from "../../messages/printable";
import { Run } from "../../run/run";
import type { Output } from "../output";
import { readStackConfiguration } from "../stack-configuration";
import { credentialsOf } from "./credentials";
import { requireAbsent, writeFiles } from "./files";
import { constantsOf, list, select, servicesOf, type PipeWithoutId } from "./listed";
import { namesOf, UniqueNames, variableNames } from "./names";
import { hasReadableName } from "./readable";
import { declaredCredentials, IMPORT_FIRST, programOf, SET_SECRET } from "./program";
import {
  importEntry,
  importPipe,
  isImported,
  isSkipped,
  type ImportedPipe,
  type SkippedPipe,
} from "./resources";

/** The options of `datapipes import`. */
export interface ImportOptions {
  readonly out: string;
  readonly service?: readonly string[];
  readonly organization?: string;
  readonly only?: readonly string[];
  readonly mode: "import" | "adopt";
  readonly withCredentials: boolean;
  readonly stack?: string;
  readonly force: boolean;
  readonly json: boolean;
}

const PROGRAM = "index.ts";
const IMPORT_FILE = "import.json";
const filesOf = ({ mode }: ImportOptions): readonly string[] =>
  mode === "import" ? [PROGRAM, IMPORT_FILE] : [PROGRAM];
/** How many pipes are written between two lines of progress. */
const PROGRESS_STEP = 250;
/** How many pipes a warning about several of them names. */
const MAX_NAMES = 3;

/** Writes the files of `datapipes import`, and prints what it wrote. */
export async function importPipes(options: ImportOptions, output: Output): Promise<void> {
  if (!options.force) requireAbsent(options.out, filesOf(options));
  const configuration = await readStackConfiguration(options.stack);
  await importFrom(
    runOf((key) => configuration.get(key)?.value, output),
    options,
    output,
  );
}

/** Writes the files from the answers to a run. */
export async function importFrom(run: Run, options: ImportOptions, output: Output): Promise<void> {
  const files = filesOf(options);
  const say = (line: string): void => {
    run.log(line);
  };
  const services = servicesOf(run, options);
  const { found, withoutId } = await list(run, services, say);
  // Many pipes have the same texts.
  const hasSecret = memoize(
    run.trackSecrets([
      ...found.flatMap(({ pipe, returned }) => [pipe, returned]),
      ...withoutId.map(({ returned }) => returned),
    ]),
  );
  const selected = select(found, options.only ?? [], say);
  const variables = variableNames();
  const names = namesOf(
    found.map(({ pipe }) => pipe),
    variables,
  );
  for (const { pipe, returned } of selected)
    if (!hasReadableName(returned))
      say(
        `warning: pipe ${shown(pipe.name)} (${pipe.id}): its name has control characters or invisible ones; the program has it without them.`,
      );
  const constants = constantsOf(run, services, variables);
  const lifecycle = run.lifecycle("Pipe");
  const results = selected.map(({ pipe, returned, serviceId }) => {
    const declared: PropertyMap = { organizationId: services.organizationId, serviceId };
    const { variable, logicalName } = names.get(pipe.id) ?? { variable: "pipe", logicalName: "pipe" };
    const place = { serviceId, declared, hasSecret, returned };
    return importPipe(lifecycle, pipe, place, { variable, logicalName });
  });
  const skipped = withoutId.map((pipe) => skippedWithoutId(pipe, hasSecret));
  const result = await write([...results, ...skipped], { options, constants, variables, files, say });
  output.result(options.json ? `${printableJson(result)}\n` : textOf(result, options.mode));
}

/** A run whose lines are the progress of a command. `read` returns the text of a setting. */
export function runOf(read: (key: string) => string | undefined, { progress }: Output): Run {
  const say = (line: string): void => {
    progress(`${line}\n`);
  };
  const output = {
    log: say,
    warn: (line: string) => {
      say(`warning: ${line}`);
    },
  };
  // The program must say what the service has: see `readablePipe`.
  return new Run(output, { read }, { clean: (text) => text });
}

/** Such a pipe is in no program: its id would be a part of names, paths and commands. */
function skippedWithoutId(
  { serviceId, returned: { id, name } }: PipeWithoutId,
  hasSecret: (text: string) => boolean,
): SkippedPipe {
  const shown = (text: unknown): string =>
    typeof text === "string" ? (hasSecret(text) ? "[secret]" : printable(text)) : "";
  return { id: shown(id), name: shown(name), serviceId, reason: "its id is not a UUID" };
}

/** What `--json` prints. */
interface Result {
  readonly files: readonly string[];
  readonly pipes: readonly Pick<ImportedPipe, "id" | "name" | "serviceId" | "variable">[];
  readonly skipped: readonly SkippedPipe[];
  readonly commands: readonly string[];
}

interface Writing {
  readonly options: ImportOptions;
  readonly constants: ReadonlyMap<string, string>;
  readonly variables: UniqueNames;
  readonly files: readonly string[];
  readonly say: (line: string) => void;
}

async function write(
  results: readonly (ImportedPipe | SkippedPipe)[],
  { options, constants, variables, files, say }: Writing,
): Promise<Result> {
  const skipped = results.filter(isSkipped);
  const pipes = results.filter(isImported);
  report(skipped, pipes, say);
  if (pipes.length === 0) return { files: [], pipes: [], skipped, commands: [] };
  const keys = new UniqueNames();
  const credentials = new Map(pipes.map((pipe) => [pipe.id, credentialsOf(pipe, keys)]));
  const declared = declaredCredentials({ ...options, credentials });
  const commands = commandsOf(
    options,
    declared.flatMap((credential) => credential.keys),
  );
  const written = (count: number): void => {
    if (count % PROGRESS_STEP === 0) say(`Wrote ${count} of ${pipes.length} pipes.`);
  };
  const program = await programOf(pipes, {
    ...options,
    constants,
    variables,
    credentials,
    commands,
    written,
  });
  const texts: Record<string, string> = { [PROGRAM]: program, [IMPORT_FILE]: importFileOf(pipes) };
  await writeFiles(options.out, Object.fromEntries(files.map((name) => [name, texts[name] ?? ""])), options);
  return {
    files: files.map((name) => path.join(options.out, name)),
    pipes: pipes.map(({ id, name, serviceId, variable }) => ({ id, name, serviceId, variable })),
    skipped,
    commands,
  };
}

/** Says which pipes and which values the program does not have. */
function report(
  skipped: readonly SkippedPipe[],
  pipes: readonly ImportedPipe[],
  say: (line: string) => void,
): void {
  for (const { id, name, reason } of skipped)
    say(`Skipped pipe ${shown(name)} (${id}): ${printable(reason)}.`);
  const undeclared = pipes.flatMap((pipe) => pipe.undeclared.map((failure) => ({ pipe, failure })));
  // A field that one version of a service added is in all of its pipes.
  for (const [problem, found] of Object.entries(
    groupBy(undeclared, ({ failure }) => describeFailure(failure)),
  ))
    say(
      `warning: ${pipesInWords(found.map(({ pipe }) => pipe))}: ${printable(problem)}. The program does not declare it.`,
    );
  if (pipes.length === 0) say("There is no pipe to write, so no file was written.");
}

function pipesInWords(pipes: readonly ImportedPipe[]): string {
  const names = pipes.slice(0, MAX_NAMES).map(({ id, name }) => `${shown(name)} (${id})`);
  const others = pipes.length - names.length;
  return `pipe${pipes.length === 1 ? "" : "s"} ${names.join(", ")}${others === 0 ? "" : ` and ${others} more`}`;
}

const importFileOf = (pipes: readonly ImportedPipe[]): string =>
  `${JSON.stringify({ resources: pipes.map(importEntry) }, undefined, 2)}\n`;

const shown = (name: unknown): string => JSON.stringify(printable(String(name)));

/** The commands that come next. */
function commandsOf(
  { mode, out, stack, withCredentials }: ImportOptions,
  keys: readonly string[],
): readonly string[] {
  const flags = stack === undefined ? "" : ` --stack ${quoted(stack)}`;
  const secrets = keys.map((key) => `${SET_SECRET} ${key}${flags}`);
  if (mode === "adopt") return [...secrets, `pulumi up${flags}`];
  const file = quoted(path.join(out, IMPORT_FILE));
  const preview =
    withCredentials && keys.length > 0 ? "pulumi preview" : "pulumi preview --expect-no-changes";
  return [
    `pulumi import --file ${file} --generate-code=false --yes${flags}`,
    ...secrets,
    `${preview}${flags}`,
  ];
}

const quoted = (text: string): string =>
  /^[\w./@:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The program of the project declares the pipes of another folder only if it imports that file. */
function importStep([program = PROGRAM]: readonly string[]): string {
  const file = path.relative(process.cwd(), program).replaceAll(path.sep, "/").replace(/\.ts$/, "");
  if (!file.includes("/")) return "";
  return `  add \`import "${file.startsWith("..") ? "" : "./"}${file}";\` to the program of this project\n`;
}

function textOf({ files, pipes, commands }: Result, mode: ImportOptions["mode"]): string {
  if (files.length === 0) return "";
  const services = new Set(pipes.map(({ serviceId }) => serviceId)).size;
  const what = `${pipes.length === 1 ? "1 pipe" : `${pipes.length} pipes`}${services > 1 ? ` of ${services} services` : ""}`;
  return `Wrote ${files.join(" and ")}: ${what}.\n\nNext:\n${importStep(files)}${commands.map((command) => `  ${command}\n`).join("")}${mode === "import" ? `\n${IMPORT_FIRST}\n` : ""}`;
}
