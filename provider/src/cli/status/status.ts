import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../api/client";
import type { WireObject } from "../../api/document/wire";
import type { StoredResource } from "../../lifecycle/definition";
import { render } from "../../messages/next-steps";
import { printableJson } from "../../messages/printable";
import { logTo, Run } from "../../run/run";
import type { ServiceScope } from "../../settings/settings";
import { idKey } from "../../values/uuid";
import { ReportedFailure, type Output } from "../output";
import { readStackConfiguration } from "../stack-configuration";
import { readStackPipes } from "../stack-pipes";
import { listedPipes, type ListedStatus, type Status } from "./pipes";
import { isOneOf, tableOf } from "./table";

export interface StatusOptions {
  readonly stack?: string;
  readonly failOn: readonly string[];
  readonly unmanaged: boolean;
  /** Seconds between two reads. */
  readonly watch?: number;
  readonly json: boolean;
}

/** Prints the pipes of the services of a stack. Throws if an option asks for it. */
export async function status(options: StatusOptions, output: Output): Promise<void> {
  const isFailed = await report(options, output);
  while (options.watch !== undefined) {
    await sleep(options.watch * 1000);
    await report(options, output);
  }
  if (isFailed) throw new ReportedFailure();
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
  const { pipes, backups, unread } = await read(run, managed, say);
  for (const { urn } of managed.filter(({ id }) => unread.length === 0 && !hasId(pipes, id)))
    log.warn(`the services do not have the pipe of ${urn}. \`pulumi refresh\` looks for it.`);
  const result: Status = { pipes, backups };
  if (json) output.result(`${printableJson(result)}\n`);
  else {
    const { text, styled } = tableOf(result, failOn, new Date());
    output.result(text, styled);
  }
  const isBad = ({ resource, state }: ListedStatus): boolean =>
    resource === undefined ? unmanaged : isOneOf(state, failOn);
  return unread.length > 0 || pipes.some(isBad);
}

const hasId = (pipes: readonly ListedStatus[], id: string): boolean =>
  pipes.some((pipe) => idKey(pipe.id) === idKey(id));

/** The status of all services that can be read, and those that cannot. */
async function read(
  run: Run,
  managed: readonly StoredResource[],
  say: (line: string) => void,
): Promise<Status & { readonly unread: readonly string[] }> {
  const lists: { readonly scope: ServiceScope; readonly pipes: readonly WireObject[] }[] = [];
  const backups: Status["backups"][number][] = [];
  const unread: string[] = [];
  for (const scope of scopesOf(run, managed)) {
    const { serviceId } = scope;
    try {
      lists.push({ scope, pipes: (await run.client().listPipes(scope)).pipes });
      backups.push({ serviceId, ...(await newestBackup(run.client(), scope)) });
    } catch (error) {
      unread.push(serviceId);
      say(`error: service ${serviceId}: ${render(error)}`);
    }
  }
  return { pipes: listedPipes(lists, managed), backups, unread };
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

/** When the last backup ended. */
async function newestBackup(client: Client, scope: ServiceScope): Promise<{ readonly newest?: string }> {
  const ended = (await client.listBackups(scope)).flatMap(({ finishedAt }) =>
    typeof finishedAt === "string" && !Number.isNaN(Date.parse(finishedAt)) ? [finishedAt] : [],
  );
  const [newest] = ended.sort((one, other) => Date.parse(other) - Date.parse(one));
  return newest === undefined ? {} : { newest };
}
