import * as pulumi from "@pulumi/pulumi";
import { render } from "../../messages/next-steps";
import { isDatapipesError } from "../../messages/errors";
import { shownByMessage } from "../program-error";
import { checkArguments } from "./argument-check";
import { connect } from "./connect";
import type { Query } from "./query";
import type { ServiceArgs } from "./args";

/** Runs a data function in the process of a program. With `pulumi.runtime.setMocks`, the mocks answer and it sends no request. */
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

/** Whether the program runs with mocks. The SDK has no function for this. */
function isMocked(): boolean {
  const monitor: object | undefined = pulumi.runtime.hasMonitor() ? pulumi.runtime.getMonitor() : undefined;
  return monitor !== undefined && "mocks" in monitor;
}

/**
 * Shows the error once and without its stack. Pulumi awaits the outputs of a program one after another, and may handle a rejection long after
 * it has printed the error: Node would then print a warning, too.
 */
function showOnce(error: Error): void {
  shownByMessage(error);
  if (!process.listeners("rejectionHandled").includes(onLateHandler))
    process.on("rejectionHandled", onLateHandler);
}

/** Replaces Node's own warning, which repeats an error of this package. */
function onLateHandler(promise: Promise<unknown>): void {
  promise.catch((reason: unknown) => {
    if (isDatapipesError(reason)) return;
    process.emitWarning("Promise rejection was handled asynchronously", "PromiseRejectionHandledWarning");
  });
}
