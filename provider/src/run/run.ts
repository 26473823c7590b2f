import { createRequire } from "node:module";
import type * as clientModule from "../api/client";
import { systemClock, type Clock } from "../api/http/clock";
import type { ServiceScope } from "../settings/settings";
import { Secrets } from "../api/secrets/redaction";
import {
  readConfiguration,
  requireScope,
  requireSettings,
  insecureWarning,
  type Configuration,
} from "../settings/config";
import type { PropertyMap } from "../lifecycle/comparison/property-value";
import type { FailedCall } from "../lifecycle/state/write-failure";
import { Lifecycle, type Log } from "../lifecycle/program/lifecycle";
import { exportStack, type StackInProject } from "./stack-export";
import type { RunContext } from "../resources/context";
import { PipeLists } from "../resources/pipe/list";
import { render } from "../messages/next-steps";
import type { ListedPipe } from "../resources/pipe/observed";
import { SIGNATURE, withoutMark } from "../lifecycle/protocol/engine-values";
import { printableLines, printableValue } from "../messages/printable";
import { DEFINITIONS, requireDefinition, type Definitions } from "./definitions";
import { CONNECTION_SETTINGS, isScopeSetting } from "../settings/settings";
import { VERSION } from "./version";
import { Program } from "../lifecycle/program/program";
import { Stack } from "../lifecycle/program/stack";
import { getOrAdd } from "../values/get-or-add";

/** Loads the client at the first request: many previews send none, and axios is half of the code to load. */
const requireClient = (): typeof clientModule =>
  createRequire(__filename)("../api/client") as typeof clientModule;

/** A log whose warnings are lines like the others, with a word before them. */
export const logTo = (print: (line: string) => void): Log => ({
  log: print,
  warn: (line) => {
    print(`warning: ${line}`);
  },
});

/** What an adapter to the engine can give to its runs, with defaults. */
export interface RunOptions {
  /** Makes each text of an answer safe to print. Default: it loses characters that control a terminal. */
  readonly clean?: (text: string) => string;
  /** Default: the time of this machine, in a run that cannot be canceled. */
  readonly clock?: Clock;
  /** Loads the HTTP client at the first request. Default: from the file beside this one. */
  readonly loadClient?: () => Pick<typeof clientModule, "Client">;
  /** Tells the stack of the run, if no check has; undefined in a run without a program. Default: it is not known. */
  readonly stackOfRun?: () => Promise<StackInProject | undefined>;
  /** Returns the state of a stack in the form of `pulumi stack export`. Default: runs this command. */
  readonly exportStack?: (stack: string | StackInProject) => Promise<string>;
  /** The types of resources. Default: those of this package. */
  readonly definitions?: Definitions;
}

const DEFAULT_OPTIONS: Required<RunOptions> = {
  clean: printableValue,
  clock: systemClock,
  loadClient: requireClient,
  stackOfRun: () => Promise.resolve(undefined),
  exportStack,
  definitions: DEFINITIONS,
};

/** All that a provider instance knows in one run of the engine. Each configuration makes a new one. */
export class Run {
  readonly #secrets = new Secrets();
  readonly #configuration: Configuration;
  readonly #lifecycles = new Map<string, Lifecycle>();
  #client: clientModule.Client | undefined;
  /** Those of the configuration: their forms are the same in each call. */
  readonly #credential: Secrets;
  readonly #context: RunContext;
  readonly #options: Required<RunOptions>;

