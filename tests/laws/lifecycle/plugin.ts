import { Client } from "../../../provider/src/api/client";
import type { Clock } from "../../../provider/src/api/rate-limiter";
import { dynamicProvider } from "../../../provider/src/core/dynamic";
import { Lifecycle } from "../../../provider/src/core/lifecycle";
import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import { reversePrivateEndpointDefinition } from "../../../provider/src/resources/reverse-private-endpoint/definition";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import type { Simulator } from "../../../simulator/src/index";

const DEFINITIONS = {
  Pipe: pipeDefinition,
  ReversePrivateEndpoint: reversePrivateEndpointDefinition,
  ServiceSettings: serviceSettingsDefinition,
};

/** The kinds of resource. */
export type ResourceType = keyof typeof DEFINITIONS;

/** What the engine speaks with. */
export type Provider = ReturnType<typeof dynamicProvider>;

/** A plugin process: it lives for one run, and all kinds of resource share its client. */
export interface Plugin {
  readonly provider: (type: ResourceType) => Provider;
  /** What it told the user. */
  readonly lines: readonly string[];
}

/** How plugin processes reach the API. */
export interface PluginOptions {
  readonly clock: Clock;
  readonly maxRetries: number;
  readonly requestTimeoutSeconds: number;
}

/** A new process, which remembers nothing of those before. */
export function startPlugin({ url, account }: Simulator, options: PluginOptions): Plugin {
  const { apiKeyId, apiKeySecret, organizationId, serviceIds } = account;
  const lines: string[] = [];
  const log = (line: string): void => {
    lines.push(line);
  };
  const client = new Client({
    baseUrl: url,
    apiKeyId,
    apiKeySecret,
    rateLimit: "off",
    userAgent: "pulumi-datapipes/laws",
    log,
    ...options,
  });
  const context = {
    configurationProblems: () => [],
    defaults: () => ({ organizationId, serviceId: serviceIds[0] ?? "" }),
    log,
  };
  const connection = { client: () => client, log, clock: options.clock };
  const speak = (type: ResourceType): Provider =>
    dynamicProvider(new Lifecycle(DEFINITIONS[type](connection), context), () => undefined);
  const providers = new Map<ResourceType, Provider>();
  const provider = (type: ResourceType): Provider => {
    const present = providers.get(type) ?? speak(type);
    providers.set(type, present);
    return present;
  };
  return { provider, lines };
}
