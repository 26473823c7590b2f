import { changesOf, isRemoval, withCurrentValue, withoutReplacements } from "./changes";
import type {
  CheckResult,
  Created,
  CreatedResource,
  DiffResult,
  PolicyInputs,
  ProviderContext,
  ResourceDefinition,
} from "./definition";
import { importedInputs, refreshInputs } from "./drift";
import { DatapipesError } from "../messages/errors";
import { withCheckpoints } from "./partial-failure";
import { fieldsOf, leafFields, type Field } from "./fields";
import { HIDDEN_INPUTS, readHiddenInputs } from "./hidden-inputs";
import { LifecycleLog } from "./lifecycle-log";
import { observedOf, OutputShape, readAfterUpdate } from "./outputs";
import { privateStateAfterCreate, privateStateAfterUpdate, privateStateOf, storedKey } from "./private-state";
import { omit, withoutNulls, type PropertyMap, type PropertyValue } from "./property-value";
import {
  policyOf,
  replacementFailures,
  replacementPlan,
  replaceWithFailures,
  shownIn,
  withoutUncertainChanges,
  type CheckedReplacement,
  type Policy,
} from "./replacement";
import { isNamedByReplace } from "./replaced-adoption";
import { resourceKey } from "./resource-key";
import { CheckedResources, type CheckedResource } from "./checked-resources";
import { preview } from "./preview";
import { typeFailures, withoutMistyped, type Failure } from "./validation";

export type * from "./definition";
export { PartialFailure, ReplacementFailure } from "./partial-failure";

/**
 * The lifecycle of one type of resource, independent of the protocol to the engine. Each call has the key of its resource: `check` among
 * the inputs, the others after their values, unless the state has to say it. Only a state of an earlier version has none.
 */
export class Lifecycle {
  readonly fields: readonly Field[];
  /** The stack of the run, once a check has told it, as the option `--stack` of the CLI takes it. */
  stack: string | undefined;
  readonly #resources = new CheckedResources();
  readonly #shape: OutputShape;
  readonly #log: LifecycleLog;
  readonly #defaults: PropertyMap;

  constructor(
    readonly definition: ResourceDefinition,
    readonly context: ProviderContext,
  ) {
    this.fields = fieldsOf(definition.schema, definition.secretNames);
    this.#shape = new OutputShape(definition, this.fields, Object.keys(context.defaults()));
    this.#defaults = this.#shape.declared(context.defaults());
    this.#log = new LifecycleLog(definition, this.fields, context);
  }

