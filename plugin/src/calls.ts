import { AsyncLocalStorage } from "node:async_hooks";

/** The URN of the resource that the running call of the engine is about. */
const resourceOfCall = new AsyncLocalStorage<string>();

/** Runs a call of the engine about a resource. */
export const aboutResource = <T>(urn: string, work: () => T): T => resourceOfCall.run(urn, work);

/** The URN of the resource of the running call; empty outside of such calls. */
export const currentUrn = (): string => resourceOfCall.getStore() ?? "";
