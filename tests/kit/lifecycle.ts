import type { Client } from "../../provider/src/api/client";
import { systemClock, type Clock } from "../../provider/src/api/http/clock";
import { HIDDEN_INPUTS } from "../../provider/src/lifecycle/state/hidden-inputs";
import { fromEngine } from "../../provider/src/lifecycle/protocol/engine-values";
import {
  Lifecycle,
  type LifecycleContext,
  type ResourceDefinition,
} from "../../provider/src/lifecycle/program/lifecycle";
import type { PropertyMap, PropertyValue } from "../../provider/src/lifecycle/comparison/property-value";
import { describeFailure } from "../../provider/src/lifecycle/comparison/validation";
import type { RunContext } from "../../provider/src/resources/context";
import { PipeLists } from "../../provider/src/resources/pipe/list";
import { pipeDefinition } from "../../provider/src/resources/pipe/pipe";
import { Program } from "../../provider/src/lifecycle/program/program";
import { Stack } from "../../provider/src/lifecycle/program/stack";
import { render } from "../../provider/src/messages/next-steps";
import { printableLines } from "../../provider/src/messages/printable";
import { replacedAt } from "./json";

/** The lines that a user sees, as the plugin process prints them. */
export function recordLines() {
  const lines: string[] = [];
  return {
    lines,
    log: (line: string): void => void lines.push(line),
    warn: (line: string): void => void lines.push(`warning: ${line}`),
  };
}

/** Returns the text of `pulumi stack export`; undefined in a run without a program. */
export type ReadState = () => Promise<string | undefined>;

export const stackWithState = (read: ReadState): Stack =>
  new Stack({ log: () => undefined, now: () => performance.now(), isLost: () => false, read });

/** What a lifecycle and its definition have of their run, without another process, a configuration and secrets. */
export const runContext = () => ({
  // Without a state: only what its process has checked is known.
  stack: stackWithState(() => Promise.resolve(undefined)),
  program: new Program(),
  configurationProblems: () => [],
  defaults: () => ({}),
  messageOf: render,
  readable: printableLines,
  trackSecrets: () => undefined,
  secretTextsOf: () => () => false,
});

/** What a run has of the API. */
export const apiOf = (client: () => Client, clock: Clock, program: Program) => ({
  client,
  clock,
  lists: new PipeLists(client, clock, (id) => program.isDeleted("Pipe", id)),
});

export const organizationId = "11111111-1111-4111-8111-111111111111";
export const serviceId = "22222222-2222-4222-8222-222222222222";
export const pipeId = "33333333-3333-4333-8333-333333333333";

function noClient(): never {
  throw new Error("This test must not reach for the API.");
}

/** Makes what a lifecycle knows of a kind of resource. */
export type Define = (context: RunContext) => ResourceDefinition;

/** The lifecycle of a kind of resource without an API, whose use throws, and the lines that the user sees. */
export function offlineLifecycle(more: Partial<LifecycleContext> = {}, define: Define = pipeDefinition) {
  const { lines, ...output } = recordLines();
  const run = runContext();
  const given = { ...run, ...output, ...apiOf(noClient, systemClock, run.program) };
  const context = { ...given, defaults: () => ({ organizationId, serviceId }), ...more };
  return { lifecycle: new Lifecycle(define(given), context), lines };
}

/** The failures of a first preview, one sentence each. */
export function checkFailuresOf(args: PropertyMap, define: Define = pipeDefinition): string[] {
  return offlineLifecycle({}, define)
    .lifecycle.check(undefined, fromEngine(args))
    .failures.map(describeFailure);
}

/** As `withValue`, for a program that may have unknown values. */
export const withProperty = (args: PropertyMap, path: string, value: PropertyValue): PropertyMap =>
  replacedAt(args, path.split("."), value) as PropertyMap;

export interface DeployedResource {
  readonly id: string;
  readonly outputs: PropertyMap;
}

/** Calls check and diff as the engine does, and for a replacement a second check without the state. */
export function preview(lifecycle: Lifecycle, { id, outputs }: DeployedResource, newInputs: PropertyMap) {
  const { failures, inputs } = lifecycle.check(outputs, newInputs);
  if (failures.length > 0) return { inputs, failures: failures.map(describeFailure) };
  const difference = lifecycle.diff(id, outputs, inputs, (newInputs[HIDDEN_INPUTS.key] ?? "") as string);
  if (difference.replaces.length === 0) return { failures: [], inputs, difference };
  const fresh = lifecycle.check(undefined, newInputs);
  return { failures: fresh.failures.map(describeFailure), inputs: fresh.inputs, difference };
}
