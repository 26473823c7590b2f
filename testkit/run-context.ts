import { render } from "../provider/src/messages/next-steps";
import { Stack } from "../provider/src/run/stack";

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
