import { render } from "../../../provider/src/next-steps";
import type { Clock } from "../../../provider/src/api/rate-limiter";
import { dynamicProvider } from "../../../provider/src/core/dynamic";
import { Lifecycle } from "../../../provider/src/core/lifecycle";
import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import { reversePrivateEndpointDefinition } from "../../../provider/src/resources/reverse-private-endpoint/definition";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import type { Simulator } from "../../../simulator/src/index";
import { connect } from "../../../testkit/connected";

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
export function startPlugin(simulator: Simulator, options: PluginOptions): Plugin {
  const { client, scope, lines, ...output } = connect(simulator, options);
  const context = { ...output, configurationProblems: () => [], defaults: () => ({ ...scope }), render };
  const connection = { ...output, client: () => client, clock: options.clock };
  const newProvider = (type: ResourceType): Provider =>
    dynamicProvider(new Lifecycle(DEFINITIONS[type](connection), context), () => undefined);
  const providers = new Map<ResourceType, Provider>();
  const provider = (type: ResourceType): Provider => {
    const present = providers.get(type) ?? newProvider(type);
    providers.set(type, present);
    return present;
  };
  return { provider, lines };
}