  /** Validates the inputs and adds defaults. Sends no request. */
  check(oldInputs: PropertyMap | undefined, newInputs: PropertyMap, logicalName?: string): CheckResult {
    const { key = "", stack, given, ...hidden } = readHiddenInputs(newInputs);
    const { hasReplaceWith, replaceOnChanges } = hidden;
    this.stack ??= stack;
    const inputs = this.#withDefaults(hidden.inputs, logicalName);
    const mistyped = typeFailures(this.definition.schema, inputs, this.definition.secretNames);
    const failures = [
      ...this.context.configurationProblems(inputs, given).map((reason) => ({ path: [], reason })),
      ...mistyped,
      ...this.definition.rules(withoutMistyped(inputs, mistyped)),
      ...(hasReplaceWith ? replaceWithFailures(this.#policy(inputs)) : []),
    ];
    if (failures.length === 0) failures.push(...(this.definition.checked?.(key, inputs) ?? []));
    if (oldInputs !== undefined) {
      this.#resources.checkedInStack(key, oldInputs, inputs);
      return { inputs, failures, resource: { key } };
    }
    const replaced = this.#resources.markReplaced(key, inputs);
    if (replaced !== undefined)
      return this.#checkReplacement(replaced, { inputs, failures, replaceOnChanges }, stack);
    this.#resources.checkedNew(key, inputs);
    if (typeof inputs.adopt !== "string" || failures.length > 0 || this.#isReplacement(inputs.adopt, key))
      return { inputs, failures, resource: { key, creation: { stack } } };
    const reasons = this.context.ids.adoptionFailures(this.#id(inputs.adopt, key));
    const refused = reasons.map((reason) => ({ path: ["adopt"], reason }));
    return { inputs, failures: refused, adopts: refused.length === 0, resource: { key } };
  }

  /** Validates an adoption, and logs what the run will do. Sends a request only for a resource that adopts. */
  preview = (checked: CheckResult): Promise<readonly Failure[]> => preview(checked, this);

  /** Compares the state with the program. Sends no request. */
  diff(id: string, state: PropertyMap, inputs: PolicyInputs, key?: string): DiffResult {
    const observed = observedOf(state);
    const changes = this.#shape.changes(state, inputs);
    const policy = this.#policy(inputs);
    const plan = replacementPlan(changes, policy);
    // A field that is only sent along with other changes is no change by itself.
    const inputsEqual = changes.every(({ effect }) => effect === "sentAlong");
    const changed = !inputsEqual || this.definition.needsUpdate?.(observed, inputs) === true;
    const result = { changed, inputsEqual, changes, ...plan };
    const resource = this.#resources.checked(key);
    if (resource === undefined) return withoutUncertainChanges(result, policy, inputs);
    // The engine may have changed the inputs after the check, as a policy that remediates does.
    resource.deletionPolicy = inputs.deletionPolicy;
    const replacing = policy.mayReplace ? [] : changes.filter(({ path }) => plan.replaces.includes(path));
    const refused = replacing.map((change) => withCurrentValue(change, observed));
    resource.diffed = { id, changes, refused, ...(changes.length > 0 && { state }) };
    const isReplaced = plan.replaces.length > 0;
    // What a replacement retains, another resource may adopt.
    if (this.definition.deletedPart === undefined && (!isReplaced || plan.deleteBeforeReplace))
      this.context.ids.requireOnlyManager(this.#id(id, resource.key), isReplaced ? "replaces" : "has");
    // A replacement keeps nothing. An import of this run took all that the API states as inputs: the program has not declared them before.
    const updates = isReplaced || this.context.ids.isUsedHere(this.#id(id)) ? [] : changes;
    this.#log.preview(id, state, inputs, updates);
    return result;
  }

  async create(given: PolicyInputs, key?: string): Promise<CreatedResource> {
    this.context.trackSecrets(given);
    const resource = this.#resources.checked(key);
    const { adopt } = given;
    const isReplacement =
      this.#isReplacement(adopt, key) ||
      (resource?.stored === undefined && (await isNamedByReplace(this, key, adopt)));
    const inputs = isReplacement ? omit(given, ["adopt"]) : given;
    const outputs = (
      id: string,
      declared: PropertyMap,
      current: PropertyMap,
      adopted?: Created["adopted"],
    ) => {
      this.context.ids.manage(this.#id(id, key ?? id), "has");
      const privateState = privateStateAfterCreate(key, resource?.adopt ?? adopt, adopted);
      return this.#shape.outputs(declared, current, privateState);
    };
    return withCheckpoints(
      async (progress) => {
        if (resource !== undefined) await this.#deleteReplaced(resource, inputs);
        const { id, current, adopted } = await this.definition.create(inputs, progress);
        this.#log.ignoredValues(id, inputs, current, () => true);
        return { id, outputs: outputs(id, inputs, current, adopted) };
      },
      outputs,
      resource?.isReplaced === true ? resource.diffed?.id : undefined,
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
    if (!isInStack) this.context.ids.use(this.#id(id), "reads");
    if (isInStack && this.definition.read === undefined) this.#log.refreshWithoutRead();
    const current = await (this.definition.read?.(id, declared, lastRead) ?? lastRead ?? {});
    if (current === undefined) {
      if (isInStack) return undefined;
      const missing = `${this.definition.type} ${id} does not exist.`;
      throw new DatapipesError("not-found", missing, { finding: "no-such-resource" });
    }
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
    return { inputs, failures, outputs: this.#shape.outputs(inputs, current, { key }) };
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
    const declared = this.#shape.declared(properties);
    const key = given ?? storedKey(this.definition.type, withoutNulls(properties));
    const { deletionPolicy } = this.#resources.policyFor(id, key) ?? declared;
    await this.#delete(id, { ...declared, deletionPolicy }, properties, key);
  }

  async #delete(id: string, properties: PolicyInputs, state: PropertyMap, createdBy?: string): Promise<void> {
    const { ids } = this.context;
    const used = this.#id(id, createdBy);
    if (this.definition.deletedPart === undefined) {
      // What `--replace` names was checked as a new resource, which seemed to adopt the id again.
      const isReplaced =
        properties.deletionPolicy === "delete" && this.#resources.checked(createdBy)?.stored === undefined;
      if (isReplaced && ids.isAdoptedBy(used)) ids.release(used);
      const user = ids.userOf(used, createdBy, this.#isChecked);
      if (user !== undefined) {
        this.#log.skippedDelete(id, properties, user);
        return;
      }
      if (ids.isDeleted(used)) return;
    }
    await this.definition.delete(id, properties, this.#shape.lastRead(properties, state));
    if (properties.deletionPolicy === "delete") ids.addDeletion(used, createdBy);
  }

  /** The engine never deletes a resource whose policy in the state is "retain". If the program now says "delete", the create does. */
  async #deleteReplaced({ key, stored, diffed }: CheckedResource, inputs: PropertyMap): Promise<void> {
    const { deletes } = this.#policy(inputs);
    if (diffed?.state === undefined || stored?.deletionPolicy === "delete" || !deletes) return;
    this.context.trackSecrets(diffed.state);
    const properties = { ...this.#shape.declared(diffed.state), deletionPolicy: "delete" };
    await this.#delete(diffed.id, properties, diffed.state, key);
  }

  /** Keeps what the option `import` named before: only the program says that it should name another id, and that may be a mistake. */
  keepFormerImport(id: string, properties: PropertyMap, imported: string): void {
    this.context.trackSecrets(properties);
    this.#log.formerImport(id, this.#shape.declared(properties), imported);
  }

  #checkReplacement(
    replaced: CheckedResource,
    { inputs, failures, replaceOnChanges }: CheckedReplacement,
    stack: string | undefined,
  ): CheckResult {
    const policy = this.#policy(inputs);
    const refused = replacementFailures(replaced, policy, shownIn(this.definition), {
      adopt: inputs.adopt,
      replaceOnChanges,
    });
    // The replacement of an adopted resource creates a new one.
    const withoutAdopt = omit(inputs, ["adopt"]);
    replaced.adopt = inputs.adopt;
    const { diffed, stored } = replaced;
    if (diffed !== undefined) {
      if (refused.length === 0) this.#log.replacement(diffed.id, inputs, stored?.deletionPolicy, policy);
      this.context.ids.release(this.#id(diffed.id, replaced.key));
    }
    const state = policy.deletes ? undefined : diffed?.state;
    const creation = { stack, retained: diffed && state && { id: diffed.id, state } };
    const resource = { key: replaced.key, creation };
    return { inputs: withoutAdopt, failures: [...failures, ...refused], resource };
  }

  #id = (id: string, key = "") => ({ type: this.definition.type, id, key });

  /** Whether this run deleted what the resource adopts in order to replace it, so that a new one is created. */
  #isReplacement = (adopt: PropertyValue, key: string | undefined): boolean =>
    typeof adopt === "string" && this.context.ids.isReplacementOf(this.#id(adopt, key), this.#isChecked);

  #isChecked = (key: string | undefined): boolean => this.#resources.checked(key) !== undefined;

  /** A type without the input replacementPolicy loses nothing by a replacement. */
  #policy(inputs: PropertyMap): Policy {
    const hasPolicy = this.fields.some((field) => field.name === "replacementPolicy");
    return policyOf(hasPolicy ? inputs : { ...inputs, replacementPolicy: "allow" });
  }

  #withDefaults(inputs: PropertyMap, logicalName?: string): PolicyInputs {
    const named = logicalName === undefined ? {} : this.definition.defaultsOf?.(logicalName);
    return { ...named, ...this.#defaults, ...withoutNulls(inputs) };
  }
}
