import { Client } from "../../../provider/src/api/client";
import type { Clock } from "../../../provider/src/api/limiter";
import { dynamicProvider } from "../../../provider/src/core/dynamic";
import { Lifecycle } from "../../../provider/src/core/resource";
import { pipeDefinition } from "../../../provider/src/resources/pipe/lifecycle";
import { reversePrivateEndpointDefinition } from "../../../provider/src/resources/reverse-private-endpoint/lifecycle";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/lifecycle";
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
  const inform = (line: string): void => {
    lines.push(line);
  };
  const client = new Client({
    baseUrl: url,
    apiKeyId,
    apiKeySecret,
    rateLimit: "off",
    userAgent: "pulumi-datapipes/laws",
    inform,
    ...options,
  });
  const surroundings = {
    configurationProblems: () => [],
    defaults: () => ({ organizationId, serviceId: serviceIds[0] ?? "" }),
    inform,
  };
  const connection = { client: () => client, inform, clock: options.clock };
  const speak = (type: ResourceType): Provider =>
    dynamicProvider(new Lifecycle(DEFINITIONS[type](connection), surroundings), () => undefined);
  const providers = new Map<ResourceType, Provider>();
  const provider = (type: ResourceType): Provider => {
    const present = providers.get(type) ?? speak(type);
    providers.set(type, present);
    return present;
  };
  return { provider, lines };
}
