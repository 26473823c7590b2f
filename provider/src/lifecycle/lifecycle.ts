import { changesOf, isRemoval, withCurrentValue, withoutReplacements } from "./changes";
import { deletionPolicyOf, type Checked } from "./checked";
import type {
  CheckResult,
  DiffResult,
  LifecycleContext,
  PolicyInputs,
  ResourceDefinition,
  Step,
} from "./definition";
import { importedInputs, refreshInputs } from "./drift";
import { ConfigurationError, DatapipesError } from "../messages/errors";
import { withCheckpoints } from "./partial-failure";
import { fieldsOf, leafFields, type Field } from "./fields";
import { HIDDEN_INPUTS, readHiddenInputs } from "./hidden-inputs";
import { LifecycleLog } from "./lifecycle-log";
import { observedOf, OutputShape, readAfterUpdate } from "./outputs";
import {
  adoptsAnother,
  isTakenOver,
  privateStateAfterCreate,
  privateStateAfterUpdate,
  privateStateOf,
  storedKey,
  type Adopted,
} from "./private-state";
import { pick, withoutNulls, type PropertyMap } from "./property-value";
import {
  policyOf,
  replacementFailures,
  replacementPlan,
  withoutUncertainChanges,
  type Policy,
} from "./replacement";
import { adoptedTwice, nameInKey, resourceKey } from "./resource-key";
import { typeFailures, withoutMistyped, type Failure } from "./validation";
import { idKey } from "../values/uuid";

export type * from "./definition";
export { PartialFailure, ReplacementFailure } from "./partial-failure";

/** The lifecycle of one type of resource, independent of the protocol to the engine. */
export class Lifecycle {
  readonly fields: readonly Field[];
  readonly #checked = new Map<string, Checked>();
  /** The IDs that this run has read without a state: the program declares none of their inputs. */
  readonly #read = new Set<string>();
  /** The keys of imported and adopted resources that a refresh of this run did not find. */
  readonly #lost = new Set<string>();
  /** The IDs that this run has deleted: both the engine and the create of a replacement may ask for it. */
  readonly #deleted = new Set<string>();
  readonly #shape: OutputShape;
  readonly #log: LifecycleLog;
  readonly #defaults: PropertyMap;

  constructor(
    readonly definition: ResourceDefinition,
    readonly context: LifecycleContext,
  ) {
    this.fields = fieldsOf(definition.schema, definition.secretNames);
    this.#shape = new OutputShape(definition, this.fields, Object.keys(context.defaults()));
    this.#defaults = this.#shape.declared(context.defaults());
    this.#log = new LifecycleLog(definition, this.fields, context);
  }

  /** Validates the inputs and adds defaults. Sends no request. */
  check(oldInputs: PolicyInputs | undefined, newInputs: PropertyMap, logicalName?: string): CheckResult {
    const { key = "", stack, inputs: declared } = readHiddenInputs(newInputs);
    this.context.stack.name ??= stack;
    const inputs = this.#withDefaults(declared, logicalName);
    const mistyped = typeFailures(this.definition.schema, inputs, this.definition.secretNames);
    const failures = [
      ...this.context.configurationProblems(inputs).map((reason) => ({ path: [], reason })),
      ...mistyped,
      ...this.definition.rules(withoutMistyped(inputs, mistyped)),
    ];
    const { deletionPolicy } = inputs;
    if (oldInputs !== undefined) {
      this.#checked.set(key, { declared: deletionPolicy, stored: pick(oldInputs, ["deletionPolicy"]) });
      return { inputs, oldInputs, failures, key, step: "update" };
    }
    const present = this.#checked.get(key);
    if (present?.stored !== undefined) {
      this.#checked.set(key, { ...present, declared: deletionPolicy });
      const refused = this.#checkReplacement(key, present, inputs);
      return { inputs, failures: [...failures, ...refused], key, step: "replace" };
    }
    this.#checked.set(key, { declared: deletionPolicy });
    return { inputs, failures, key, step: inputs.adopt === undefined ? "create" : "adopt" };
  }

