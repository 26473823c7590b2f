import { setTimeout as sleep } from "node:timers/promises";
import type { StoredResource } from "../../lifecycle/program/stack";
import { render } from "../../messages/next-steps";
import { printableJson } from "../../messages/quoted";
import { logTo, Run } from "../../run/run";
import type { ServiceScope } from "../../settings/settings";
import { idKey } from "../../values/uuid";
import { listPipes } from "../list-pipes";
import { ReportedFailure, type Output } from "../output";
import { readStackConfiguration } from "../stack-configuration";
import { readStackPipes } from "../stack-pipes";
import { listedPipes, type ListedStatus } from "./pipes";
import { tableOf } from "./table";

export interface StatusOptions {
  readonly stack?: string;
  /** States in lower case. */
  readonly failOn: readonly string[];
  readonly unmanaged?: boolean;
  /** Seconds between two reads. */
  readonly watch?: number;
  readonly json?: boolean;
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

/** Prints the status once. Returns whether the options call it a failure. */
async function report({ stack, failOn, unmanaged, json }: StatusOptions, output: Output): Promise<boolean> {
  const configuration = await readStackConfiguration(stack);
  const managed = (await readStackPipes(stack)) ?? [];
  const log = logTo((line) => {
    output.progress(`${line}\n`);
  });
  const run = new Run(log, { read: (key) => configuration.get(key)?.value });
  const pipes: ListedStatus[] = [];
  for (const scope of scopesOf(run, managed)) {
    const list = await listPipes(run, scope);
    pipes.push(...listedPipes(scope.serviceId, list.items, managed));
    const ids = new Set(list.items.map(({ id }) => idKey(id)));
    for (const { id, urn, inputs } of list.isComplete ? managed : [])
      if (inputs["serviceId"] === scope.serviceId && !ids.has(idKey(id)))
        output.progress(`warning: pipe ${id} of resource ${urn} is not in the list of its service.\n`);
  }
  const { text, styled } = tableOf(pipes, failOn);
  if (json) output.result(`${printableJson({ pipes })}\n`);
  else output.result(text, styled);
  return pipes.some(({ resource, state }) =>
    resource === undefined ? unmanaged : failOn.includes(state.toLowerCase()),
  );
}

/** The configured service, and those of the pipes that the stack manages. */
function scopesOf(run: Run, managed: readonly StoredResource[]): readonly ServiceScope[] {
  const ofStack = managed.flatMap(({ inputs: { organizationId, serviceId } }) =>
    typeof organizationId === "string" && typeof serviceId === "string"
      ? [{ organizationId, serviceId }]
      : [],
  );
  // Without any, the error of `scope` says what is missing.
  const needsConfigured = run.configuredScope.serviceId !== undefined || ofStack.length === 0;
  const scopes = [...(needsConfigured ? [run.scope({})] : []), ...ofStack];
  return [...new Map(scopes.map((scope) => [idKey(scope.serviceId), scope])).values()];
}
