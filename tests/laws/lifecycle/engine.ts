import { isDeepStrictEqual } from "node:util";
import { HIDDEN_INPUTS } from "../../../provider/src/core/hidden-inputs";
import type { Plugin, Provider } from "./plugin";
import type { Declaration, Program, Report, Resource, UpOptions } from "./program";
import { readable, received, type Properties } from "./wire";

const HANDLER = { __provider: "the text that leads to the plugin" };
const NOT_PENDING = { unfinished: false, pendingDelete: false, pendingReplacement: false };

type Plan =
  | { readonly do: "create" | "update" | "keep"; readonly inputs: Properties }
  | { readonly do: "replace"; readonly inputs: Properties; readonly deleteFirst: boolean };

/**
 * A model of Pulumi's engine: every run starts a new plugin process, an `up` is a preview and then an update, and a
 * failed step keeps the old state.
 */
export class Engine {
  #state: readonly Resource[] = [];
  #failures: { name: string; message: string }[] = [];
  #stored: string[] = [];
  #retained: string[] = [];

  constructor(private readonly start: () => Plugin) {}

  get state(): readonly Resource[] {
    return this.#state;
  }

  /** `pulumi up`, with the steps one after another or at the same time, after a refresh if asked. */
  async up(program: Program, options: UpOptions = {}): Promise<Report> {
    return this.#run(async (preview) => {
      if (options.refresh === true) await this.#readAll(preview);
      if (this.#failures.length > 0) return [];
      for (const [name, declaration] of program)
        await this.#step(name, () => this.#plan(preview, name, declaration, options));
      if (this.#failures.length > 0) return [];
      const plugin = this.start();
      const steps = [...program].map(
        ([name, declaration]) =>
          () =>
            this.#step(name, () => this.#carryOut(plugin, name, declaration, options)),
      );
      if (options.parallel === true) await Promise.all(steps.map((step) => step()));
      else for (const step of steps) if (this.#failures.length === 0) await step();
      if (this.#failures.length === 0) await this.#deleteOthers(plugin, program);
      return plugin.lines;
    });
  }

  /** `pulumi refresh`. */
  refresh(): Promise<Report> {
    return this.#run(async (plugin) => {
      await this.#readAll(plugin);
      return [];
    });
  }

  async #run(work: (plugin: Plugin) => Promise<readonly string[]>): Promise<Report> {
    this.#failures = [];
    this.#stored = [];
    this.#retained = [];
    const plugin = this.start();
    const more = await work(plugin);
    const lines = [...plugin.lines, ...more];
    return { failures: this.#failures, lines, stored: this.#stored, retained: this.#retained };
  }

