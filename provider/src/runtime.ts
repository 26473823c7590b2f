import type * as pulumi from "@pulumi/pulumi";
import { dynamicProvider, withoutRepeatedErrors } from "./core/dynamic";
import { Session } from "./session";

// The SDK logs an empty line for each resource that failed.
console.error = withoutRepeatedErrors(console.error.bind(console));

// A plugin process serves one provider instance. The engine shows its output to the user.
const session = new Session({
  log: (line) => {
    console.log(line);
  },
  warn: (line) => {
    console.log(`warning: ${line}`);
  },
});

/** The dynamic provider of a type of resource. The state of every resource names this function. */
export const handler = (type: string): pulumi.dynamic.ResourceProvider =>
  dynamicProvider(session.lifecycle(type), (read) => {
    session.configure(read);
  });
