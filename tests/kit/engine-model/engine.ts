import { partsOf } from "../../../provider/src/lifecycle/state/resource-key";
import {
  InitFailure,
  received,
  type EngineAdapter,
  type Identity,
  type Plugin,
  type Properties,
  type Stored,
} from "./adapter";
import { readable } from "../json";
import { startDynamic } from "./dynamic";
import { startNative } from "./native";

export interface Declaration {
  readonly type: Identity["type"];
  readonly args: Properties;
  readonly aliases?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
}

/**
 * The program: its resources in their order, by their names from the outermost parent on, as in `parent/name`. The engine tells two
 * resources apart by them, and so does the key that the classes send.
 */
export type Program = ReadonlyMap<string, Declaration>;

export interface Resource extends Identity, Stored {
  /** Its last create or update failed in part: the next run updates it, with or without changes. */
  readonly unfinished: boolean;
  /** The engine has created its replacement and still has to delete it. */
  readonly pendingDelete: boolean;
  /** The engine has deleted it and still has to create its replacement. */
  readonly pendingReplacement: boolean;
  /** The engine drops it from the state and does not call the plugin. */
  readonly retainOnDelete: boolean;
}

export interface Report {
  readonly failures: { readonly name: string; readonly message: string }[];
  readonly lines: readonly string[];
  readonly stored: string[];
  /** The ids for which the engine shows `delete[retain]`. */
  readonly retained: string[];
}

export interface UpOptions {
  readonly parallel?: boolean;
  readonly refresh?: boolean;
  readonly replace?: ReadonlySet<string>;
}

export const ADAPTERS = { dynamic: startDynamic, native: startNative };

const NOT_PENDING = { unfinished: false, pendingDelete: false, pendingReplacement: false };

/** A resource of the program, by its name. */
type Declared = readonly [name: string, declaration: Declaration];

type Plan =
  | { readonly do: "create" | "update" | "keep"; readonly inputs: Properties }
  | { readonly do: "replace"; readonly inputs: Properties; readonly deleteFirst: boolean };

/**
 * A model of Pulumi's engine: every run starts a new plugin process, an `up` is a preview and then an update, and a
 * failed step keeps the old state.
 */
export class Engine {
  state: readonly Resource[] = [];
  #report: Omit<Report, "lines"> = { failures: [], stored: [], retained: [] };

  /** A plugin gets the state as `pulumi stack export` returns it during a run. */
  constructor(private readonly startPlugin: (exportStack: () => Promise<string>) => Plugin) {}

  #start(): Plugin {
    const plugin = this.startPlugin(() => Promise.resolve(this.#exported(plugin)));
    return plugin;
  }

  #exported({ adapter }: Plugin): string {
    const resources = this.state.map((resource) => ({
      urn: adapter.urnOf(resource),
      type: partsOf(adapter.urnOf(resource)).type,
      id: resource.id,
      inputs: resource.inputs,
      outputs: resource.outputs,
      delete: resource.pendingDelete,
      retainOnDelete: resource.retainOnDelete,
    }));
    return JSON.stringify({ deployment: { resources } });
  }

  /**
   * `pulumi up`, with the steps one after another or at the same time. A refresh reads the resources for the preview, of which nothing
   * stays, and again for the update.
   */
  async up(program: Program, options: UpOptions = {}): Promise<Report> {
    return this.#run(async (preview) => {
      const before = this.state;
      if (options.refresh === true) await this.#readAll(preview);
      if (this.#report.failures.length === 0)
        for (const declared of program)
          await this.#step(declared[0], () => this.#preview(preview, declared, options));
      this.state = before;
      if (this.#report.failures.length > 0) return [];
      const plugin = this.#start();
      if (options.refresh === true) await this.#readAll(plugin);
      if (this.#report.failures.length > 0) return plugin.lines;
      const steps = [...program].map(
        (declared) => () => this.#step(declared[0], () => this.#carryOut(plugin, declared, options)),
      );
      if (options.parallel === true) await Promise.all(steps.map((step) => step()));
      else for (const step of steps) if (this.#report.failures.length === 0) await step();
      if (this.#report.failures.length === 0) await this.#deleteOthers(plugin, program);
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

  /** `pulumi state delete`. */
  deleteFromState(resource: Resource): void {
    this.#remove(resource);
  }

  async #run(work: (plugin: Plugin) => Promise<readonly string[]>): Promise<Report> {
    const report = (this.#report = { failures: [], stored: [], retained: [] });
    const plugin = this.#start();
    const more = await work(plugin);
    return { ...report, lines: [...plugin.lines, ...more] };
  }

  async #step(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#report.failures.push({ name, message: error instanceof Error ? error.message : String(error) });
    }
  }

  /** The state's entry of a resource of the program, by its name or by an alias. */
  #current([name, { aliases = [] }]: Declared): Resource | undefined {
    const named = [name, ...aliases].map((one) =>
      this.state.find((resource) => resource.name === one && !resource.pendingDelete),
    );
    return named.find((resource) => resource !== undefined);
  }

  #add(resource: Resource): void {
    this.state = [...this.state, resource];
  }

  #replace(old: Resource, ...resources: readonly Resource[]): void {
    this.state = this.state.flatMap((one) => (one === old ? resources : [one]));
  }

  #remove(resource: Resource): void {
    this.state = this.state.filter((one) => one !== resource);
  }

