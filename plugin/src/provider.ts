import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as client from "../../provider/src/api/client";
import type { Clock } from "../../provider/src/api/http/clock";
import { EngineAdapter } from "../../provider/src/lifecycle/protocol/engine-adapter";
import { fromEngine } from "../../provider/src/lifecycle/protocol/engine-values";
import { HIDDEN_INPUTS } from "../../provider/src/lifecycle/state/hidden-inputs";
import { isDeclaredProvider, partsOf, withoutModule } from "../../provider/src/lifecycle/state/resource-key";
import { privateStateOf, withPrivateState } from "../../provider/src/lifecycle/state/private-state";
import { isFunctionName, query } from "../../provider/src/program/functions/queries";
import { UNKNOWN, type PropertyMap } from "../../provider/src/lifecycle/comparison/property-value";
import { Run, type RunOptions } from "../../provider/src/run/run";
import { plainSecretWarning, unknownSettings } from "../../provider/src/settings/stack-configuration";
import { printable } from "../../provider/src/messages/printable";
import type { StackInProject } from "../../provider/src/run/stack-export";
import { VERSION } from "../../provider/src/run/version";
import { cancellableClock, type Cancellation } from "./cancellable-clock";
import { aboutResource, type ResourceRequest } from "./calls";
import { argumentFailures, checkedConfiguration, readerOf, stackConfiguration } from "./configuration";
import { detailedDiff } from "./detailed-diff";
import type { LineOutput } from "./engine-log";
import { callErrorOf } from "./engine-error";
import { hasPlainSecret } from "./plain-secret";
import { checkImport, checkImportedTexts, keepFormerImport, parseImportId } from "./import";
import { propertiesOf, structOf } from "./struct";

export interface NativeProviderOptions extends Pick<RunOptions, "definitions" | "exportStack"> {
  /** Makes the clock of a run that can be canceled. */
  readonly newClock?: (cancellation: Cancellation) => Clock;
}

/** A native provider: the engine's calls on the lifecycles of a run. One process serves one provider instance. */
export class NativeProvider {
  #cancelled = new AbortController();
  #ended = new AbortController();
  readonly #newClock: (cancellation: Cancellation) => Clock;
  readonly #runOptions: RunOptions;
  #configured: Run | undefined;
  /** The stack of the run, which each call about a resource tells in its URN. */
  #stack: StackInProject | undefined;

  constructor(
    private readonly log: LineOutput,
    private readonly schema: () => Promise<string>,
    { newClock = cancellableClock, ...runOptions }: NativeProviderOptions = {},
  ) {
    this.#newClock = newClock;
    this.#runOptions = runOptions;
  }

  /** A run warns of its configuration, so it starts with that. Tools may call without one. */
  get #run(): Run {
    return (this.#configured ??= this.#newRun(() => undefined));
  }

  async getSchema(): Promise<pb.GetSchemaResponse> {
    return new pb.GetSchemaResponse().setSchema(await this.schema());
  }

  getPluginInfo(): PluginInfo {
    return new PluginInfo().setVersion(VERSION);
  }