  /** `read` returns the text of a setting by its namespaced key. */
  constructor(
    private readonly output: Log,
    read: (key: string) => string | undefined,
    options: RunOptions = {},
  ) {
    this.#options = { ...DEFAULT_OPTIONS, ...options };
    this.#configuration = readConfiguration(read);
    const { apiKeyId, apiKeySecret } = this.#configuration.values;
    const credential = { apiKeySecret, secret: `${apiKeyId ?? ""}:${apiKeySecret ?? ""}` };
    this.#secrets.addFrom(credential);
    this.#credential = new Secrets(credential);
    const warning = insecureWarning(this.#configuration.values);
    if (warning !== undefined) this.#warn(warning);
    this.#context = this.#newContext();
  }

  /** A line without the secrets that this instance knows. */
  #readable = (line: string): string => printableLines(this.#secrets.redact(line));

  log = (line: string): void => {
    this.output.log(this.#readable(line));
  };

  #warn = (line: string): void => {
    this.output.warn(this.#readable(line));
  };

  lifecycle(type: string): Lifecycle {
    const define = requireDefinition(type, this.#options.definitions);
    return getOrAdd(this.#lifecycles, type, () => new Lifecycle(define(this.#context), this.#context));
  }

  /** The organization and the service that the configuration gives. */
  get configuredScope(): Readonly<Record<keyof ServiceScope, string | undefined>> {
    const { organizationId, serviceId } = this.#configuration.values;
    return { organizationId, serviceId };
  }

  /** Those given, else those of the configuration. Throws one error with all that is missing. */
  scope(given: Partial<ServiceScope>): ServiceScope {
    return requireScope(this.#configuration, given);
  }

  client(): clientModule.Client {
    if (this.#client !== undefined) return this.#client;
    const settings = requireSettings(this.#configuration, CONNECTION_SETTINGS);
    const { clean, clock, loadClient } = this.#options;
    const { Client } = loadClient();
    this.#client = new Client({
      ...settings,
      log: this.log,
      warn: this.#warn,
      clean: (text) => clean(withoutMark(text)),
      reservedNames: new Set([SIGNATURE]),
      clock,
      secrets: this.#secrets,
      userAgent: `pulumi-datapipes/${VERSION}`,
    });
    return this.#client;
  }

  /** The pipes of a service as they are since the last write of this run; `isFresh`: as they are now. */
  pipes = (scope: ServiceScope, isFresh: boolean): Promise<readonly ListedPipe[]> =>
    this.#context.lists.pipes(scope, isFresh);

  /** The message of an error with its next step, without secrets. */
  messageOf = (error: unknown, failed?: FailedCall): string => this.#readable(render(error, failed));

  /** Learns the secrets of answers. Tells which texts contain one of them, or the secret of the configuration. */
  trackSecrets(answers: readonly PropertyMap[]): (text: string) => boolean {
    this.#secrets.addFrom(...answers);
    return this.#secretTextsOf(answers);
  }

  /** Tells which texts contain a secret of a value, or that of the configuration. */
  #secretTextsOf(value: unknown): (text: string) => boolean {
    const secrets = new Secrets(value);
    return (text) => secrets.isIn(text) || this.#credential.isIn(text);
  }

  #newContext(): RunContext {
    const { clock } = this.#options;
    const program = new Program();
    const isDeleted = (id: string): boolean => program.isDeleted("Pipe", id);
    return {
      log: this.log,
      warn: this.#warn,
      client: () => this.client(),
      clock,
      lists: new PipeLists(() => this.client(), clock, isDeleted),
      program,
      stack: new Stack({
        log: this.log,
        now: () => clock.now(),
        isLost: program.isLost,
        read: this.#readStack,
      }),
      configurationProblems: (inputs) =>
        Object.entries(this.#configuration.defects)
          .filter(([name]) => inputs[name] === undefined || !isScopeSetting(name))
          .map(([, { text }]) => text),
      defaults: () => this.configuredScope,
      trackSecrets: (...properties) => {
        this.#secrets.addFrom(...properties);
      },
      messageOf: this.messageOf,
      readable: this.#readable,
      secretTextsOf: (...properties) => this.#secretTextsOf(properties),
    };
  }

  /** A program in TypeScript tells the name of its stack; else the engine tells the project and the stack. */
  #readStack = async (name: string | undefined): Promise<string | undefined> => {
    const stack = name ?? (await this.#options.stackOfRun());
    return stack === undefined ? undefined : this.#options.exportStack(stack);
  };
}
