import * as pulumi from "@pulumi/pulumi";
import type { Client } from "../../api/client";
import { printableLines } from "../../messages/printable";
import { readConfiguration, requireConnection } from "../../settings/config";
import { DatapipesError } from "../../messages/errors";
import { perProgram } from "../per-program";
import { warnOfPlainSecret } from "../plain-secret";
import { providerOf } from "../program-resource";
import type { Provider, ProviderSettings } from "../provider";
import { VERSION } from "../../pulumi/version";
import type { ServiceConnection } from "./query";
import { requireScopeIds } from "./query-arguments";
import type { ServiceArgs } from "./args";
import { getOrAdd } from "../../values/get-or-add";

type Clients = Map<string, Promise<Client>>;

// One client for each account: all functions of a program share its rate limit and connections.
const clientsOfProgram = perProgram<Clients>(() => new Map());

/** Reads and checks the configuration, and loads axios and zod. Sends no request. */
export async function connect(
  args: ServiceArgs,
  opts: pulumi.InvokeOptions = {},
): Promise<ServiceConnection> {
  const provider = providerOf(opts);
  if (provider === undefined) warnOfPlainSecret();
  const configuration = readConfiguration(await readerOf(provider), process.env, provider?.given);
  requireScopeIds(args);
  const { settings, scope } = requireConnection(configuration, args);
  const client = await getOrAdd(clientsOfProgram(), JSON.stringify(settings), () => load(settings));
  return { client, scope };
}

/** Runs the promise form of a data function. If an argument or a setting of the provider is unknown at a preview, so is the result. */
export function whenKnown<A, R>(
  args: pulumi.Input<A>,
  opts: pulumi.InvokeOutputOptions | undefined,
  run: (args: pulumi.Unwrap<A>) => Promise<R>,
): pulumi.Output<R> {
  const settings = providerOf(opts ?? {})?.settings;
  // The key secret would make the result a secret.
  const open = settings && pulumi.unsecret(settings);
  const known = pulumi.all([pulumi.output(args), open, existing(opts?.dependsOn)]);
  return known.apply<R>(([arg]) => run(arg as pulumi.Unwrap<A>));
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

type Reader = (key: string) => string | undefined;

async function readerOf(provider: Provider | undefined): Promise<Reader> {
  if (provider === undefined) {
    const config = new pulumi.Config("datapipes");
    return (key) => config.get(key.replace(/^datapipes:/, ""));
  }
  const settings = await known(provider.settings);
  return (key) => settings[key];
}

/** The SDK leaves these members of outputs out of its types. */
interface SdkOutput<T> {
  promise(): Promise<T>;
  readonly isKnown: Promise<boolean>;
}

async function known(settings: pulumi.Output<ProviderSettings>): Promise<ProviderSettings> {
  const output = settings as unknown as SdkOutput<ProviderSettings>;
  const value = await output.promise();
  if (await output.isKnown) return value;
  throw new DatapipesError(
    "configuration",
    "The settings of the provider are not known yet at this preview.",
    { finding: "settings-not-known" },
  );
}

type Settings = Omit<ConstructorParameters<typeof Client>[0], "log" | "warn" | "userAgent">;

async function load(settings: Settings): Promise<Client> {
  const { Client: LoadedClient } = await import("../../api/client.js");
  return new LoadedClient({
    ...settings,
    userAgent: `pulumi-datapipes/${VERSION}`,
    log: (line) => {
      void pulumi.log.info(printableLines(line));
    },
    warn: (line) => {
      void pulumi.log.warn(printableLines(line));
    },
  });
}
