import { existsSync } from "node:fs";
import path from "node:path";
import type { StoredResource } from "../../lifecycle/program/stack";
import { counted } from "../../messages/enumerated";
import { printable } from "../../messages/printable";
import { printableJson } from "../../messages/quoted";
import { partsOf } from "../../lifecycle/state/resource-key";
import { logTo, Run } from "../../run/run";
import { idKey } from "../../values/uuid";
import type { Output } from "../output";
import { readStackConfiguration } from "../stack-configuration";
import { readStackPipes } from "../stack-pipes";
import { commandsOf, IMPORT_FILE, textOf } from "./commands";
import { credentialsOf } from "./credentials";
import { requireFree, writeFiles } from "./files";
import { list, scopeOf, select, servicesOf, type FoundPipe, type AnyPipe, type Services } from "./listed";
import { namesOf } from "./names";
import { PROGRAM, programOf, type ProgramOptions } from "./program";
import { report, type SkippedPipe } from "./report";
import { importEntry, importPipe, type ImportedPipe } from "./resources";

export interface ImportOptions extends ProgramOptions {
  readonly out: string;
  readonly service?: readonly string[];
  readonly organization?: string;
  readonly only?: readonly string[];
  readonly stack?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Writes the files of `datapipes import`, and prints what it wrote. */
export async function importPipes(options: ImportOptions, output: Output): Promise<void> {
  const { force, mode, out, stack } = options;
  requireFree(out, mode === "import" ? [PROGRAM, IMPORT_FILE] : [PROGRAM], force);
  const configuration = await readStackConfiguration(stack);
  const managed = await readStackPipes(stack);
  const run = runOf((key) => configuration.get(key)?.value, output);
  await importFrom(run, options, output, managed);
}

/** A run whose lines are the progress of a command. `read` returns the text of a setting. */
export function runOf(read: (key: string) => string | undefined, { progress }: Output): Run {
  const output = logTo((line) => {
    progress(`${line}\n`);
  });
  // The program must say what the service has: so a text with control characters counts as one.
  return new Run(output, read, { clean: (text) => text });
}

/** Writes the files from the answers to a run. `managed` are the pipes of the stack. */
export async function importFrom(
  run: Run,
  options: ImportOptions,
  output: Output,
  managed: readonly StoredResource[] = [],
): Promise<void> {
  const say = (line: string): void => {
    run.log(line);
  };
  const services = servicesOf(run, options);
  const { found, withoutId } = await list(run, services, say);
  const hasSecret = run.trackSecrets([...found, ...withoutId].map(({ pipe }) => pipe));
  const skip = (each: AnyPipe, reason: string): SkippedPipe => skippedPipe(each, reason, hasSecret);
  const ids = new Set(managed.map(({ id }) => idKey(id)));
  const isManaged = ({ pipe }: FoundPipe): boolean => ids.has(idKey(pipe.id));
  const selected = select(found, options.only ?? [], say);
  if (managed.length > 0)
    say(countsOf(services, found.length + withoutId.length, found.filter(isManaged).length));
  const ofStack = selected.filter(isManaged).map((each) => skip(each, "the stack manages it already"));
  const convert = converterOf(run, services, found, managed);
  const results = selected
    .filter((each) => !isManaged(each))
    .map((each) => {
      const result = convert(each, hasSecret);
      return typeof result === "string" ? skip(each, result) : result;
    });
  // Such an ID would be a part of names, paths and commands.
  const unnamed = withoutId.map((each) => skip(each, "its ID is missing or not a UUID"));
  const unwritten = [...results.filter((result) => "reason" in result), ...unnamed];
  const pipes = results.filter((result) => "args" in result);
  report(options.only === undefined ? unwritten : [...unwritten, ...ofStack], pipes, say);
  const losesPipes = pipes.length > 0 && managed.length > 0 && existsSync(path.join(options.out, PROGRAM));
  const { files, commands } = await write(pipes, options);
  if (losesPipes) say(overwriteWarning(managed.length));
  const written = pipes.map(({ id, name, serviceId, logicalName: resource }) => {
    return { id, name, serviceId, resource };
  });
  const json = { files, pipes: written, skipped: [...unwritten, ...ofStack], commands };
  const text = textOf(files, pipes, { commands, mode: options.mode });
  output.result(options.json ? `${printableJson(json)}\n` : text);
}

const overwriteWarning = (managed: number): string =>
  `warning: ${PROGRAM} was overwritten, and does not declare what the stack manages already: ` +
  `${counted(managed, "pipe")}. Restore it, and use --out: otherwise, the next \`pulumi up\` removes ` +
  "them from the stack.";

function countsOf({ serviceIds }: Services, all: number, old: number): string {
  const where = serviceIds.length === 1 ? "the service" : `${serviceIds.length} services`;
  return `${all} in ${where}, ${old} managed, ${all - old} new.`;
}

/** Makes a pipe one of the program, with its name among all pipes of the services, or says why that cannot be. */
function converterOf(
  run: Run,
  services: Services,
  found: readonly FoundPipe[],
  managed: readonly StoredResource[],
) {
  const lifecycle = run.lifecycle("Pipe");
  const names = namesOf(
    found.map(({ pipe }) => pipe),
    managed.map(({ urn }) => partsOf(urn).name),
  );
  return ({ pipe, serviceId }: FoundPipe, hasSecret: (text: string) => boolean): ImportedPipe | string => {
    const ids = { organizationId: services.organizationId, serviceId };
    const named = names.get(pipe.id) ?? { logicalName: pipe.id, prefix: pipe.id };
    return importPipe(lifecycle, pipe, { ids, scope: scopeOf(run, services, serviceId), hasSecret }, named);
  };
}

function skippedPipe(
  { serviceId, pipe: { id, name } }: AnyPipe,
  reason: string,
  hasSecret: (text: string) => boolean,
): SkippedPipe {
  const shown = (text: unknown): string =>
    typeof text === "string" ? (hasSecret(text) ? "[secret]" : printable(text)) : "";
  return { id: shown(id), name: shown(name), serviceId, reason: shown(reason) };
}

/** Writes the files, and returns their names and the commands that come next. */
async function write(
  pipes: readonly ImportedPipe[],
  options: ImportOptions,
): Promise<{ readonly files: readonly string[]; readonly commands: readonly string[] }> {
  if (pipes.length === 0) return { files: [], commands: [] };
  const keys = options.withCredentials ? pipes.flatMap(credentialsOf).flatMap((each) => each.keys) : [];
  const importFile = `${printableJson({ resources: pipes.map(importEntry) })}\n`;
  const texts = {
    ...programOf(pipes, options),
    ...(options.mode === "import" && { [IMPORT_FILE]: importFile }),
  };
  await writeFiles(options.out, texts, options.force);
  const files = Object.keys(texts).map((name) => path.join(options.out, name));
  return { files, commands: commandsOf(options, keys) };
}