  /** Compares a checked resource with others, and logs what the run will do with it. */
  async preview(checked: CheckResult): Promise<readonly Failure[]> {
    const { inputs, oldInputs, failures, key } = checked;
    if (failures.length > 0) return [];
    const step = checked.step === "adopt" ? await this.#stepOf(key, inputs) : checked.step;
    const { stack, log, warn } = this.context;
    const { adopt } = inputs;
    if (step === "adopt" && typeof adopt === "string") {
      const holder = stack.claim(this.definition.type, adopt, key);
      if (holder !== undefined) return [{ path: ["adopt"], reason: adoptedTwice(adopt, key, holder) }];
    }
    // Messages may repeat values of a resource that is not in the stack yet.
    if (step !== "update") this.context.trackSecrets(inputs);
    const wasTakenOver = this.#lost.has(key) || isTakenOver(this.#checked.get(key)?.diffed?.state ?? {});
    const preview = await this.definition.preview?.({ key, inputs, oldInputs, step, wasTakenOver });
    for (const line of preview?.warnings ?? []) warn(line);
    for (const line of preview?.lines ?? []) log(line);
    return preview?.failures ?? [];
  }

  /** Compares the state with the program. Sends no request. */
  diff(id: string, state: PropertyMap, inputs: PolicyInputs, key = ""): DiffResult {
    const observed = observedOf(state);
    const changes = this.#shape.changes(state, inputs);
    const policy = this.#policy(inputs);
    const plan = replacementPlan(changes, policy);
    // A field that is only sent along with other changes is no change by itself.
    const inputsEqual = changes.every(({ effect }) => effect === "sentAlong");
    const changed = !inputsEqual || this.definition.needsUpdate?.(observed, inputs) === true;
    const result = { changed, inputsEqual, changes, ...plan };
    const checked = this.#checked.get(key);
    if (checked === undefined) return withoutUncertainChanges(result, policy, inputs);
    const replacing = policy.mayReplace ? [] : changes.filter(({ path }) => plan.replaces.includes(path));
    const refused = replacing.map((change) => withCurrentValue(change, observed));
    // The engine may have changed the inputs after the check, as a policy that remediates does.
    const declared = inputs.deletionPolicy;
    const isChanged = changes.length > 0;
    const diffed = { id, formerKey: storedKey(state), changes, refused, ...(isChanged && { state }) };
    this.#checked.set(key, { ...checked, declared, diffed });
    const isReplaced = plan.replaces.length > 0;
    const adopter = isReplaced ? undefined : this.context.stack.claim(this.definition.type, id, key);
    if (adopter !== undefined)
      throw new Error(`adopt of ${nameInKey(adopter)} ${adoptedTwice(id, adopter, key)}`);
    // A replacement keeps nothing. The program has not declared before what an import of this run took as inputs.
    this.#log.preview(id, state, inputs, isReplaced || this.#read.has(idKey(id)) ? [] : changes);
    return result;
  }

  async create(inputs: PolicyInputs, key = ""): Promise<{ id: string; outputs: PropertyMap }> {
    this.context.trackSecrets(inputs);
    const { adopt } = inputs;
    const checked = this.#checked.get(key);
    const step = await this.#stepOf(key, inputs);
    const outputs = (id: string, declared: PropertyMap, current: PropertyMap, adopted?: Adopted) => {
      this.context.stack.made(this.definition.type, id, key);
      return this.#shape.outputs(declared, current, privateStateAfterCreate(key, adopt, adopted));
    };
    return withCheckpoints(
      async (progress) => {
        if (step === "adopt" && typeof adopt === "string") {
          const holder = await this.context.stack.adopterElsewhere(this.definition.type, adopt, key);
          if (holder !== undefined) throw new Error(`adopt ${adoptedTwice(adopt, key, holder)}`);
        }
        if (checked !== undefined) await this.#deleteReplaced(key, checked, inputs);
        const { id, current, adopted } = await this.definition.create(inputs, progress, { key, step });
        this.#log.ignoredValues(id, inputs, current, () => true);
        return { id, outputs: outputs(id, inputs, current, adopted) };
      },
      outputs,
      checked?.diffed !== undefined,
    );
  }

