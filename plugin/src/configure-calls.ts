import { status } from "@grpc/grpc-js";
import type { ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import { readConfiguration } from "../../provider/src/settings/config";
import { quoted } from "../../provider/src/messages/quoted";
import type { SettingValues } from "../../provider/src/settings/settings";
import { readerOf, withoutKey } from "./configuration";
import { CallError } from "./engine-error";

const refused = (message: string): CallError => new CallError(message, status.FAILED_PRECONDITION);

/**
 * Which calls of Attach and Configure a process accepts, and to which base URL it sends the key of its environment.
 * Other users of this machine can connect to the port, too: a base URL of theirs must not get the key, nor the
 * credentials in the pipes of the run.
 */
export class ConfigureCalls {
  /** How many calls of Configure are still accepted: the first one, and one for each engine that attaches. */
  #accepted = 1;
  #isNew = true;
  /** The base URL of the first configuration: the key of the environment is sent to no other. */
  #firstUrl: string | undefined;

  constructor(private readonly isAttachable: boolean) {}

  /** Throws in a process that an engine has started: that engine does not attach, and configures it once. */
  attach(): void {
    if (!this.isAttachable)
      throw refused(
        "pulumi-resource-datapipes refuses Attach: an engine has started this process, and no other engine may use it. To attach one, start " +
          "pulumi-resource-datapipes by hand, and set PULUMI_DEBUG_PROVIDERS=datapipes:<port>.",
      );
    if (!this.#isNew) this.#accepted += 1;
    this.#isNew = false;
  }

  /** Throws if the process is configured, and no engine has attached since: the engine configures a provider once. */
  accept(): void {
    if (this.#accepted === 0)
      throw refused(
        "pulumi-resource-datapipes refuses to be configured twice: the engine does this once, so another program on this machine has connected to the " +
          "port of the plugin. Find that program. If it is not yours, change the API key before you run the command again.",
      );
    this.#accepted -= 1;
    this.#isNew = false;
  }

  /**
   * The environment for a configuration: without its key if the base URL is another one than that of the first
   * configuration. A base URL and a key that come together are used as they are.
   */
  environmentFor(
    request: ConfigureRequest,
    environment: NodeJS.ProcessEnv,
    warn: (line: string) => void,
  ): NodeJS.ProcessEnv {
    const { baseUrl, apiKeySecret } = valuesOf(request, environment);
    if (baseUrl === undefined) return environment;
    const first = (this.#firstUrl ??= baseUrl);
    if (baseUrl === first) return environment;
    const others = withoutKey(environment);
    if (apiKeySecret !== valuesOf(request, others).apiKeySecret)
      warn(
        `the provider does not send the API key of its environment to ${quoted(baseUrl)}: this process was first configured for ` +
          `${quoted(first)}. Set apiKeyId and apiKeySecret together with baseUrl, or start the plugin again.`,
      );
    return others;
  }
}

const valuesOf = (request: ConfigureRequest, environment: NodeJS.ProcessEnv): SettingValues =>
  readConfiguration(readerOf(request, environment), environment).values;
