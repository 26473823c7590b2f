import type { z } from "zod";
import { changesBetween, changesOf, isRemoval, type Change } from "./changes";
import { typeFailures, type Failure } from "./check";
import { fieldsOf, type Field } from "./field";
import { asDeclared, declarable, reconcile, unrepaired } from "./observation";
import { isMap, omit, pick, withoutNulls, type PropertyMap, type PropertyPath } from "./property-value";
import { policyOf, refusals, replacementPlan, type Policy } from "./replacement";

/** What a resource needs of its surroundings. */
export interface Surroundings {
  /** What is wrong with the configuration, one sentence each. Empty when all is well. */
  configurationProblems(inputs: PropertyMap): readonly string[];
  /** Values of arguments that configuration gives where the program is silent. */
  defaults(): PropertyMap;
  /** A line that the user sees. */
  inform(line: string): void;
  /** Called with what an operation is about, so that no line and no error repeats what is secret in it. */
  remember?(...properties: readonly PropertyMap[]): void;
}

/** Where an operation notes what exists, so that a failure after it loses nothing. */
export interface Progress {
  /** The resource exists (or has changed) and this is what is true of it. */
  reached(id: string, declared: PropertyMap, found: PropertyMap): void;
  /** Whether the resource of this id is the one that another takes the place of in this run. */
  isReplaced(id: string): boolean;
}

/** A change that the program asks for. */
export interface Update {
  readonly id: string;
  /** The properties before, as declared. */
  readonly olds: PropertyMap;
  /** The properties that the program declares now. */
  readonly news: PropertyMap;
  /** What the API returned the last time. */
  readonly observed: PropertyMap;
  /** The changed fields that the update operation can take. */
  readonly changes: readonly Change[];
}

/** What exists after a create. */
export interface Created {
  readonly id: string;
  readonly found: PropertyMap;
}

/** A kind of resource: its fields, and how it is created, read, updated and deleted. */
export interface ResourceDefinition {
  /** The name of the class and of the type token. */
  readonly type: string;
  /** The fields, with what stands on them. */
  readonly schema: z.ZodObject;
  /** Members of these names are secret wherever they stand. */
  readonly secretNames: ReadonlySet<string>;
  /** Rules that hold between fields. They see unknown values and let them pass. */
  rules(inputs: PropertyMap): readonly Failure[];
  /**
   * Called at the end of every check of a resource that this program declares, also for creates and replacements; returns more
   * failures. `key` is the resource's name in the program. One process serves one run, so what it tells may be kept until its end.
   */
  checked?(key: string, inputs: PropertyMap): readonly Failure[];
  /** What a person who reads the preview should know of a change of a resource that the stack has. */
  warnings?(olds: PropertyMap, news: PropertyMap): readonly string[];
  /** What a person who reads the preview should know of a resource that does not exist in the stack yet. */
  announce?(inputs: PropertyMap, isReplaced: (id: string) => boolean): string | undefined;
  /** The outputs, beside `observed`, that the program does not declare. */
  readonly computed: readonly string[];
  /** Those of them that follow from what is declared and what the API returned together. */
  derived?(declared: PropertyMap, found: PropertyMap): PropertyMap;
  create(inputs: PropertyMap, progress: Progress): Promise<Created>;
  /**
   * What the API has under this id, or undefined when it is gone. Where it offers no way to read, what was observed
   * the last time stays true as far as anybody knows.
   */
  read(
    id: string,
    properties: PropertyMap,
    observed: PropertyMap | undefined,
  ): Promise<PropertyMap | undefined>;
  /** Sends the changes; undefined when there was nothing to send. */
  update(update: Update, progress: Progress): Promise<PropertyMap | undefined>;
  /** Deletes the resource, or leaves it as `properties.deletionPolicy` says; `observed` is what the API returned the last time. */
  delete(id: string, properties: PropertyMap, observed?: PropertyMap): Promise<void>;
}

/** The input that holds the resource's name in the program. It is neither compared nor stored. */
const KEY = "__key";

const observedOf = ({ observed }: PropertyMap): PropertyMap | undefined =>
  isMap(observed) ? observed : undefined;

