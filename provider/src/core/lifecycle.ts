import { LifecycleLog } from "./lifecycle-log";
import { changesOf, changesOfProgram, isRemoval, withCurrentValue, type Change } from "./changes";
import { typeFailures, withoutMistyped, type Failure } from "./validation";
import type {
  CheckResult,
  Created,
  Declared,
  DiffResult,
  ResourceDefinition,
  ProviderContext,
} from "./definition";
import { withCheckpoints } from "./failures";
import { fieldsOf, type Field } from "./fields";
import { readHiddenInputs } from "./hidden-inputs";
import { DatapipesError } from "../errors";
import {
  privateStateAfterCreate,
  privateStateAfterUpdate,
  privateStateOf,
  type PrivateState,
} from "./private-state";
import { observedOf, OutputShape } from "./outputs";
import { importedInputs, refreshInputs, seenInAnswer } from "./drift";
import { omit, pick, withoutNulls, withValueAt, type PropertyMap } from "./property-value";
import {
  policyOf,
  replacementFailures,
  replaceWithFailures,
  replacementPlan,
  shownValue,
  withoutUncertainChanges,
  type Policy,
} from "./replacement";
import { RunRecord, type ProgramResource } from "./run";
import { readAfterUpdate } from "./statement";

export type * from "./definition";
export { PartialFailure } from "./failures";

/** The lifecycle of one kind of resource in plain values, for any adapter to the engine. */
export class Lifecycle {
  readonly fields: readonly Field[];
  readonly #run = new RunRecord();
  readonly #shape: OutputShape;
  readonly #log: LifecycleLog;

  constructor(
    readonly definition: ResourceDefinition,
    readonly context: ProviderContext,
  ) {
    this.fields = fieldsOf(definition.schema, definition.secretNames);
    this.#shape = new OutputShape(definition, this.fields, Object.keys(context.defaults()));
    this.#log = new LifecycleLog(definition, this.fields, context);
  }

