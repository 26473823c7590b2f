import { setTimeout as sleep } from "node:timers/promises";
import type { StoredResource } from "../../lifecycle/program/stack";
import { counted } from "../../messages/enumerated";
import { isDatapipesError, type DatapipesError, type DatapipesErrorCode } from "../../messages/errors";
import { render } from "../../messages/next-steps";
import { printableJson } from "../../messages/quoted";
import { logTo, Run } from "../../run/run";
import type { ServiceScope } from "../../settings/settings";
import { idKey, isSameId } from "../../values/uuid";
import { listPipes } from "../list-pipes";
import { ReportedFailure, type Output } from "../output";
import { readStackConfiguration } from "../stack-configuration";
import { readStackPipes } from "../stack-pipes";
import { listedPipes, type ListedStatus } from "./pipes";
import { tableOf, widthOf } from "./table";

export interface StatusOptions {
  readonly stack?: string;
  /** States in lower case. */
  readonly failOn: readonly string[];
  readonly unmanaged?: boolean;
  /** Seconds between two reads. */
  readonly watch?: number;
  readonly json?: boolean;
}

/** What the services of a stack have. */
interface Status {
  readonly pipes: ListedStatus[];
  /** The services that could not be read, with the error. */
  readonly unread: { readonly serviceId: string; readonly error: string }[];
  readonly warnings: string[];
}

const CLEAR_TERMINAL = "\u001B[H\u001B[2J\u001B[3J";

/** Prints the pipes of the services of a stack. Throws if an option asks for it, or if a service cannot be read. */
export async function status(options: StatusOptions, output: Output): Promise<void> {
  const { watch, json, stack } = options;
  if (watch === undefined) {
    const found = await read(stack, output);
    print(found, options, output);
    const reasons = failuresIn(found.pipes, options);
    if (reasons.length > 0) throw new Error(reasons.join(" "));
    if (found.unread.length > 0) throw new ReportedFailure();
    return;
  }
  // It ends when its reader does, such as `head`.
  const unread = new AbortController();
  process.stdout.once("error", () => {
    unread.abort();
  });
  while (!unread.signal.aborted) {
    const found = await read(stack, output).catch((error: unknown) => render(error));
    if (process.stdout.isTTY && !json) process.stdout.write(CLEAR_TERMINAL);
    if (!json) output.result(`${new Date().toLocaleTimeString()}\n`);
    if (typeof found === "string") output.progress(`error: ${found}\n`);
    else print(found, options, output);
    await sleep(watch * 1000);
  }
}

/** Why the pipes of a stack are a failure, as the options say. */
function failuresIn(
  pipes: readonly ListedStatus[],
  { failOn, unmanaged = false }: StatusOptions,
): readonly string[] {
  const managed = pipes.filter(({ resource }) => resource !== undefined);
  const bad = managed.filter(({ state }) => failOn.includes(state.toLowerCase()));
  const others = unmanaged ? pipes.length - managed.length : 0;
  return [
    ...(bad.length > 0 ? [`${counted(bad.length, "managed pipe")} in a state of --fail-on.`] : []),
    ...(others > 0 ? [`${counted(others, "pipe")} that no resource of the stack manages.`] : []),
  ];
}

function print({ pipes, unread, warnings }: Status, { json, failOn }: StatusOptions, output: Output): void {
  const { text, styles } = tableOf(pipes, failOn, widthOf(process.stdout));
  if (json) output.result(`${printableJson({ pipes, ...(unread.length > 0 && { unread }) })}\n`);
  else if (pipes.length > 0 || unread.length === 0) output.result(text, styles);
  for (const warning of warnings) output.progress(`warning: ${warning}\n`);
  for (const { error } of unread) output.progress(`error: ${error}\n`);
}

async function read(stack: string | undefined, output: Output): Promise<Status> {
  const configuration = await readStackConfiguration(stack);
  const managed = await readStackPipes(stack);
  const log = logTo((line) => {
    output.progress(`${line}\n`);
  });
  const run = new Run(log, (key) => configuration.get(key)?.value);
  const status: Status = { pipes: [], unread: [], warnings: [] };
  for (const scope of scopesOf(run, managed)) {
    const own = managed.filter(({ inputs }) => isSameId(inputs["serviceId"], scope.serviceId));
    await readService(run, scope, own, status);
  }
  return status;
}

/** Adds a service to the status, with the pipes that the stack manages there. */
async function readService(
  run: Run,
  scope: ServiceScope,
  managed: readonly StoredResource[],
  { pipes, unread, warnings }: Status,
): Promise<void> {
  const { serviceId } = scope;
  try {
    const { items, isComplete } = await listPipes(run.client(), scope);
    const ids = new Set(items.map(({ id }) => idKey(id)));
    pipes.push(...listedPipes(serviceId, items, managed));
    for (const { id, urn } of managed)
      if (isComplete && !ids.has(idKey(id)))
        warnings.push(`pipe ${id} of resource ${urn} is not in the list of its service.`);
  } catch (error) {
    if (!isDatapipesError(error)) throw error;
    const warning = ofOtherAccount(serviceId, managed, error);
    if (warning === undefined) unread.push({ serviceId, error: run.messageOf(error) });
    else warnings.push(warning);
  }
}

/** The key of the stack has no access, or there is none. */
const NO_ACCESS: readonly DatapipesErrorCode[] = ["configuration", "unauthorized", "forbidden", "not-found"];

/** How to list a service that the stack reaches with the keys of explicit providers only; undefined for another. */
function ofOtherAccount(
  serviceId: string,
  managed: readonly StoredResource[],
  { code, reason }: DatapipesError,
): string | undefined {
  const providers = new Set(managed.map(({ provider }) => provider));
  if (providers.size === 0 || providers.has(undefined) || !NO_ACCESS.includes(code)) return undefined;
  const names = [...providers].map((name) => JSON.stringify(name)).join(", ");
  const why = code === "configuration" ? "a setting is missing" : reason;
  return (
    `service ${serviceId} is not listed: its pipes have the provider ${names}, and the stack's own settings cannot ` +
    `read it (${why}). To list it, run the command in an empty folder with that account's settings in the environment.`
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
