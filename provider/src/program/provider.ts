import * as pulumi from "@pulumi/pulumi";
import { isConfigSecret } from "./plain-secret";
import type { ProviderArgs } from "./provider-args";
import { recordInstance } from "./per-program";
import { configurationKey, SETTING_NAMES, SETTINGS } from "../settings/settings";

/** Marks the instances of every copy of this package. */
const MARKER = Symbol.for("pulumi-datapipes.provider");

/** The settings of a provider as the engine has them. */
export type ProviderSettings = Readonly<Partial<Record<string, string>>>;

/**
 * An explicit instance of the provider, for several accounts in one program. Each has its own address, key, rate limit
 * and lists. Pass it to resources and functions as `{ provider }`.
 */
export class Provider extends pulumi.ProviderResource {
  /** @internal */
  public readonly [MARKER] = true;
  /**
   * The settings by their namespaced keys, for the data functions, which run in the program.
   * @internal
   */
  public readonly settings: pulumi.Output<ProviderSettings>;

  /**
   * Declares an instance.
   *
   * @param name logical name of the instance
   * @param args its settings
   * @param opts options of the resource
   */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const settings = settingsOf(args);
    super("pulumi-nodejs", name, settings, opts);
    this.settings = pulumi.output(settings);
    void recordInstance(this);
  }

  /** Whether a value is an explicit instance of this package's provider. */
  public static override isInstance(value: unknown): value is Provider {
    return pulumi.Resource.isInstance(value) && MARKER in value;
  }
}

/**
 * The arguments, and the stack's configuration for those that are missing: the engine gives an explicit provider no
 * configuration.
 */
function settingsOf(args: ProviderArgs): Record<string, pulumi.Input<string | undefined>> {
  const config = new pulumi.Config("datapipes");
  return Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const given: pulumi.Input<string | number | boolean | undefined> = args[name];
      const key = configurationKey(name);
      const secret = "secret" in SETTINGS[name] && SETTINGS[name].secret === true;
      const configured = secret || isConfigSecret(key) ? config.getSecret(name) : config.get(name);
      if (given === undefined && configured === undefined) return [];
      const text = pulumi.all([given, configured]).apply(([said, stored]) => {
        const value = said === undefined || said === "" ? stored : said;
        return value === undefined ? value : String(value);
      });
      return [[key, secret ? pulumi.secret(text) : text]];
    }),
  );
}
