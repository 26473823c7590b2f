import { createRequire } from "node:module";
import type * as clientModule from "../api/client";
import { systemClock, type Clock } from "../api/http/clock";
import type { ServiceScope } from "../settings/settings";
import { Secrets, secretsOf } from "../api/secrets/redaction";
import {
  readConfiguration,
  requireConnection,
  requireSettings,
  warnOfInsecure,
  type Configuration,
} from "../settings/config";
import type { PropertyMap } from "../lifecycle/property-value";
import { argumentProblems, requireScopeIds, throwOnProblems } from "../program/functions/query-arguments";
import { QUERIES } from "../program/functions/queries";
import { IdsInUse } from "../lifecycle/ids-in-use";
import { exportStack, storedResources, type StoredResource } from "../lifecycle/stack-state";
import { Lifecycle, type Log, type ProviderContext } from "../lifecycle/lifecycle";
import { engineAddress, RunFile } from "../lifecycle/run-file";
import { withUrn } from "../messages/advised-urn";
import { render } from "../messages/next-steps";
import { ownMember } from "../values/own-member";
import { harmless, printableLines } from "../messages/printable";
import { DEFINITIONS, requireDefinition, type Definitions } from "./definitions";
import { givenSettings, type GivenSettings } from "../settings/given-settings";
import { CONNECTION_SETTINGS, isScopeSetting } from "../settings/settings";
import { VERSION } from "../pulumi/version";
import { getOrAdd } from "../values/get-or-add";

/** Previews send no request, and axios is half of the code that this process would load. */
const requireClient = (): typeof clientModule =>
  createRequire(__filename)("../api/client") as typeof clientModule;

/** A log whose warnings are lines like the others, with a word before them. */
export const logTo = (print: (line: string) => void): Log => ({
  log: print,
  warn: (line) => {
    print(`warning: ${line}`);
  },
});

export interface RunSettings {
  /** Returns the text of a setting by its namespaced key. */
  readonly read: (key: string) => string | undefined;
  /** Those that are arguments of a `Provider` in the program. */
  readonly given?: GivenSettings | undefined;
  /** Default: that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** What an adapter to the engine can give to its runs, with defaults. */
export interface RunOptions {
  /** Makes each text of an answer safe to print. Default: it loses characters that control a terminal. */
  readonly clean?: (text: string) => string;
  /** Default: the time of this machine, in a run that cannot be cancelled. */
  readonly clock?: Clock;
  /** Loads the HTTP client at the first request. Default: from the file beside this one. */
  readonly loadClient?: () => Pick<typeof clientModule, "Client">;
  /** Whether the program is one of the classes of this package, which log the notes of a run. Default: false. */
  readonly programLogsNotes?: boolean;
  /** The types of resources. Default: those of this package. */
  readonly definitions?: Definitions;
}

const DEFAULT_OPTIONS: Required<RunOptions> = {
  clean: harmless,
  clock: systemClock,
  loadClient: requireClient,
  programLogsNotes: false,
  definitions: DEFINITIONS,
};

/**
 * All that a provider instance knows in one run of the engine: its configuration, its client with the rate limit and the lists that it has
 * read, its secrets, the resources that the engine has named, and the ids that they use. Each configuration makes a new one.
 */
export class Run {
  readonly #secrets = new Secrets();
  readonly #log: Log;
  readonly #configuration: Configuration;
  readonly #lifecycles = new Map<string, Lifecycle>();
  #client: clientModule.Client | undefined;
  readonly #stored = new Map<string, Promise<readonly StoredResource[]>>();
  /** Those of the configuration: their forms are the same in each call. */
  readonly #credential: Secrets;
  readonly ids: IdsInUse;

  readonly #options: Required<RunOptions>;

