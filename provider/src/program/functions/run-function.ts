import * as pulumi from "@pulumi/pulumi";
import { render } from "../../messages/next-steps";
import { DatapipesError, isDatapipesError } from "../../messages/errors";
import { shownByMessage } from "../program-error";
import { providerOf } from "../program-resource";
import { Provider } from "../provider";
import { connect } from "./connect";
import type { Query } from "./query";
import type { ServiceArgs } from "./args";

/**
 * Runs a data function in the process of a program. With `pulumi.runtime.setMocks`, the mocks answer and it sends no
 * request. `isFresh`: no list of an earlier call is used.
 */
export async function runFunction<A extends ServiceArgs, R>(
  query: Query<A, R>,
  args: A = {} as A,
  opts: pulumi.InvokeOptions | undefined,
  isFresh = false,
): Promise<R> {
  try {
    if (isMocked())
      return (await pulumi.runtime.invoke(`datapipes:index:${query.name}`, { ...args }, opts)) as R;
    const { requireArguments } = await import("./arguments.js");
    requireArguments(query.name, args);
    requireOwnProvider(query.name, opts?.provider);
    return await query.run(await connect(args, opts, isFresh), args);
  } catch (error) {
    if (isDatapipesError(error)) showOnce(Object.assign(error, { message: render(error) }));
    throw error;
  }
}

/** Without this, a function with the provider of another package would ask the account of the stack's configuration. */
function requireOwnProvider(name: string, provider: unknown): void {
  if (provider === undefined || Provider.isInstance(provider)) return;
  const summary = `${name} failed: its option provider must be a Provider of this package.`;
  throw new DatapipesError("invalid-argument", summary);
}

/**
 * Runs the promise form of a data function. If an argument or a setting of the provider is unknown at a preview, so
 * is the result.
 */
export function whenKnown<A extends ServiceArgs, R>(
  query: Query<A, R>,
  args: pulumi.Input<pulumi.Inputs>,
  opts: pulumi.InvokeOutputOptions | undefined,
): pulumi.Output<R> {
  const settings = providerOf(opts ?? {})?.settings;
  // The key secret would make the result a secret.
  const open = settings && pulumi.unsecret(settings);
  const known = pulumi.all([pulumi.output(args), open, existing(opts?.dependsOn)]);
  // In an update, what the arguments wait for may have created a pipe.
  return known.apply<R>(([arg]) => runFunction(query, arg as A, opts, !pulumi.runtime.isDryRun()));
}

/** Unknown at a preview that will create the resources: their creation may change the result. */
function existing(dependsOn: pulumi.InvokeOutputOptions["dependsOn"]): pulumi.Output<unknown> {
  return pulumi
    .output(dependsOn)
    .apply((resources) =>
      [resources ?? []]
        .flat()
        .map((resource) => (pulumi.CustomResource.isInstance(resource) ? resource.id : resource.urn)),
    );
}

/** Whether the program runs with mocks. The SDK has no function for this. */
function isMocked(): boolean {
  const monitor: object | undefined = pulumi.runtime.hasMonitor() ? pulumi.runtime.getMonitor() : undefined;
  return monitor !== undefined && "mocks" in monitor;
}

/**
 * Shows the error once and without its stack. Pulumi awaits the outputs of a program one after another, and may
 * handle a rejection long after it has printed the error: Node would then print a warning, too.
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
