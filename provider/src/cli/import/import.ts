import { partition } from "es-toolkit/array";
import { memoize } from "es-toolkit/function";
import { pick, pickBy } from "es-toolkit/object";
import { existsSync } from "node:fs";
import path from "node:path";
import type { PropertyMap } from "../../lifecycle/property-value";
import type { StoredResource } from "../../lifecycle/definition";
import { partsOf } from "../../pulumi/resource-urn";
import { idKey } from "../../values/uuid";
import type { Lifecycle } from "../../lifecycle/lifecycle";
import { printable, printableJson } from "../../messages/printable";
import { logTo, Run } from "../../run/run";
import type { Output } from "../output";
import { readStackConfiguration } from "../stack-configuration";
import { readStackPipes } from "../stack-pipes";
import { adoptSnippet } from "./adopt-snippet";
import { commandsOf, IMPORT_FILE, textOf } from "./commands";
import { credentialsOf, type CredentialSharing } from "./credentials";
import { requireAbsent, writeFiles } from "./files";
import {
  constantsOf,
  list,
  select,
  servicesOf,
  type FoundPipe,
  type PipeWithoutId,
  type Services,
} from "./listed";
import { namesOf, variableNames, type ProgramNames, type UniqueNames } from "./names";
import { declaredLogins, PROGRAM, programOf } from "./program";
import { report, reportLeftOut, reportManaged, reportNames, type Say } from "./report";
import {
  hasCredentialInUrl,
  importEntry,
  importPipe,
  isImported,
  isSkipped,
  type ImportedPipe,
  type SkippedPipe,
} from "./resources";
import { filesFor, type Split } from "./split";
import { noUsualSettings, usualSettings, type UsualSettings } from "./usual-settings";

export interface ImportOptions {
  readonly out: string;
  readonly service?: readonly string[];
  readonly organization?: string;
  readonly only?: readonly string[];
  readonly mode: "import" | "adopt";
  readonly allFields?: boolean;
  readonly split?: Split;
  readonly withCredentials: boolean;
  readonly credentials?: CredentialSharing;
  readonly stack?: string;
  readonly force: boolean;
  readonly json: boolean;
}

/** How many pipes are written between two lines of progress. */
const PROGRESS_STEP = 250;

/** Writes the files of `datapipes import`, and prints what it wrote. */
export async function importPipes(options: ImportOptions, output: Output): Promise<void> {
  const { force, mode, out, stack } = options;
  if (!force) requireAbsent(out, mode === "import" ? [PROGRAM, IMPORT_FILE] : [PROGRAM]);
  const configuration = await readStackConfiguration(stack);
  const managed = (await readStackPipes(stack)) ?? [];
  const run = runOf((key) => configuration.get(key)?.value, output);
  const program = path.join(out, PROGRAM);
  const mayDeclareManaged = managed.length > 0 && existsSync(program);
  const files = await importFrom(run, options, output, managed);
  if (mayDeclareManaged && files.includes(program))
    run.log(
      `warning: ${program} does not declare the pipes that the stack manages (${managed.length}). Unless another file does, put the former one back, and name another folder with --out.`,
    );
}

/** Writes the files from the answers to a run, and returns their names. `managed` are the pipes of the stack. */
export async function importFrom(
  run: Run,
  options: ImportOptions,
  output: Output,
  managed: readonly StoredResource[] = [],
): Promise<readonly string[]> {
  const say: Say = (line) => {
    run.log(line);
  };
  const answers = await readServices(run, options, say);
  const [ofStack, selected] = withoutManaged(answers, options, { managed, say });
  reportNames(selected, say);
  const pipesOfServices = answers.found.map(({ pipe }) => pipe);
  const usual = options.allFields === true ? noUsualSettings : usualSettings(pipesOfServices);
  const variables = variableNames();
  const logicalNames = managed.map(({ urn }) => partsOf(urn).name);
  const names = namesOf(pipesOfServices, variables, logicalNames);
  const scopes = constantsOf(run, answers.services, variables);
  const lifecycle = run.lifecycle("Pipe");
  const results = selected.map((found) =>
    convert(found, { lifecycle, usual, scopes, ...answers, names: names.get(found.pipe.id) ?? NAMELESS }),
  );
  // Such an id would be a part of names, paths and commands.
  const withoutId = answers.withoutId.map(({ serviceId, returned }) =>
    skippedPipe({ serviceId, pipe: returned }, "its id is not a UUID", answers),
  );
  const unwritten = [...results.filter(isSkipped), ...withoutId];
  const pipes = results.filter(isImported);
  report(unwritten, pipes, say);
  if (pipes.length > 0) reportLeftOut(usual, say);
  const { files, commands } = await write(pipes, { options, scopes, variables, say });
  const json = {
    files,
    pipes: pipes.map((pipe) => pick(pipe, ["id", "name", "serviceId", "variable"])),
    skipped: [...unwritten, ...ofStack].map((pipe) => pick(pipe, ["id", "name", "serviceId", "reason"])),
    commands,
  };
  const text = (): string => textOf(files, pipes, { commands, mode: options.mode });
  output.result(options.json ? `${printableJson(json)}\n` : text());
  return files;
}

