import type * as pulumi from "@pulumi/pulumi";
import { dynamicProvider, withoutRepeatedErrors } from "./core/dynamic";
import { Session } from "./session";

// One line for each resource that failed would stand beside its error, with nothing in it.
console.error = withoutRepeatedErrors(console.error.bind(console));

// One process serves one provider instance. The engine shows the lines of this process to the user.
const session = new Session({
  log: (line) => {
    console.log(line);
  },
  warn: (line) => {
    console.log(`warning: ${line}`);
  },
});

/**
 * The provider of one kind of resource, as the plugin process of the engine calls it. Every resource's state asks for it by this
 * name.
 */
export const handler = (type: string): pulumi.dynamic.ResourceProvider =>
  dynamicProvider(session.lifecycle(type), (read) => {
    session.configure(read);
  });