  /** The arguments as they will be stored, and all that is wrong with them. No I/O. */
  check(olds: PropertyMap | undefined, news: PropertyMap, logicalName?: string): CheckResult {
    const { given, followsOthers, ...hidden } = readHiddenInputs(news);
    const key = hidden.key ?? this.#run.unnamedKey(hidden.inputs);
    const inputs = this.#withDefaults(hidden.inputs, logicalName);
    const mistyped = typeFailures(this.definition.schema, inputs, this.definition.secretNames);
    const failures = [
      ...this.context.configurationProblems(inputs, given).map((reason) => ({ path: [], reason })),
      ...mistyped,
      ...this.definition.rules(withoutMistyped(inputs, mistyped)),
      ...(followsOthers ? replaceWithFailures(this.#policy(inputs)) : []),
    ];
    if (failures.length === 0) this.definition.checked?.(key, inputs);
    if (olds !== undefined) {
      this.#run.existing(key, olds, inputs);
      return { inputs, failures };
    }
    const replaced = this.#run.replacedBy(key, inputs);
    if (replaced !== undefined) return this.#checkReplacement(replaced, inputs, failures);
    const resource = this.#run.fresh(key, inputs);
    if (failures.length === 0) failures.push(...this.#claim(key, inputs));
    this.#run.expectCreate(resource, inputs);
    return { inputs, failures, adopts: failures.length === 0 && this.#adopts(key, inputs) };
  }

  /** What is wrong with an adoption; what it will do is told. Sends a request only for a resource that adopts. */
  async checkAdoption({ inputs, adopts }: CheckResult): Promise<readonly Failure[]> {
    if (adopts !== true) return [];
    this.context.trackSecrets?.(inputs);
    const preview = await this.definition.previewAdoption?.(inputs);
    for (const line of preview?.lines ?? []) this.context.log(line);
    return preview?.failures ?? [];
  }

  /** What differs between the stored properties and the program. No I/O. */
  diff(id: string, olds: PropertyMap, news: Declared): DiffResult {
    const declared = this.#shape.declared(olds);
    const observed = observedOf(olds);
    const changes = changesOfProgram(this.fields, { declared, observed }, news);
    // What is only sent along with other changes is no change by itself.
    const changed = changes.some((change) => change.effect !== "sentAlong");
    const policy = this.#policy(news);
    const plan = replacementPlan(changes, policy);
    const replacing = changes.filter(({ path }) => plan.replaces.includes(path));
    const refused = policy.mayReplace ? [] : replacing.map((change) => withCurrentValue(change, observed));
    const resource = this.#run.diffedBy(news, privateStateOf(olds).key);
    if (resource === undefined) return withoutUncertainChanges({ changed, changes, ...plan }, policy, news);
    const kept = resource.stored?.deletionPolicy !== resource.deletionPolicy || changes.length > 0;
    resource.diffed = { id, changes, refused, ...(kept && { olds }) };
    this.#hold(id, resource.key, plan);
    if (plan.replaces.length === 0 && (privateStateOf(olds).adopt ?? news.adopt) !== undefined)
      this.context.runFlags?.set(adoptionOf(id));
    this.#log.preview(id, olds, news, changes);
    return { changed, changes, ...plan };
  }

  /** Creates the resource; the outputs hold the program's own values and what the API returned. */
  async create(given: Declared): Promise<{ readonly id: string; readonly outputs: PropertyMap }> {
    this.context.trackSecrets?.(given);
    const resource = this.#run.created(given);
    const { adopt } = given;
    // What was deleted for this replacement cannot be adopted: another one takes its place.
    const isReplaced = typeof adopt === "string" && this.#run.isReplacementOf(adopt, resource?.key);
    const inputs = isReplaced ? omit(given, ["adopt"]) : given;
    if (resource !== undefined) await this.#deleteReplaced(resource, inputs);
    const key = resource && this.#run.storedKeyOf(resource);
    const outputs = (declared: PropertyMap, found: PropertyMap, adopted?: Created["adopted"]): PropertyMap =>
      this.#shape.outputs(declared, found, privateStateAfterCreate(key, resource?.adopt ?? adopt, adopted));
    const own = (id: string): void => {
      this.#run.recordCreated(id, resource?.key ?? id);
    };
    return withCheckpoints(
      async (progress) => {
        const { id, current: found, adopted } = await this.definition.create(inputs, progress);
        own(id);
        this.#log.ignoredValues(id, inputs, found, () => true);
        return { id, outputs: outputs(inputs, found, adopted) };
      },
      (id, declared, found) => {
        own(id);
        return outputs(declared, found);
      },
    );
  }

  /** The resource as the API has it now, or undefined when it is gone. */
  async read(
    id: string,
    properties: PropertyMap,
  ): Promise<{ readonly inputs: PropertyMap; readonly outputs: PropertyMap } | undefined> {
    const known = withoutNulls(properties);
    this.context.trackSecrets?.(known);
    const isKnown = "observed" in known;
    const declared = this.#withDefaults(this.#shape.declared(known));
    const before = isKnown ? this.#shape.stated(declared, known) : undefined;
    // What the program reads by its id is in use, although no resource of the program manages it.
    if (!isKnown) this.#run.recordRead(id);
    const now = await this.definition.read(id, declared, before);
    if (now === undefined) {
      if (isKnown) return undefined;
      // Nothing was ever seen of it: it is asked for by its id.
      const missing = `${this.definition.type} ${id} does not exist.`;
      throw new DatapipesError("not-found", missing, { finding: "no-such-resource" });
    }
    if (!isKnown && !this.#shape.isDeclared(known)) {
      const inputs = { ...declared, ...importedInputs(this.fields, now) };
      return { inputs, outputs: this.#shape.outputs(inputs, now, {}) };
    }
    const memory = privateStateOf(known);
    const refreshed = refreshInputs(this.fields, {
      declared,
      lastRead: before ?? {},
      current: now,
      privateState: memory,
    });
    const kept: PrivateState = {
      ...pick(memory as PropertyMap, ["key", "adopt"]),
      omitted: refreshed.omitted,
    };
    return { inputs: refreshed.declared, outputs: this.#shape.outputs(refreshed.declared, now, kept) };
  }

  /** Brings the resource to what the program declares, with no request where nothing needs one. */
  async update(id: string, olds: PropertyMap, news: PropertyMap): Promise<PropertyMap> {
    this.context.trackSecrets?.(olds, news);
    const before = this.#shape.declared(olds);
    const observed = this.#shape.stated(before, olds);
    const differences = changesOfProgram(this.fields, { declared: before, observed: observedOf(olds) }, news);
    const changes = changesOf("update", differences).filter((change) => !isRemoval(change));
    const sent = new Set(changes.map(({ path }) => path));
    const kept = changesOf("replace", differences);
    // What no update can send is still as it was: the next run must see it.
    const declaredBy = (declared: PropertyMap): PropertyMap =>
      kept.reduce((map, { field, before: old }) => withValueAt(map, field.path, old), declared);
    const memory = privateStateAfterUpdate(privateStateOf(olds), changes, observed);
    const outputs = (news: PropertyMap, answer: PropertyMap): PropertyMap => {
      const declared = declaredBy(news);
      if (this.definition.hasReadOperation) {
        const stated = readAfterUpdate(this.fields, { before: observed, answer, sent }, declared);
        return this.#shape.outputs(declared, stated, memory);
      }
      const seen = seenInAnswer(this.fields, sent, { declared, lastRead: observed, current: answer });
      return this.#shape.outputs(seen, answer, memory);
    };
    return withCheckpoints(
      async (progress) => {
        const found = await this.definition.update(
          { id, olds: before, news, lastRead: observed, changes },
          progress,
        );
        if (found === undefined) return this.#shape.outputs(declaredBy(news), observed, privateStateOf(olds));
        this.#log.ignoredValues(id, news, found, (path) => sent.has(path));
        return outputs(news, found);
      },
      (_, declared, found) => outputs(declared, found),
    );
  }

  /** Deletes the resource, or leaves it, as its policy says. What is gone already is no error. */
  async delete(id: string, properties: PropertyMap): Promise<void> {
    this.context.trackSecrets?.(properties);
    const declared = this.#shape.declared(properties);
    const { key } = privateStateOf(withoutNulls(properties));
    const { deletionPolicy } = this.#run.policyFor(id, key) ?? declared;
    await this.#delete(id, { ...declared, deletionPolicy }, observedOf(properties), key);
  }

  async #delete(id: string, properties: Declared, observed: PropertyMap, madeBy?: string): Promise<void> {
    if (this.definition.sharesId !== true) {
      const holder = this.#run.ownerOf(id);
      const isElsewhere = this.context.runFlags?.has(adoptionOf(id)) === true;
      if (holder !== undefined || this.#run.isRead(id) || isElsewhere) {
        this.#log.skippedDelete(id, holder === undefined ? undefined : this.#run.nameOf(holder));
        return;
      }
      if (this.#run.isDeleted(id)) return;
    }
    await this.definition.delete(id, properties, observed);
    if (properties.deletionPolicy === "delete") this.#run.recordDeleted(id, madeBy);
  }

  /**
   * The engine keeps what was stored with the policy "retain", also where the program now says "delete": then the old resource
   * is deleted here, before the new one is made.
   */
  async #deleteReplaced({ key, stored, diffed }: ProgramResource, inputs: PropertyMap): Promise<void> {
    if (diffed?.olds === undefined || !this.#deletesItself(stored, inputs)) return;
    this.context.trackSecrets?.(diffed.olds);
    const properties = { ...this.#shape.declared(diffed.olds), deletionPolicy: "delete" };
    await this.#delete(diffed.id, properties, observedOf(diffed.olds), key);
  }

  #deletesItself(stored: ProgramResource["stored"], inputs: PropertyMap): boolean {
    return stored?.deletionPolicy !== "delete" && this.#policy(inputs).deletes;
  }

  /** The check of what takes the place of a resource in the stack. */
  #checkReplacement(replaced: ProgramResource, inputs: Declared, failures: readonly Failure[]): CheckResult {
    const shown = ({ field }: Change, value: unknown): string =>
      field.secret && value !== undefined ? "[secret]" : shownValue(value, this.definition.secretNames);
    const refused = replacementFailures(replaced, this.#policy(inputs), shown);
    // A replacement of what was adopted makes a new one.
    const fresh = omit(inputs, ["adopt"]);
    replaced.adopt = inputs.adopt;
    this.#run.expectCreate(replaced, fresh);
    const { diffed } = replaced;
    if (refused.length === 0 && diffed !== undefined)
      this.#log.replacement(diffed.id, replaced.stored?.deletionPolicy, this.#policy(inputs));
    if (diffed !== undefined) this.context.runFlags?.clear(adoptionOf(diffed.id));
    return { inputs: fresh, failures: [...failures, ...refused] };
  }

  #adopts(key: string, inputs: Declared): inputs is Declared & { readonly adopt: string } {
    return typeof inputs.adopt === "string" && !this.#run.isReplacementOf(inputs.adopt, key);
  }

  #claim(key: string, inputs: Declared): readonly Failure[] {
    if (!this.#adopts(key, inputs)) return [];
    const { adopt } = inputs;
    const other = this.#run.claim(adopt, key);
    if (other === undefined) {
      this.context.runFlags?.set(adoptionOf(adopt));
      return [];
    }
    return [
      {
        path: ["adopt"],
        reason: `names ${adopt}, which ${this.#run.nameOf(other)} of this program already manages. Only one resource can manage it: remove the other one from the program, or adopt something else.`,
      },
    ];
  }

  /** Notes that a resource of the program has an id, unless a replacement lets go of it. */
  #hold(
    id: string,
    key: string,
    { replaces, deleteBeforeReplace }: Pick<DiffResult, "replaces" | "deleteBeforeReplace">,
  ): void {
    if (this.definition.sharesId) return;
    if (replaces.length > 0) this.context.runFlags?.clear(adoptionOf(id));
    if (replaces.length > 0 && !deleteBeforeReplace) return;
    const other = replaces.length > 0 ? this.#run.replaceAndDelete(id, key) : this.#run.keep(id, key);
    if (other === undefined) return;
    const names = [other, key].map(this.#run.nameOf).join(" and ");
    throw new Error(
      `${this.definition.type} ${id} is managed by two resources of this program, ${names}. Remove one of them from the program; the other one keeps it.`,
    );
  }

  /** A kind of resource that has no policy of replacement loses nothing by one. */
  #policy(inputs: PropertyMap): Policy {
    const guarded = this.fields.some((field) => field.name === "replacementPolicy");
    return policyOf(guarded ? inputs : { ...inputs, replacementPolicy: "allow" });
  }

  #withDefaults(news: PropertyMap, logicalName?: string): Declared {
    const own = logicalName === undefined ? {} : this.definition.defaultsOf?.(logicalName);
    return { ...own, ...this.context.defaults(), ...withoutNulls(news) };
  }
}

/** The note by which another provider instance knows that a resource of this run adopted an id. */
const adoptionOf = (id: string): string => `adopt ${id}`;