  /** Reads the resource; undefined if it no longer exists. */
  async read(
    id: string,
    properties: PropertyMap,
  ): Promise<{ readonly inputs: PropertyMap; readonly outputs: PropertyMap } | undefined> {
    const stored = withoutNulls(properties);
    this.context.trackSecrets(stored);
    const isInStack = "observed" in stored;
    const declared = this.#withDefaults(this.#shape.declared(stored));
    const lastRead = isInStack ? this.#shape.lastRead(declared, stored) : undefined;
    if (!isInStack) {
      // A read by ID comes without a check.
      const problems = this.context.configurationProblems(declared);
      if (problems.length > 0) throw new ConfigurationError(problems);
      this.#read.add(idKey(id));
    }
    if (isInStack && this.definition.read === undefined) this.#log.refreshWithoutRead();
    const current = await (this.definition.read?.(id, declared, lastRead) ?? lastRead ?? {});
    if (current === undefined) {
      const key = storedKey(stored);
      if (key !== undefined && isTakenOver(stored)) this.#lost.add(key);
      if (isInStack) return undefined;
      const { type, noun } = this.definition;
      const missing = `read ${type} ${id} failed: the service has no ${noun} with this ID.`;
      throw new DatapipesError("not-found", missing, { finding: "not-found" });
    }
    // Nothing was read, so the next read is still the first one after the last write.
    if (current === lastRead && this.definition.read !== undefined)
      return { inputs: declared, outputs: stored };
    if (!isInStack && !this.#shape.isDeclared(stored)) {
      const inputs = { ...declared, ...importedInputs(this.fields, current) };
      return { inputs, outputs: this.#shape.outputs(inputs, current, {}) };
    }
    return this.#shape.refreshed(stored, { declared, lastRead: lastRead ?? {}, current });
  }

  /** The state of an existing resource as a program with this resource declares it, without a parent. */
  imported(logicalName: string, args: PropertyMap, current: PropertyMap) {
    const key = resourceKey([this.definition.type], logicalName);
    const { inputs, failures } = this.check(undefined, { ...args, [HIDDEN_INPUTS.key]: key });
    const outputs = this.#shape.outputs(inputs, current, { key, imported: true });
    return { inputs, failures, outputs };
  }

  /** Sends the changed fields; no request if none changed. */
  async update(id: string, state: PropertyMap, inputs: PropertyMap, key?: string): Promise<PropertyMap> {
    this.context.trackSecrets(state, inputs);
    const oldInputs = this.#shape.declared(state);
    const lastRead = this.#shape.lastRead(oldInputs, state);
    const allChanges = this.#shape.changes(state, inputs);
    const changes = changesOf("update", allChanges).filter((change) => !isRemoval(change));
    const sent = new Set(changes.map(({ path }) => path));
    const withUnsent = (declared: PropertyMap): PropertyMap => withoutReplacements(allChanges, declared);
    const stored = privateStateOf(state);
    // An alias may have given the resource another name.
    const named = { ...stored, key: key ?? stored.key };
    const privateState = privateStateAfterUpdate(named, changes, lastRead);
    const outputs = (_id: string, sentInputs: PropertyMap, current: PropertyMap): PropertyMap => {
      const declared = withUnsent(sentInputs);
      if (this.definition.read !== undefined) {
        const read = readAfterUpdate(this.fields, { lastRead, current, sent }, declared);
        return this.#shape.outputs(declared, read, privateState);
      }
      // No refresh will show the drift of the fields that were not sent, so this response has to.
      const unsent = leafFields(this.fields).filter(({ displayPath }) => !sent.has(displayPath));
      const refreshed = refreshInputs(unsent, { declared, lastRead, current });
      return this.#shape.outputs(refreshed.declared, current, privateState);
    };
    return withCheckpoints(async (progress) => {
      const current = await this.definition.update({ id, oldInputs, inputs, lastRead, changes }, progress);
      if (current === undefined) return this.#shape.outputs(withUnsent(inputs), lastRead, named);
      this.#log.ignoredValues(id, inputs, current, (path) => sent.has(path));
      return outputs(id, inputs, current);
    }, outputs);
  }

  /** Deletes or retains the resource, as its policy says. A resource that no longer exists is no error. */
  async delete(id: string, properties: PropertyMap, given?: string): Promise<void> {
    this.context.trackSecrets(properties);
    const declared: PolicyInputs = this.#shape.declared(properties);
    const key = given ?? storedKey(withoutNulls(properties));
    const deletionPolicy = deletionPolicyOf(this.#checked, id, key, declared.deletionPolicy);
    await this.#delete(id, { ...declared, deletionPolicy }, properties, key);
  }

  async #delete(id: string, properties: PolicyInputs, state: PropertyMap, key?: string): Promise<void> {
    const { type, deletesPart } = this.definition;
    const isWhole = properties.deletionPolicy === "delete" && deletesPart !== true;
    if (isWhole && this.#deleted.has(idKey(id))) return;
    const holder = isWhole ? await this.context.stack.holderBeside(type, id, key) : undefined;
    if (holder === undefined)
      await this.definition.delete(id, properties, this.#shape.lastRead(properties, state), key);
    else this.#log.skippedDelete(id, properties, holder);
    if (isWhole) this.#deleted.add(idKey(id));
  }

  /** The engine never deletes what the state retains. If the program now says "delete", the create does. */
  async #deleteReplaced(key: string, { stored, diffed }: Checked, inputs: PropertyMap): Promise<void> {
    if (diffed?.state === undefined || stored?.deletionPolicy === "delete") return;
    if (!this.#policy(inputs).deletes) return;
    this.context.trackSecrets(diffed.state);
    const properties = { ...this.#shape.declared(diffed.state), deletionPolicy: "delete" };
    await this.#delete(diffed.id, properties, diffed.state, key);
  }

  /** Why the program's policy refuses to replace a resource of the stack. */
  #checkReplacement(key: string, checked: Checked, inputs: PolicyInputs): readonly Failure[] {
    const { diffed, stored } = checked;
    const policy = this.#policy(inputs);
    if (diffed !== undefined)
      this.context.stack.replaced(this.definition.type, diffed.id, key, policy.deletes);
    if (!policy.mayReplace) return replacementFailures(this.definition, checked);
    if (diffed !== undefined) this.#log.replacement(diffed.id, inputs, stored?.deletionPolicy, policy);
    return [];
  }

  /**
   * What a create does. The replacement of an adopted resource creates a new one. The engine checks a resource that
   * `--replace` names like a new one, and asks for no diff: only the state of the stack shows that it is there.
   */
  async #stepOf(key: string, { adopt }: PolicyInputs): Promise<Step> {
    const isReplaced = this.#checked.get(key)?.stored !== undefined;
    if (isReplaced) return "replace";
    // An ID that is not known yet is adopted when it is.
    if (typeof adopt !== "string") return adopt === undefined ? "create" : "adopt";
    const stored = (await this.context.stack.stored(this.definition.type)).find((one) => one.key === key);
    return stored === undefined || adoptsAnother(stored.id, stored.outputs, adopt) ? "adopt" : "replace";
  }

  #policy = (inputs: PropertyMap): Policy => policyOf(this.fields, inputs);

  #withDefaults(inputs: PropertyMap, logicalName?: string): PolicyInputs {
    const named = logicalName === undefined ? {} : this.definition.defaultsOf?.(logicalName);
    return { ...named, ...this.#defaults, ...withoutNulls(inputs) };
  }
}
