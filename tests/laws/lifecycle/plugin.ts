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

/** The dynamic provider that the engine calls. */
export type Provider = ReturnType<typeof dynamicProvider>;

/** A plugin process: it serves one run, and all types of resource share its client. */
export interface Plugin {
  readonly provider: (type: ResourceType) => Provider;
  /** The lines that it printed for the user. */
  readonly lines: readonly string[];
}

/** Options of the client in a plugin process. */
export interface PluginOptions {
  readonly clock: Clock;
  readonly maxRetries: number;
  readonly requestTimeoutSeconds: number;
}

/** Starts a process that shares no memory with earlier ones. */
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
  const newProvider = (type: ResourceType): Provider =>
    dynamicProvider(new Lifecycle(DEFINITIONS[type](connection), surroundings), () => undefined);
  const providers = new Map<ResourceType, Provider>();
  const provider = (type: ResourceType): Provider => {
    const present = providers.get(type) ?? newProvider(type);
    providers.set(type, present);
    return present;
  };
  return { provider, lines };
}
