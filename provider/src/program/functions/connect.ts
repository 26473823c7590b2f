import * as pulumi from "@pulumi/pulumi";
import type { Client, createClient } from "../../api/client";
import { systemClock } from "../../api/http/clock";
import { printableLines } from "../../messages/printable";
import { readConfiguration, requireConnection } from "../../settings/config";
import { DatapipesError } from "../../messages/errors";
import { perProgram } from "../per-program";
import { warnOfPlainSecret } from "../plain-secret";
import { providerOf } from "../program-resource";
import type { Provider, ProviderSettings } from "../provider";
import { PipeLists } from "../../resources/pipe/list";
import { VERSION } from "../../pulumi/version";
import type { ServiceConnection } from "./query";
import type { ServiceArgs } from "./args";
import { getOrAdd } from "../../values/get-or-add";

/** A client, and the lists of pipes that it has read. */
interface Account {
  readonly client: Client;
  readonly lists: PipeLists;
}

// All functions of a program share the rate limit, the connections and the lists of an account.
const accountsOfProgram = perProgram(() => new Map<string, Promise<Account>>());

/**
 * Reads and checks the configuration, and loads axios and zod. Sends no request. `isFresh`: each call asks for a new
 * list.
 */
export async function connect(
  args: ServiceArgs,
  opts: pulumi.InvokeOptions = {},
  isFresh = false,
): Promise<ServiceConnection> {
  const provider = providerOf(opts);
  if (provider === undefined) warnOfPlainSecret();
  const configuration = readConfiguration(await readerOf(provider));
  const { settings, scope } = requireConnection(configuration, args);
  const { client, lists } = await getOrAdd(accountsOfProgram(), JSON.stringify(settings), () =>
    load(settings),
  );
  const pipes = (isAgain = isFresh) => lists.pipes(scope, isAgain);
  return { client, scope, pipes };
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

type Settings = Omit<Parameters<typeof createClient>[0], "log" | "warn" | "userAgent">;

async function load(settings: Settings): Promise<Account> {
  const { createClient: create } = await import("../../api/client.js");
  const client = create({
    ...settings,
    userAgent: `pulumi-datapipes/${VERSION}`,
    log: (line) => {
      void pulumi.log.info(printableLines(line));
    },
    warn: (line) => {
      void pulumi.log.warn(printableLines(line));
    },
  });
  return { client, lists: new PipeLists(() => client, systemClock) };
}