  #received(value: object): Properties {
    this.#report.stored.push(readable(value));
    return received(value);
  }

  async #plan({ adapter }: Plugin, declared: Declared, { replace }: UpOptions): Promise<Plan> {
    const [name, { type, args, replaceOnChanges = [] }] = declared;
    const resource = { name, type, replaceOnChanges };
    const old = this.#current(declared);
    const check = async (oldInputs?: Properties): Promise<Properties> =>
      this.#received(await adapter.check(resource, oldInputs, args));
    // The classes set the option `deleteBeforeReplace`.
    const deletes = adapter.setsOptions && args["deletionPolicy"] === "delete";
    // The engine checks the target of --replace like a new resource, and replaces it without a diff.
    if (old !== undefined && replace?.has(name) === true)
      return { do: "replace", inputs: await check(), deleteFirst: deletes };
    const inputs = await check(old?.inputs);
    if (old === undefined) return { do: "create", inputs };
    const { changed, replaces, deleteBeforeReplace } = await adapter.diff(resource, old, inputs);
    // A deleted resource still needs its replacement.
    if ((changed && replaces) || old.pendingReplacement)
      return { do: "replace", inputs: await check(), deleteFirst: deletes || deleteBeforeReplace };
    return { do: changed || old.unfinished ? "update" : "keep", inputs };
  }

  async #preview(plugin: Plugin, declared: Declared, options: UpOptions): Promise<void> {
    const plan = await this.#plan(plugin, declared, options);
    const old = this.#current(declared);
    const [name, { type }] = declared;
    const resource = { name, type };
    if (plan.do === "keep") return;
    if (plan.do === "update" && old !== undefined)
      await plugin.adapter.update(resource, old, plan.inputs, { preview: true });
    else await plugin.adapter.create(resource, plan.inputs, { preview: true });
  }

  async #carryOut(plugin: Plugin, declared: Declared, options: UpOptions): Promise<void> {
    const plan = await this.#plan(plugin, declared, options);
    const { adapter } = plugin;
    const old = this.#current(declared);
    const [name, { type, args }] = declared;
    // The classes set this option, too, if the policy is known.
    const retainOnDelete = adapter.setsOptions && (args["deletionPolicy"] ?? "retain") === "retain";
    const resource = { name, type, inputs: plan.inputs, ...NOT_PENDING, retainOnDelete };
    if (old === undefined) return this.#create(adapter, resource);
    if (plan.do === "keep") {
      this.#replace(old, { ...old, name, inputs: plan.inputs, retainOnDelete });
      return;
    }
    if (plan.do === "update") return this.#update(adapter, old, resource);
    if (plan.do !== "replace" || !plan.deleteFirst) return this.#create(adapter, resource, old);
    if (!old.pendingReplacement) await this.#delete(adapter, old);
    const pendingReplacement = { ...old, pendingReplacement: true };
    this.#replace(old, pendingReplacement);
    await this.#create(adapter, resource, pendingReplacement);
  }

  async #create(
    adapter: EngineAdapter,
    resource: Omit<Resource, "id" | "outputs">,
    old?: Resource,
  ): Promise<void> {
    const keep = (id: string, outputs: Properties, unfinished: boolean): void => {
      const made = { ...resource, id, outputs: this.#received(outputs), unfinished };
      if (old === undefined) this.#add(made);
      else if (old.pendingReplacement) this.#replace(old, made);
      else this.#replace(old, made, { ...old, pendingDelete: true });
    };
    try {
      const { id, outputs } = await adapter.create(resource, resource.inputs, { preview: false });
      keep(id, outputs, false);
    } catch (error) {
      if (error instanceof InitFailure) keep(error.id, error.outputs, true);
      throw error;
    }
  }

  async #update(
    adapter: EngineAdapter,
    old: Resource,
    resource: Omit<Resource, "id" | "outputs">,
  ): Promise<void> {
    const keep = (outputs: Properties, unfinished: boolean): void => {
      this.#replace(old, { ...resource, id: old.id, outputs: this.#received(outputs), unfinished });
    };
    try {
      keep(await adapter.update(resource, old, resource.inputs, { preview: false }), false);
    } catch (error) {
      if (error instanceof InitFailure) keep(error.outputs, true);
      throw error;
    }
  }

  async #deleteOthers(plugin: Plugin, program: Program): Promise<void> {
    for (const resource of this.state) {
      if (!resource.pendingDelete && program.has(resource.name)) continue;
      await this.#step(resource.name, async () => {
        if (!resource.pendingReplacement) await this.#delete(plugin.adapter, resource);
        this.#remove(resource);
      });
    }
  }

  async #delete(adapter: EngineAdapter, resource: Resource): Promise<void> {
    if (resource.retainOnDelete) this.#report.retained.push(resource.id);
    else await adapter.delete(resource, resource);
  }

  async #readAll({ adapter }: Plugin): Promise<void> {
    for (const resource of this.state.filter(({ pendingReplacement }) => !pendingReplacement))
      await this.#step(resource.name, async () => {
        const read = await adapter.read(resource, resource);
        if (read === undefined) {
          this.#remove(resource);
          return;
        }
        const refreshed = { inputs: this.#received(read.inputs), outputs: this.#received(read.outputs) };
        // To show what the refresh found, the engine compares as if the old inputs were the program's.
        await adapter.diff(resource, { id: resource.id, ...refreshed }, resource.inputs);
        this.#replace(resource, { ...resource, ...refreshed, unfinished: false });
      });
  }
}
