import { setTimeout as sleep } from "node:timers/promises";
import type { StoredResource } from "../../lifecycle/definition";
import { render } from "../../messages/next-steps";
import { printableJson } from "../../messages/printable";
import { logTo, Run } from "../../run/run";
import type { ServiceScope } from "../../settings/settings";
import { idKey } from "../../values/uuid";
import { ReportedFailure, type Output } from "../output";
import { readStackConfiguration } from "../stack-configuration";
import { readStackPipes } from "../stack-pipes";
import { listedPipes, type List, type ListedStatus } from "./pipes";
import { isOneOf, tableOf } from "./table";

export interface StatusOptions {
  readonly stack?: string;
  readonly failOn: readonly string[];
  readonly unmanaged: boolean;
  /** Seconds between two reads. */
  readonly watch?: number;
  readonly json: boolean;
}

const CLEAR_TERMINAL = "\u001B[H\u001B[2J\u001B[3J";

/** Prints the pipes of the services of a stack. Throws if an option asks for it. */
export async function status(options: StatusOptions, output: Output): Promise<void> {
  if (options.watch === undefined) {
    if (await report(options, output)) throw new ReportedFailure();
    return;
  }
  for (;;) {
    if (process.stdout.isTTY && !options.json) process.stdout.write(CLEAR_TERMINAL);
    if (!options.json) output.result(`${new Date().toLocaleTimeString()}\n`);
    await report(options, output).catch((error: unknown) => {
      output.progress(`error: ${render(error)}\n`);
    });
    await sleep(options.watch * 1000);
  }
}

/** Prints the status once. Returns whether it is one that the options call a failure. */
async function report({ stack, failOn, unmanaged, json }: StatusOptions, output: Output): Promise<boolean> {
  const configuration = await readStackConfiguration(stack);
  const managed = (await readStackPipes(stack)) ?? [];
  const say = (line: string): void => {
    output.progress(`${line}\n`);
  };
  const log = logTo(say);
  const run = new Run(log, { read: (key) => configuration.get(key)?.value });
  const { lists, isComplete } = await read(run, managed, say);
  const pipes = listedPipes(lists, managed);
  for (const { urn } of managed.filter(({ id }) => isComplete && !hasId(pipes, id)))
    log.warn(`the services do not have the pipe of ${urn}. \`pulumi refresh\` looks for it.`);
  if (lists.length > 0 && json) output.result(`${printableJson({ pipes })}\n`);
  if (lists.length > 0 && !json) {
    const { text, styled } = tableOf(pipes, failOn);
    output.result(text, styled);
  }
  const isBad = ({ resource, state }: ListedStatus): boolean =>
    resource === undefined ? unmanaged : isOneOf(state, failOn);
  return !isComplete || pipes.some(isBad);
}

const hasId = (pipes: readonly ListedStatus[], id: string): boolean =>
  pipes.some((pipe) => idKey(pipe.id) === idKey(id));

/** The lists of all services that can be read, and whether these are all. */
async function read(
  run: Run,
  managed: readonly StoredResource[],
  say: (line: string) => void,
): Promise<{ readonly lists: readonly List[]; readonly isComplete: boolean }> {
  const lists: List[] = [];
  const scopes = scopesOf(run, managed);
  for (const scope of scopes)
    try {
      lists.push({ scope, pipes: (await run.client().listPipes(scope)).items });
    } catch (error) {
      say(`error: service ${scope.serviceId}: ${render(error)}`);
    }
  return { lists, isComplete: lists.length === scopes.length };
}

/** The configured service, and those of the pipes that the stack manages. */
function scopesOf(run: Run, managed: readonly StoredResource[]): readonly ServiceScope[] {
  const isConfigured = run.configuredScope.serviceId !== undefined;
  const ofStack = managed.flatMap(({ inputs: { organizationId, serviceId } }) =>
    typeof organizationId === "string" && typeof serviceId === "string"
      ? [{ organizationId, serviceId }]
      : [],
  );
  // Without any, the error says what is missing.
  const scopes = [...(isConfigured || ofStack.length === 0 ? [run.scope({})] : []), ...ofStack];
  return [...new Map(scopes.map((scope) => [idKey(scope.serviceId), scope])).values()];
}