  constructor(
    output: Log,
    private readonly settings: RunSettings,
    options: RunOptions = {},
  ) {
    this.#options = { ...DEFAULT_OPTIONS, ...options };
    this.#log = {
      log: (line) => {
        output.log(this.#readable(line));
      },
      warn: (line) => {
        output.warn(this.#readable(line));
      },
    };
    this.ids = new IdsInUse(new RunFile(engineAddress(), this.#log));
    this.#configuration = this.#configured(settings.given);
    const { apiKeyId, apiKeySecret } = this.#configuration.values;
    const credential = { apiKeySecret, secret: `${apiKeyId ?? ""}:${apiKeySecret ?? ""}` };
    this.#secrets.addFrom(credential);
    this.#credential = secretsOf(credential);
    warnOfInsecure(this.#configuration.values, this.#log.warn);
  }

  #readable = (line: string): string => printableLines(this.#secrets.redact(withUrn(line)));

  #configured = (given: GivenSettings | undefined): Configuration =>
    readConfiguration(this.settings.read, this.settings.environment, given);

  lifecycle(type: string): Lifecycle {
    return getOrAdd(this.#lifecycles, type, () => this.#newLifecycle(type));
  }

  #newLifecycle(type: string): Lifecycle {
    const { baseUrl, warnOfStates = [] } = this.#configuration.values;
    const define = requireDefinition(type, this.#options.definitions);
    const context = {
      ...this.#log,
      client: () => this.client(),
      clock: this.#options.clock,
      ids: this.ids,
      stored: this.#storedOf,
      warnedStates: warnOfStates,
      server: baseUrl ?? "",
    };
    return new Lifecycle(define(context), this.#context());
  }

  /** The resources of a type in the stack of this run, read once. */
  #storedOf = async (type: string, stack: string | undefined): Promise<readonly StoredResource[]> =>
    stack === undefined ? [] : getOrAdd(this.#stored, type, () => resourcesOfStack(stack, type));

  /** The organization and the service that the configuration gives. */
  get configuredScope(): Partial<ServiceScope> {
    const { organizationId, serviceId } = this.#configuration.values;
    return {
      ...(organizationId !== undefined && { organizationId }),
      ...(serviceId !== undefined && { serviceId }),
    };
  }

  /** The organization and the service: those given, else those of the configuration. Throws one error with all that is missing. */
  scope(given: Partial<ServiceScope>): ServiceScope {
    return requireConnection(this.#configuration, given).scope;
  }

  client(): clientModule.Client {
    if (this.#client !== undefined) return this.#client;
    const settings = requireSettings(this.#configuration, CONNECTION_SETTINGS);
    const { clean, clock, loadClient } = this.#options;
    const { Client } = loadClient();
    const userAgent = `pulumi-datapipes/${VERSION}`;
    this.#client = new Client({ ...settings, ...this.#log, clean, clock, secrets: this.#secrets, userAgent });
    return this.#client;
  }

  /** Runs a data function by its name, such as `getPipes`. Throws an error whose message has the next step. */
  async query(name: string, args: PropertyMap): Promise<object> {
    const query = ownMember(QUERIES, name);
    if (query === undefined)
      throw new Error(
        `pulumi-datapipes ${VERSION} has no function ${JSON.stringify(name)}. Update the plugin: the program may use a newer SDK.`,
      );
    try {
      throwOnProblems(query, await argumentProblems(query, args));
      // Checked: all arguments are texts that the function knows.
      const known = args as Readonly<Record<string, string>>;
      requireScopeIds(known);
      return await query.run({ scope: this.scope(known), client: this.client() }, known as never);
    } catch (error) {
      throw new Error(printableLines(this.#secrets.redact(render(error))));
    }
  }

  /** Writes a line without the secrets that this instance knows. */
  log(line: string): void {
    this.#log.log(line);
  }

  /** Learns the secrets of answers. Tells which texts contain one of them, or the secret of the configuration. */
  trackSecrets(answers: readonly PropertyMap[]): (text: string) => boolean {
    this.#secrets.addFrom(...answers);
    return this.#secretTextsOf(answers);
  }

  /** Tells which texts contain a secret of a value, or that of the configuration. */
  #secretTextsOf(value: unknown): (text: string) => boolean {
    const secrets = secretsOf(value);
    return (text) => secrets.isIn(text) || this.#credential.isIn(text);
  }

  #context(): ProviderContext {
    return {
      ...this.#log,
      ids: this.ids,
      stored: this.#storedOf,
      configurationProblems: (inputs, given) =>
        Object.entries(this.#problems(givenSettings(given)))
          .filter(([name]) => inputs[name] === undefined || !isScopeSetting(name))
          .map(([, problem]) => problem),
      defaults: () => {
        const { organizationId, serviceId } = this.#configuration.values;
        return { organizationId, serviceId };
      },
      leaveNote: ({ subject, words }) =>
        this.#options.programLogsNotes &&
        this.ids.file.addNote({ subject: this.#readable(subject), words: this.#readable(words) }),
      trackSecrets: (...properties) => {
        this.#secrets.addFrom(...properties);
      },
      render,
      redact: (text) => this.#secrets.redact(text),
      secretTextsOf: (properties) => this.#secretTextsOf(properties),
    };
  }

  /** What is wrong with the configuration. For settings that are arguments of a `Provider`, the problems name these. */
  #problems(given: GivenSettings | undefined): Configuration["problems"] {
    const { problems } = this.#configuration;
    return given === undefined || Object.keys(problems).length === 0
      ? problems
      : this.#configured(given).problems;
  }
}

async function resourcesOfStack(stack: string, type: string): Promise<readonly StoredResource[]> {
  const text = await exportStack(stack, process.env);
  try {
    return text === undefined ? [] : storedResources(text, type);
  } catch {
    // A later CLI may write another form.
    return [];
  }
}
