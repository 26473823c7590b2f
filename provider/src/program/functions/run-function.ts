import * as pulumi from "@pulumi/pulumi";
import { DatapipesError, isDatapipesError } from "../../messages/errors";
import type { Run } from "../../run/run";
import type { Results } from "./queries";
import { configurationKey, SETTING_NAMES } from "../../settings/settings";
import { getOrAdd } from "../../values/get-or-add";
import { perProgram } from "../per-program";
import { warnOfConfiguration } from "../plain-secret";
import { shownByMessage } from "../program-error";
import { providerOf } from "../program-resource";
import { Provider, type ProviderSettings } from "../provider";

/** All functions of a program share the connection and the lists of an account. */
const runsOfProgram = perProgram(() => new Map<string, Run>());

/**
 * Runs a data function in the process of a program. With `pulumi.runtime.setMocks`, the mocks answer and it sends no
 * request. `isFresh`: no list of an earlier call is used.
 */
export async function runFunction<N extends keyof Results>(
  name: N,
  args: object = {},
  opts: pulumi.InvokeOptions = {},
  isFresh = false,
): Promise<Results[N]> {
  if (isMocked())
    return (await pulumi.runtime.invoke(`datapipes:index:${name}`, { ...args }, opts)) as Results[N];
  requireOwnProvider(name, opts.provider);
  const run = await runWith(name, providerOf(opts));
  try {
    const { query } = await import("./queries.js");
    return await query(run, name, args, isFresh);
  } catch (error) {
    if (isDatapipesError(error)) shownByMessage(Object.assign(error, { message: run.messageOf(error) }));
    throw error;
  }
}

/** Without this, a function with the provider of another package would ask the account of the stack's configuration. */
function requireOwnProvider(name: string, provider: unknown): void {
  if (provider === undefined || Provider.isInstance(provider)) return;
  const summary = `${name} failed: its option provider must be a Provider of this package.`;
  throw shownByMessage(new DatapipesError("invalid-argument", summary));
}

/** The run of a function with the settings of its provider. Loads axios with the first request. */
async function runWith(name: string, provider: Provider | undefined): Promise<Run> {
  if (provider === undefined) warnOfConfiguration();
  const config = new pulumi.Config("datapipes");
  const settings: ProviderSettings =
    provider === undefined
      ? Object.fromEntries(SETTING_NAMES.map((setting) => [configurationKey(setting), config.get(setting)]))
      : await known(name, provider.settings);
  const { Run: RunOfFunctions } = await import("../../run/run.js");
  return getOrAdd(
    runsOfProgram(),
    JSON.stringify(settings),
    () => new RunOfFunctions(LOG, (key) => settings[key]),
  );
}

const LOG = {
  log: (line: string): void => {
    void pulumi.log.info(line);
  },
  warn: (line: string): void => {
    void pulumi.log.warn(line);
  },
};

/** The SDK leaves these members of outputs out of its types. */
interface SdkOutput<T> {
  promise(): Promise<T>;
  readonly isKnown: Promise<boolean>;
}

async function known(name: string, settings: pulumi.Output<ProviderSettings>): Promise<ProviderSettings> {
  const output = settings as unknown as SdkOutput<ProviderSettings>;
  const value = await output.promise();
  if (await output.isKnown) return value;
  const summary =
    `${name} failed: the settings of its provider are not known yet in this preview. Use ` +
    `${name}Output, which waits for them.`;
  throw shownByMessage(new DatapipesError("configuration", summary));
}

/**
 * Runs the promise form of a data function. If an argument or a setting of the provider is unknown at a preview, so
 * is the result.
 */
export function whenKnown<N extends keyof Results>(
  name: N,
  args: pulumi.Input<pulumi.Inputs>,
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<Results[N]> {
  const settings = providerOf(opts)?.settings;
  // The key secret would make the result a secret.
  const publicSettings = settings && pulumi.unsecret(settings);
  const ready = pulumi.all([pulumi.output(args), publicSettings, idsOf(opts.dependsOn)]);
  // In an update, what the arguments wait for may have created a pipe.
  return ready.apply(([arg]) => runFunction(name, arg, opts, !pulumi.runtime.isDryRun()));
}

/** Unknown at a preview that will create the resources: their creation may change the result. */
function idsOf(dependsOn: pulumi.InvokeOutputOptions["dependsOn"]): pulumi.Output<unknown> {
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
