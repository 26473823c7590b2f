import { AsyncLocalStorage } from "node:async_hooks";

const running = new AsyncLocalStorage<string>();

/** Runs a call of the engine about the resource with this URN, if it is known. */
export const aboutUrn = <T>(urn: string | undefined, work: () => T): T =>
  urn === undefined ? work() : running.run(urn, work);

/** The URN of the resource of the running call. */
export const currentUrn = (): string | undefined => running.getStore();

/** A message whose commands name the resource of the running call. */
export function withUrn(text: string): string {
  const urn = currentUrn();
  return urn === undefined ? text : text.replaceAll(/<URN(?: of the resource)?>/g, () => shellQuoted(urn));
}

/** A text as one word of a shell's command. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