const NAMELESS: ProgramNames = { variable: "pipe", logicalName: "pipe" };

interface Answers {
  readonly services: Services;
  readonly found: readonly FoundPipe[];
  readonly withoutId: readonly PipeWithoutId[];
  readonly hasSecret: (text: string) => boolean;
}

async function readServices(run: Run, options: ImportOptions, say: Say): Promise<Answers> {
  const services = servicesOf(run, options);
  const { found, withoutId } = await list(run, services, say);
  const secrets = run.trackSecrets([
    ...found.flatMap(({ pipe, returned }) => [pipe, returned]),
    ...withoutId.map(({ returned }) => returned),
  ]);
  // Many pipes have the same texts.
  return { services, found, withoutId, hasSecret: memoize(secrets) };
}

/** The selected pipes: those that the stack has, which are skipped, and the others. */
function withoutManaged(
  answers: Answers,
  { only }: ImportOptions,
  { managed, say }: { readonly managed: readonly StoredResource[]; readonly say: Say },
): readonly [readonly SkippedPipe[], readonly FoundPipe[]] {
  const { found, withoutId, services } = answers;
  const ids = new Set(managed.map(({ id }) => idKey(id)));
  const isManaged = ({ pipe }: FoundPipe): boolean => ids.has(idKey(pipe.id));
  const [ofStack, selected] = partition([...select(found, only ?? [], say)], isManaged);
  const skipped = ofStack.map((each) => skippedPipe(each, "the stack manages it already", answers));
  const counts = { found: found.length + withoutId.length, managed: found.filter(isManaged).length };
  reportManaged({ ...counts, services: services.serviceIds.length }, only === undefined ? [] : skipped, say);
  return [skipped, selected];
}

interface Conversion extends Answers {
  readonly lifecycle: Lifecycle;
  readonly usual: UsualSettings;
  readonly scopes: ReadonlyMap<string, string>;
  readonly names: ProgramNames;
}

function convert(
  { pipe, returned, serviceId }: FoundPipe,
  { lifecycle, usual, scopes, names, services, hasSecret }: Conversion,
): ImportedPipe | SkippedPipe {
  const declared: PropertyMap = { organizationId: services.organizationId, serviceId };
  const result = importPipe(lifecycle, pipe, { serviceId, declared, hasSecret, usual, returned }, names);
  if (isImported(result)) return result;
  const scope = pickBy(declared, (id) => typeof id === "string" && scopes.has(id));
  const isDeclarable = (text: string): boolean => !hasSecret(text) && !hasCredentialInUrl(text);
  const snippet = adoptSnippet(pipe, { names, scope, isDeclarable });
  return { ...result, ...(snippet !== undefined && { snippet }) };
}

/** A run whose lines are the progress of a command. `read` returns the text of a setting. */
export function runOf(read: (key: string) => string | undefined, { progress }: Output): Run {
  const output = logTo((line) => {
    progress(`${line}\n`);
  });
  // The program must say what the service has: see `readablePipe`.
  return new Run(output, { read }, { clean: (text) => text });
}

interface Unwritten {
  readonly serviceId: string;
  readonly pipe: { readonly id?: unknown; readonly name?: unknown };
}

function skippedPipe(
  { serviceId, pipe: { id, name } }: Unwritten,
  reason: string,
  { hasSecret }: Answers,
): SkippedPipe {
  const shown = (text: unknown): string =>
    typeof text === "string" ? (hasSecret(text) ? "[secret]" : printable(text)) : "";
  return { id: shown(id), name: shown(name), serviceId, reason };
}

interface Writing {
  readonly options: ImportOptions;
  readonly scopes: ReadonlyMap<string, string>;
  readonly variables: UniqueNames;
  readonly say: Say;
}

/** Writes the files, and returns their names and the commands that come next. */
async function write(
  pipes: readonly ImportedPipe[],
  { options, scopes, variables, say }: Writing,
): Promise<{ readonly files: readonly string[]; readonly commands: readonly string[] }> {
  if (pipes.length === 0) return { files: [], commands: [] };
  const credentials = credentialsOf(pipes, options.credentials ?? "per-host");
  const keys = declaredLogins({ ...options, credentials }).flatMap((login) => login.keys);
  const commands = commandsOf(options, keys);
  const written = (count: number): void => {
    if (count % PROGRESS_STEP === 0) say(`Wrote ${count} of ${pipes.length} pipes.`);
  };
  const fileOf = filesFor(options.split);
  const program = await programOf(pipes, {
    ...options,
    scopes,
    variables,
    credentials,
    commands,
    fileOf,
    written,
  });
  const texts = {
    ...program,
    ...(options.mode === "import" && { [IMPORT_FILE]: importFileOf(pipes) }),
  };
  await writeFiles(options.out, texts, options);
  return { files: Object.keys(texts).map((name) => path.join(options.out, name)), commands };
}

const importFileOf = (pipes: readonly ImportedPipe[]): string =>
  `${JSON.stringify({ resources: pipes.map(importEntry) }, undefined, 2)}\n`;
