import { createRequire } from "node:module";
import type * as pulumi from "@pulumi/pulumi";
import type * as clientModule from "./api/client";
import { render } from "./advice";
import { systemClock } from "./api/rate-limiter";
import { printableLines } from "./printable";
import { Secrets, secretTextsOf } from "./api/redaction";
import {
  CONNECTION_SETTINGS,
  readConfiguration,
  requireSettings,
  SCOPE_SETTINGS,
  warnOfInsecure,
  type Configuration,
  type GivenSettings,
} from "./config";
import { dynamicProvider, withoutQuietErrors } from "./core/dynamic";
import { Lifecycle, type ResourceDefinition, type ProviderContext } from "./core/lifecycle";
import type { ResourceContext } from "./resources/context";
import { pipeDefinition } from "./resources/pipe/definition";
import { reversePrivateEndpointDefinition } from "./resources/reverse-private-endpoint/definition";
import { serviceSettingsDefinition } from "./resources/service-settings/definition";
import { RunNotes } from "./run-notes";
import { VERSION } from "./version";

/** The kinds of resource that this package offers, by the name that stands in state. */
const DEFINITIONS: Readonly<Record<string, (context: ResourceContext) => ResourceDefinition>> = {
  Pipe: pipeDefinition,
  ReversePrivateEndpoint: reversePrivateEndpointDefinition,
  ServiceSettings: serviceSettingsDefinition,
};

// One process serves one provider instance, so all kinds share the configuration, the client and its rate limit.
let reader: (key: string) => string | undefined = () => undefined;
let configuration: Configuration = readConfiguration(reader);
let client: clientModule.Client | undefined;
/** Whether a text holds the key that every request carries. */
let isOfConfiguration: (text: string) => boolean = () => false;

/** A preview sends nothing, and axios is half of what this process would load for it. */
const loadClient = (): typeof clientModule =>
  createRequire(__filename)("./api/client") as typeof clientModule;

const secrets = new Secrets();

// One line for each resource that failed would stand beside its error, with nothing in it.
console.error = withoutQuietErrors(console.error.bind(console));

const log = (line: string): void => {
  // The engine shows the lines of this process to the user.
  console.log(printableLines(secrets.redact(line)));
};

const notes = new RunNotes(undefined, { warn: log });

function connect(): clientModule.Client {
  if (client !== undefined) return client;
  const settings = requireSettings(configuration, CONNECTION_SETTINGS);
  const { Client } = loadClient();
  client = new Client({ ...settings, log, secrets, userAgent: `pulumi-datapipes/${VERSION}` });
  return client;
}

/** The same problems, with what to do where the program gave the settings to a `Provider`. */
const problemsOf = (given: GivenSettings): Configuration["problems"] =>
  Object.keys(configuration.problems).length === 0
    ? configuration.problems
    : readConfiguration(reader, process.env, given).problems;

const context: ProviderContext = {
  configurationProblems: (inputs, given) =>
    Object.entries(given === undefined ? configuration.problems : problemsOf(given))
      .filter(([name]) => !(SCOPE_SETTINGS as readonly string[]).includes(name) || inputs[name] === undefined)
      .map(([, problem]) => problem),
  defaults: () => {
    const { organizationId, serviceId } = configuration.values;
    return { organizationId, serviceId };
  },
  log,
  notes,
  trackSecrets: (...properties) => {
    secrets.remember(...properties);
  },
  render,
  redact: (text) => secrets.redact(text),
  secretTextsOf: (properties) => {
    const isOfResource = secretTextsOf(properties);
    return (text) => isOfResource(text) || isOfConfiguration(text);
  },
};

/**
 * The provider of one kind of resource, as the plugin process of the engine calls it. The text in every resource's
 * state asks for it by this name.
 */
export function handler(type: string): pulumi.dynamic.ResourceProvider {
  const definition = Object.hasOwn(DEFINITIONS, type) ? DEFINITIONS[type] : undefined;
  if (definition === undefined) {
    throw new Error(
      `pulumi-datapipes ${VERSION} has no resource ${JSON.stringify(type)}. Update the package: the stack may come from a newer version.`,
    );
  }
  const lifecycle = new Lifecycle(definition({ client: connect, log, clock: systemClock, notes }), context);
  return dynamicProvider(lifecycle, (read) => {
    reader = read;
    configuration = readConfiguration(read);
    const { apiKeyId, apiKeySecret } = configuration.values;
    const credential = { apiKeySecret, secret: `${apiKeyId ?? ""}:${apiKeySecret ?? ""}` };
    secrets.remember(credential);
    isOfConfiguration = secretTextsOf(credential);
    warnOfInsecure(configuration.values, log);
  });
}
