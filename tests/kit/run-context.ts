import type { Client } from "../../provider/src/api/client";
import type { Clock } from "../../provider/src/api/http/clock";
import { render } from "../../provider/src/messages/next-steps";
import { PipeLists } from "../../provider/src/resources/pipe/list";
import { Stack } from "../../provider/src/run/stack";

/** Returns the text of `pulumi stack export`; undefined in a run without a program. */
export type ReadState = () => Promise<string | undefined>;

export const stackWithState = (read: ReadState): Stack =>
  new Stack({ log: () => undefined, now: () => performance.now(), startedAt: Date.now(), read });

/** A stack without a state: only what its process has checked is known. */
export const stackWithoutState = (): Stack => stackWithState(() => Promise.resolve(undefined));

/** What a lifecycle and its definition have of their run, without another process, a configuration and secrets. */
export const runContext = () => ({
  stack: stackWithoutState(),
  configurationProblems: () => [],
  defaults: () => ({}),
  render,
  redact: (text: string) => text,
  trackSecrets: () => undefined,
  secretTextsOf: () => () => false,
});

/** What a run has of the API. */
export const apiOf = (client: Client, clock: Clock) => ({
  client: () => client,
  clock,
  lists: new PipeLists(() => client, clock),
});