  attach(request: PluginAttach): void {
    // The engine cancels at the end of a run, too: the next one must not be canceled.
    if (this.#cancelled.signal.aborted)
      [this.#cancelled, this.#ended] = [new AbortController(), new AbortController()];
    this.log.connect(request.getAddress());
  }

  /**
   * Ends waits, and starts no more requests. Does not interrupt a request that may change something, or the check for
   * its result.
   */
  cancel(): void {
    this.#cancelled.abort();
  }

  /** Also ends the check for the result of a request, because the engine no longer runs. */
  end(): void {
    this.#cancelled.abort();
    this.#ended.abort();
  }

  async checkConfig(request: pb.CheckRequest): Promise<pb.CheckResponse> {
    const { stack, project, name } = partsOf(request.getUrn());
    const newInputs = propertiesOf(request.getNews());
    const isOfStack = !isDeclaredProvider(name) || newInputs["apiKeySecret"] === undefined;
    if (isOfStack && (await hasPlainSecret(stack, process.env, process.cwd())))
      this.log.warn(plainSecretWarning);
    const configured = Object.keys(stackConfiguration(process.env)).map((each) => `datapipes:${each}`);
    for (const { problem } of isDeclaredProvider(name) ? [] : unknownSettings(configured, project))
      this.log.warn(printable(problem));
    await this.log.flush();
    const inputs = checkedConfiguration(newInputs);
    // A failure without a property: the engine would print the property's value.
    const failures = argumentFailures(request).map((reason) => new pb.CheckFailure().setReason(reason));
    return new pb.CheckResponse().setInputs(structOf(inputs)).setFailuresList(failures);
  }

  /** Another configuration never replaces a resource: the provider continues to manage what exists. */
  diffConfig(): pb.DiffResponse {
    return new pb.DiffResponse().setChanges(pb.DiffResponse.DiffChanges.DIFF_UNKNOWN);
  }

  configure(request: pb.ConfigureRequest): pb.ConfigureResponse {
    // A plugin that was started for debugging serves several runs.
    this.#configured = this.#newRun(readerOf(request, process.env));
    return new pb.ConfigureResponse().setSupportspreview(true);
  }

  #newRun(read: (key: string) => string | undefined): Run {
    const clock = this.#newClock({ cancelled: this.#cancelled.signal, ended: this.#ended.signal });
    return new Run(this.log, read, {
      ...this.#runOptions,
      clock,
      loadClient: () => client,
      stackOfRun: () => Promise.resolve(this.#stack),
    });
  }

  check = this.#onResource(async (request: pb.CheckRequest, adapter) => {
    const { key, name: logicalName } = partsOf(request.getUrn());
    const oldInputs = fromEngine(propertiesOf(request.getOlds()));
    const newInputs = fromEngine(propertiesOf(request.getNews()));
    const isInStack = Object.keys(oldInputs).length > 0;
    const checked = adapter.lifecycle.check(
      isInStack ? oldInputs : undefined,
      { ...newInputs, [HIDDEN_INPUTS.key]: key },
      logicalName,
    );
    const failures = await adapter.failures(newInputs, checked);
    return new pb.CheckResponse()
      .setInputs(structOf(adapter.inputs(checked.inputs)))
      .setFailuresList(failures.map((reason) => new pb.CheckFailure().setReason(reason)));
  });

