import type * as pulumi from "@pulumi/pulumi";
import { DynamicProvider, withoutRepeatedErrors, type ReadConfiguration } from "./lifecycle/protocol/dynamic";
import { stackOfEngine } from "./run/engine";
import { requireDefinition } from "./run/definitions";
import { logTo, Run } from "./run/run";

// The SDK logs the error of each resource that failed, which the engine shows, too.
console.error = withoutRepeatedErrors(console.error.bind(console));

/** A plugin process serves one provider instance. The engine shows its output to the user. */
const output = logTo((line) => {
  console.log(line);
});

let run: Run;
/** The types whose providers have been configured in this run. */
const configured = new Set<string>();

/**
 * Pulumi's plugin configures the provider of each type once, before its first call. A second time is in another run.
 */
function configure(type: string, read: ReadConfiguration): void {
  if (configured.size === 0 || configured.has(type)) {
    run = new Run(output, read, { stackOfRun: stackOfEngine });
    configured.clear();
  }
  configured.add(type);
}

/** The dynamic provider of a type of resource. The state of every resource names this function. */
export function handler(type: string): pulumi.dynamic.ResourceProvider {
  requireDefinition(type);
  return new DynamicProvider(
    () => run.lifecycle(type),
    (read) => {
      configure(type, read);
    },
  );
}
