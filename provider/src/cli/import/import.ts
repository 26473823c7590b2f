import path from "node:path";
import type { StoredResource } from "../../lifecycle/program/stack";
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
import { report, type Say, type SkippedPipe } from "./report";
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
  const managed = (await readStackPipes(stack)) ?? [];
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
  const say: Say = (line) => {
    run.log(line);
  };
  const answers = await readServices(run, options, say);
  const [ofStack, selected] = withoutManaged(answers, options, { managed, say });
  const results = converted(run, selected, { ...answers, managed });
  // Such an ID would be a part of names, paths and commands.
  const withoutId = answers.withoutId.map((each) =>
    skippedPipe(each, "its ID is missing or not a UUID", answers),
  );
  const unwritten = [...results.filter((result) => "reason" in result), ...withoutId];
  const pipes = results.filter((result) => "args" in result);
  report(options.only === undefined ? unwritten : [...unwritten, ...ofStack], pipes, say);
  const { files, commands } = await write(pipes, options);
  const written = pipes.map(({ id, name, serviceId, logicalName: resource }) => {
    return { id, name, serviceId, resource };
  });
  const json = { files, pipes: written, skipped: [...unwritten, ...ofStack], commands };
  const text = textOf(files, pipes, { commands, mode: options.mode });
  output.result(options.json ? `${printableJson(json)}\n` : text);
}

interface Answers {
  readonly services: Services;
  readonly found: readonly FoundPipe[];
  readonly withoutId: readonly AnyPipe[];
  readonly hasSecret: (text: string) => boolean;
}

async function readServices(run: Run, options: ImportOptions, say: Say): Promise<Answers> {
  const services = servicesOf(run, options);
  const { found, withoutId } = await list(run, services, say);
  const hasSecret = run.trackSecrets([...found, ...withoutId].map(({ pipe }) => pipe));
  return { services, found, withoutId, hasSecret };
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
  const selected = select(found, only ?? [], say);
  if (managed.length > 0) {
    const [all, old] = [found.length + withoutId.length, found.filter(isManaged).length];
    const where = services.serviceIds.length === 1 ? "the service" : `${services.serviceIds.length} services`;
    say(`${all} in ${where}, ${old} managed, ${all - old} new.`);
  }
  const skipped = selected
    .filter(isManaged)
    .map((each) => skippedPipe(each, "the stack manages it already", answers));
  return [skipped, selected.filter((each) => !isManaged(each))];
}

/** The pipes as the program has them, and those that it cannot have. */
function converted(
  run: Run,
  selected: readonly FoundPipe[],
  answers: Answers & { readonly managed: readonly StoredResource[] },
): readonly (ImportedPipe | SkippedPipe)[] {
  const { services, found, hasSecret, managed } = answers;
  const lifecycle = run.lifecycle("Pipe");
  const names = namesOf(
    found.map(({ pipe }) => pipe),
    managed.map(({ urn }) => partsOf(urn).name),
  );
  return selected.map((each) => {
    const { pipe, serviceId } = each;
    const ids = { organizationId: services.organizationId, serviceId };
    const place = { ids, scope: scopeOf(run, services, serviceId), hasSecret };
    const named = names.get(pipe.id) ?? { logicalName: pipe.id, prefix: pipe.id };
    const result = importPipe(lifecycle, pipe, place, named);
    return typeof result === "string" ? skippedPipe(each, result, answers) : result;
  });
}

function skippedPipe(
  { serviceId, pipe: { id, name } }: AnyPipe,
  reason: string,
  { hasSecret }: Answers,
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