  async #step(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failures.push({ name, message: error instanceof Error ? error.message : String(error) });
    }
  }

  /** The state's entry of a resource of the program, by its name or by an alias. */
  #current(name: string, { aliases = [] }: Declaration): Resource | undefined {
    const named = [name, ...aliases].map((one) =>
      this.#state.find((resource) => resource.name === one && !resource.pendingDelete),
    );
    return named.find((resource) => resource !== undefined);
  }

  #put(old: Resource | undefined, ...news: readonly Resource[]): void {
    const at = old === undefined ? this.#state.length : this.#state.indexOf(old);
    this.#state = [...this.#state.slice(0, at), ...news, ...this.#state.slice(at + 1)];
  }

  #received(value: object): Properties {
    this.#stored.push(readable(value));
    return received(value);
  }

  async #plan(plugin: Plugin, name: string, declaration: Declaration, { replace }: UpOptions): Promise<Plan> {
    const { type, args } = declaration;
    const provider = plugin.provider(type);
    const old = this.#current(name, declaration);
    const named = { ...args, [HIDDEN_INPUTS.key]: name };
    // The engine creates the replacement of a deleted resource without a diff.
    if (old?.pendingReplacement === true)
      return { do: "replace", inputs: await this.#checked(provider, {}, named), deleteFirst: true };
    // The engine checks the target of --replace like a new resource, and replaces it without a diff.
    if (old !== undefined && replace?.has(name) === true)
      return { do: "replace", inputs: await this.#checked(provider, {}, named), deleteFirst: false };
    const inputs = await this.#checked(provider, old?.inputs ?? {}, named);
    if (old === undefined) return { do: "create", inputs };
    const diff = await provider.diff(old.id, old.outputs, inputs);
    // If the provider's diff leaves it open, the engine compares the inputs.
    const changed = diff.changes ?? !isDeepStrictEqual(old.inputs, inputs);
    if (changed && ((diff.replaces ?? []).length > 0 || replacesOn(declaration, old.inputs, inputs))) {
      const fresh = await this.#checked(provider, {}, named);
      return { do: "replace", inputs: fresh, deleteFirst: diff.deleteBeforeReplace === true };
    }
    return { do: changed || old.unfinished ? "update" : "keep", inputs };
  }

  async #checked(provider: Provider, olds: Properties, args: Properties): Promise<Properties> {
    const { inputs, failures = [] } = await provider.check(olds, { ...args, ...HANDLER });
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return { ...this.#received(inputs as object), ...HANDLER };
  }

  async #carryOut(plugin: Plugin, name: string, declaration: Declaration, options: UpOptions): Promise<void> {
    const plan = await this.#plan(plugin, name, declaration, options);
    const provider = plugin.provider(declaration.type);
    const old = this.#current(name, declaration);
    const { type, args } = declaration;
    // The resource classes set this option if the policy is known.
    const retainOnDelete = (args["deletionPolicy"] ?? "retain") === "retain";
    const resource = { name, type, inputs: plan.inputs, ...NOT_PENDING, retainOnDelete };
    if (old === undefined) return this.#create(provider, resource);
    if (plan.do === "keep") {
      this.#put(old, { ...old, name, inputs: plan.inputs, retainOnDelete });
      return;
    }
    if (plan.do === "update") return this.#update(provider, old, resource);
    if (plan.do !== "replace" || !plan.deleteFirst) return this.#create(provider, resource, old);
    if (!old.pendingReplacement) await this.#delete(provider, old);
    const pendingReplacement = { ...old, pendingReplacement: true };
    this.#put(old, pendingReplacement);
    await this.#create(provider, resource, pendingReplacement);
  }

  async #create(
    provider: Provider,
    resource: Omit<Resource, "id" | "outputs">,
    old?: Resource,
  ): Promise<void> {
    const keep = (id: string, outputs: object, unfinished: boolean): void => {
      const made = { ...resource, id, outputs: { ...this.#received(outputs), ...HANDLER }, unfinished };
      const rest = old === undefined || old.pendingReplacement ? [] : [{ ...old, pendingDelete: true }];
      this.#put(old, made, ...rest);
    };
    try {
      const { id, outs } = await provider.create(resource.inputs);
      keep(id, outs as object, false);
    } catch (error) {
      const partial = partialOf(error);
      if (partial !== undefined) keep(partial.id, partial.properties, true);
      throw error;
    }
  }

  async #update(
    provider: Provider,
    old: Resource,
    resource: Omit<Resource, "id" | "outputs">,
  ): Promise<void> {
    const keep = (outputs: object, unfinished: boolean): void => {
      this.#put(old, {
        ...resource,
        id: old.id,
        outputs: { ...this.#received(outputs), ...HANDLER },
        unfinished,
      });
    };
    try {
      const { outs } = await provider.update(old.id, old.outputs, resource.inputs);
      keep(outs as object, false);
    } catch (error) {
      const partial = partialOf(error);
      if (partial !== undefined) keep(partial.properties, true);
      throw error;
    }
  }

  /** Deletes the resources that the program no longer declares, and the replaced ones. */
  async #deleteOthers(plugin: Plugin, program: Program): Promise<void> {
    for (const resource of this.#state) {
      if (!resource.pendingDelete && program.has(resource.name)) continue;
      await this.#step(resource.name, async () => {
        if (!resource.pendingReplacement) await this.#delete(plugin.provider(resource.type), resource);
        this.#put(resource);
      });
    }
  }

  async #delete(provider: Provider, { id, outputs, retainOnDelete }: Resource): Promise<void> {
    if (retainOnDelete) this.#retained.push(id);
    else await provider.delete(id, outputs);
  }

  async #readAll(plugin: Plugin): Promise<void> {
    for (const resource of this.#state.filter(({ pendingReplacement }) => !pendingReplacement))
      await this.#step(resource.name, async () => {
        const read = await plugin.provider(resource.type).read(resource.id, resource.outputs);
        if (read.id === undefined) {
          this.#put(resource);
          return;
        }
        const outputs = { ...this.#received(read.props as object), ...HANDLER };
        const inputs = { ...this.#received(read.inputs as object), ...HANDLER };
        this.#put(resource, { ...resource, inputs, outputs, unfinished: false });
      });
  }
}

/** Whether the option `replaceOnChanges` turns this change into a replacement. */
const replacesOn = ({ replaceOnChanges = [] }: Declaration, before: Properties, after: Properties): boolean =>
  replaceOnChanges.some((name) => !isDeepStrictEqual(before[name], after[name]));

interface Partial {
  readonly id: string;
  readonly properties: object;
}

/** The id and outputs that a failed create or update reports. */
function partialOf(error: unknown): Partial | undefined {
  if (typeof error !== "object" || error === null || !("properties" in error)) return undefined;
  const partial = error as Partial;
  if ("__provider" in partial.properties) return partial;
  throw new Error(`The state of ${partial.id} has no __provider, so Pulumi could never delete it.`);
}