/** A resource exists or was changed in part, and then something failed. */
export class PartialFailure extends Error {
  constructor(
    readonly id: string,
    readonly properties: PropertyMap,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** What is compared and decided at preview. */
export interface Difference {
  readonly changed: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** The life of a resource in plain values: what any adapter to the engine speaks. */
export class Lifecycle {
  readonly fields: readonly Field[];
  /** Policies as the program has them now: a replacement deletes by them, not by what an old deployment stored. */
  readonly #policies = new Map<string, PropertyMap>();
  /** Ids of resources that another takes the place of in this run. */
  readonly #replaced = new Set<string>();
  readonly #isReplaced = (id: string): boolean => this.#replaced.has(id.toLowerCase());

  constructor(
    readonly definition: ResourceDefinition,
    private readonly surroundings: Surroundings,
  ) {
    this.fields = fieldsOf(definition.schema, definition.secretNames);
  }

  /** The arguments as they will be stored, and all that is wrong with them. No I/O. */
  check(
    olds: PropertyMap | undefined,
    news: PropertyMap,
  ): { readonly inputs: PropertyMap; readonly failures: readonly Failure[] } {
    const { [KEY]: key, ...declared } = news;
    const inputs = this.#withDefaults(declared);
    const failures = [
      ...this.surroundings.configurationProblems(inputs).map((reason) => ({ path: [], reason })),
      ...typeFailures(this.definition.schema, inputs),
      ...this.definition.rules(inputs),
      ...(this.definition.checked?.(typeof key === "string" ? key : "", inputs) ?? []),
    ];
    if (olds !== undefined) {
      const refused = refusals(() => changesBetween(this.fields, olds, inputs), this.#policy(inputs));
      // What is wrong in itself needs no second reason.
      const sound = refused.filter(({ path }) => !failures.some((failure) => isWithin(failure.path, path)));
      const all = [...failures, ...sound];
      if (all.length === 0)
        for (const line of this.definition.warnings?.(olds, inputs) ?? []) this.surroundings.inform(line);
      return { inputs, failures: all };
    }
    const line = failures.length === 0 ? this.definition.announce?.(inputs, this.#isReplaced) : undefined;
    if (line !== undefined) this.surroundings.inform(line);
    return { inputs, failures };
  }

  /** What differs between the stored properties and the program. No I/O. */
  diff(id: string, olds: PropertyMap, news: PropertyMap): Difference {
    this.#policies.set(id, pick(news, ["deletionPolicy"]));
    const changes = changesBetween(this.fields, olds, news);
    // What only travels along with other changes is no change by itself.
    const changed = changes.some((change) => change.field.onChange !== "accompany");
    const plan = replacementPlan(changes, this.#policy(news));
    if (plan.replaces.length > 0) this.#replaced.add(id.toLowerCase());
    return { changed, ...plan };
  }

  /** Creates the resource; the outputs hold the program's own values and what the API returned. */
  async create(inputs: PropertyMap): Promise<{ readonly id: string; readonly outputs: PropertyMap }> {
    this.surroundings.remember?.(inputs);
    return this.#keepingProgress(async (progress) => {
      const { id, found } = await this.definition.create(inputs, progress);
      this.#warnOfDisagreement(id, inputs, found, () => true);
      return { id, outputs: this.#outputs(inputs, found) };
    });
  }

  /** The resource as the API has it now, or undefined when it is gone. */
  async read(
    id: string,
    properties: PropertyMap,
  ): Promise<{ readonly inputs: PropertyMap; readonly outputs: PropertyMap } | undefined> {
    const known = withoutNulls(properties) as PropertyMap;
    this.surroundings.remember?.(known);
    const { observed } = known;
    const declared = this.#withDefaults(this.#declared(known));
    const now = await this.definition.read(id, declared, observed as PropertyMap | undefined);
    if (now === undefined) {
      // Nothing was ever seen of it: it is asked for by its id.
      if (observed === undefined) throw new MissingResourceError(this.definition.type, id);
      return undefined;
    }
    if (observed === undefined && !this.#isDeclared(known)) {
      const inputs = { ...declared, ...declarable(this.fields, now) };
      return { inputs, outputs: this.#outputs(inputs, now) };
    }
    const inputs = reconcile(this.fields, { declared, before: (observed ?? {}) as PropertyMap, now });
    return { inputs, outputs: this.#outputs(inputs, now) };
  }

  /** Brings the resource to what the program declares, with no request where nothing needs one. */
  async update(id: string, olds: PropertyMap, news: PropertyMap): Promise<PropertyMap> {
    this.surroundings.remember?.(olds, news);
    const before = this.#declared(olds);
    const observed = (olds["observed"] ?? {}) as PropertyMap;
    const differences = changesBetween(this.fields, before, news);
    const updates = changesOf("update", differences);
    for (const change of updates.filter(isRemoval)) this.#warnOfRemoval(id, change);
    const changes = updates.filter((change) => !isRemoval(change));
    const sent = new Set(changes.map(({ path }) => path));
    const left = (declared: PropertyMap, now: PropertyMap): PropertyMap =>
      unrepaired(this.fields, { differences, sent }, { declared, before: observed, now });
    return this.#keepingProgress(async (progress) => {
      const found = await this.definition.update({ id, olds: before, news, observed, changes }, progress);
      if (found !== undefined) this.#warnOfDisagreement(id, news, found, (path) => sent.has(path));
      return found === undefined
        ? { ...omit(olds, Object.keys(before)), ...left(news, observed) }
        : this.#outputs(left(news, found), found);
    }, left);
  }

  /** Deletes the resource, or leaves it, as its policy says. What is gone already is no error. */
  async delete(id: string, properties: PropertyMap): Promise<void> {
    this.surroundings.remember?.(properties);
    const declared = this.#declared(properties);
    const { deletionPolicy } = this.#policies.get(id) ?? declared;
    await this.definition.delete(id, { ...declared, deletionPolicy }, observedOf(properties));
  }

  /** Whether the properties are those of a resource that a program declares, and not of one that it only asks for. */
  #isDeclared(properties: PropertyMap): boolean {
    const scope = Object.keys(this.surroundings.defaults());
    const fields = this.fields.filter(({ name }) => !scope.includes(name));
    const isGiven = ({ name }: Field): boolean => properties[name] !== undefined;
    return fields.some(isGiven) && fields.filter(({ required }) => required).every(isGiven);
  }

  /** A kind of resource that has no policy of replacement loses nothing by one. */
  #policy(inputs: PropertyMap): Policy {
    const guarded = this.fields.some((field) => field.name === "replacementPolicy");
    return policyOf(guarded ? inputs : { ...inputs, replacementPolicy: "allow" });
  }

  #withDefaults(news: PropertyMap): PropertyMap {
    return { ...this.surroundings.defaults(), ...(withoutNulls(news) as PropertyMap) };
  }

  #declared(properties: PropertyMap): PropertyMap {
    return pick(
      properties,
      this.fields.map((field) => field.name),
    );
  }

  #outputs(declared: PropertyMap, found: PropertyMap): PropertyMap {
    const derived = this.definition.derived?.(declared, found);
    return { ...declared, ...pick(found, this.definition.computed), ...derived, observed: found };
  }

