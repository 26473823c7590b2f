import * as pulumi from "@pulumi/pulumi";
import { render } from "../advice";
import { isDatapipesError } from "../errors";
import { shownByMessage } from "../program-error";
import { checkArguments } from "./argument-check";
import { connect } from "./connect";
import type { Query } from "./queries";
import type { ServiceArgs } from "./service-args";

/**
 * Runs a data function in the process of a program. In a unit test of a program (`pulumi.runtime.setMocks`) the
 * mocks answer instead, and nothing is sent. Programs in JavaScript may leave out the arguments that TypeScript asks for.
 */
export async function runFunction<A extends ServiceArgs, R>(
  query: Query<A, R>,
  args: A = {} as A,
  opts: pulumi.InvokeOptions | undefined,
): Promise<R> {
  try {
    await checkArguments(query, args, opts);
    if (isMocked())
      return (await pulumi.runtime.invoke(`datapipes:index:${query.name}`, { ...args }, opts)) as R;
    return await query.run(await connect(args, opts), args);
  } catch (error) {
    if (isDatapipesError(error)) showOnce(Object.assign(error, { message: render(error) }));
    throw error;
  }
}

/** Whether mocks of a unit test stand where the engine would be. The SDK has no function that says so. */
function isMocked(): boolean {
  const monitor: object | undefined = pulumi.runtime.hasMonitor() ? pulumi.runtime.getMonitor() : undefined;
  return monitor !== undefined && "mocks" in monitor;
}

/**
 * Pulumi looks at the outputs of a program one after another, so it may look at one long after it failed. Pulumi has printed
 * the error by then, and Node would print warnings besides. After the program's end, Pulumi prints the stack of an error.
 */
function showOnce(error: Error): void {
  shownByMessage(error);
  if (!process.listeners("rejectionHandled").includes(onLateHandler))
    process.on("rejectionHandled", onLateHandler);
}

/** Takes the place of Node's own warning, which says nothing new of an error of this package. */
function onLateHandler(promise: Promise<unknown>): void {
  promise.catch((reason: unknown) => {
    if (isDatapipesError(reason)) return;
    process.emitWarning("Promise rejection was handled asynchronously", "PromiseRejectionHandledWarning");
  });
}