  diff = this.#onResource((request: pb.DiffRequest, { lifecycle }) => {
    const { DIFF_NONE, DIFF_SOME } = pb.DiffResponse.DiffChanges;
    const [state = {}, inputs = {}] = [request.getOlds(), request.getNews()].map((struct) =>
      fromEngine(propertiesOf(struct)),
    );
    const result = lifecycle.diff(request.getId(), state, inputs, partsOf(request.getUrn()).key);
    // Also without a change: a failed run before and replaceOnChanges can make the engine replace it.
    const response = new pb.DiffResponse().setDeletebeforereplace(result.deleteBeforeReplace);
    if (!result.changed) return response.setChanges(DIFF_NONE);
    const paths = detailedDiff(result);
    for (const [path, diff] of paths) response.getDetaileddiffMap().set(path, diff);
    return response
      .setChanges(DIFF_SOME)
      .setHasdetaileddiff(result.changes.length > 0)
      .setReplacesList([...result.replaces]);
  });

  create = this.#onResource(async (request: pb.CreateRequest, adapter) => {
    const inputs = fromEngine(propertiesOf(request.getProperties()));
    if (request.getPreview()) return new pb.CreateResponse().setProperties(previewed(adapter, inputs));
    const { id, outputs } = await adapter.lifecycle.create(inputs, partsOf(request.getUrn()).key);
    return new pb.CreateResponse().setId(id).setProperties(structOf(adapter.outputs(outputs)));
  });

  update = this.#onResource(async (request: pb.UpdateRequest, adapter) => {
    const inputs = fromEngine(propertiesOf(request.getNews()));
    if (request.getPreview()) return new pb.UpdateResponse().setProperties(previewed(adapter, inputs));
    const state = fromEngine(propertiesOf(request.getOlds()));
    const { key } = partsOf(request.getUrn());
    const outputs = await adapter.lifecycle.update(request.getId(), state, inputs, key);
    return new pb.UpdateResponse().setProperties(structOf(adapter.outputs(outputs, state)));
  });

  read = this.#onResource(async (request: pb.ReadRequest, adapter) => {
    const { lifecycle } = adapter;
    const { id, scope } = parseImportId(request.getId());
    // Not the inputs: after a failed update, they hold what the provider has not sent.
    const stored = fromEngine(propertiesOf(request.getProperties()));
    const imports = Object.keys(stored).length === 0;
    if (imports) checkImport(lifecycle.definition, request.getId());
    const read = await lifecycle.read(id, { ...stored, ...scope });
    if (read === undefined) return new pb.ReadResponse();
    if (imports) checkImportedTexts(lifecycle.definition, id, read.inputs);
    const outputs = imports ? withImported(read.outputs) : read.outputs;
    return new pb.ReadResponse()
      .setId(id)
      .setProperties(structOf(adapter.outputs(outputs)))
      .setInputs(structOf(adapter.inputs(read.inputs)));
  });

  delete = this.#onResource(async (request: pb.DeleteRequest, adapter) => {
    const { lifecycle } = adapter;
    const [id, properties] = [request.getId(), fromEngine(propertiesOf(request.getProperties()))];
    const urn = request.getUrn();
    const imported = await lifecycle.context.stack.importedInstead(urn, id);
    if (imported === undefined) await adapter.delete(id, properties, partsOf(urn).key);
    else keepFormerImport(lifecycle, id, properties, imported);
  });

  async invoke(request: pb.InvokeRequest): Promise<pb.InvokeResponse> {
    const args = fromEngine(propertiesOf(request.getArgs()));
    const name = withoutModule(request.getTok());
    if (!isFunctionName(name))
      throw new Error(
        `pulumi-resource-datapipes ${VERSION} has no function ${JSON.stringify(name)}. ` +
          "Update the plugin: the program may use a newer SDK.",
      );
    const result = await query(this.#run, name, args)
      .catch((error: unknown) => {
        throw new Error(this.#run.messageOf(error));
      })
      .finally(() => this.log.flush());
    return new pb.InvokeResponse().setReturn(structOf({ ...result }));
  }

  /** A call about a resource: with the lifecycle of its type, lines beside it, and errors as the engine reads them. */
  #onResource<R extends ResourceRequest, T>(work: (request: R, adapter: EngineAdapter) => T | Promise<T>) {
    return (request: R): Promise<T> =>
      aboutResource(request, async () => {
        const { type, project, stack } = partsOf(request.getUrn());
        this.#stack ??= { project, stack };
        const adapter = new EngineAdapter(this.#run.lifecycle(withoutModule(type)));
        try {
          return await work(request, adapter);
        } catch (error) {
          throw await callErrorOf(error, adapter);
        } finally {
          await this.log.flush();
        }
      });
  }
}

const withImported = (outputs: PropertyMap): PropertyMap =>
  withPrivateState(outputs, { ...privateStateOf(outputs), imported: true });

/** The outputs at a preview: the inputs, and all others unknown. */
function previewed(adapter: EngineAdapter, inputs: PropertyMap): Struct {
  const unknown = Object.keys(adapter.lifecycle.definition.outputs).map((name) => [name, UNKNOWN] as const);
  return structOf({ ...adapter.outputs({ ...Object.fromEntries(unknown), ...inputs }) });
}