  async #keepingProgress<T>(
    work: (progress: Progress) => Promise<T>,
    left: (declared: PropertyMap, found: PropertyMap) => PropertyMap = (declared) => declared,
  ): Promise<T> {
    let reached: { readonly id: string; readonly properties: PropertyMap } | undefined;
    const progress: Progress = {
      isReplaced: this.#isReplaced,
      reached: (id, declared, found) => {
        reached = { id, properties: this.#outputs(left(declared, found), found) };
      },
    };
    try {
      return await work(progress);
    } catch (error) {
      if (reached === undefined) throw error;
      throw new PartialFailure(reached.id, reached.properties, error);
    }
  }

  /** A value that the API states otherwise right after it was sent: it was not taken, or it is written in another way. */
  #warnOfDisagreement(
    id: string,
    declared: PropertyMap,
    found: PropertyMap,
    wasSent: (path: string) => boolean,
  ): void {
    const stated = asDeclared(this.fields, declared, found);
    for (const { field, path, before, after } of changesBetween(this.fields, stated, declared)) {
      if (before === undefined || field.writeOnly || !wasSent(path)) continue;
      const [sent, answered] = [after, before].map((value) =>
        field.secret ? "[secret]" : this.#shown(value),
      );
      this.surroundings.inform(
        `warning: ${this.definition.type} ${id}: ${path} was sent as ${sent}, but the API states ${answered}; ` +
          `it may not have taken the value.`,
      );
    }
  }

  #shown(value: unknown): string | undefined {
    const hide = (name: string, member: unknown): unknown =>
      this.definition.secretNames.has(name) ? "[secret]" : member;
    return JSON.stringify(value, hide);
  }

  #warnOfRemoval(id: string, change: Change): void {
    this.surroundings.inform(
      `warning: ${this.definition.type} ${id}: ${change.path} was removed from the program, but the API has no way to ` +
        `unset it: nothing was sent and the value stays as it is.`,
    );
  }
}

/** Whether one path leads to the place of another, or to something inside it. */
const isWithin = (inner: PropertyPath, outer: PropertyPath): boolean =>
  outer.every((step, index) => inner[index] === step);

/** A resource was asked for by its id and is not there. */
export class MissingResourceError extends Error {
  constructor(type: string, id: string) {
    super(`${type} ${id} does not exist. Check the id, organizationId and serviceId.`);
  }
}
