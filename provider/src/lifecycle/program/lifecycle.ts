import { changesOf, isRemoval, withoutReplacements } from "../comparison/changes";
import type { CheckResult, DiffResult, LifecycleContext, ResourceDefinition } from "./definition";
import { duplicates, typeFailures, withoutMistyped, type Failure } from "../comparison/validation";
import { importedInputs, refreshInputs } from "../state/drift";
import { ConfigurationError, DatapipesError } from "../../messages/errors";
import { withCheckpoints } from "../state/write-failure";
import { fieldsOf, leafFields, type Field } from "../comparison/fields";
import { HIDDEN_INPUTS, readHiddenInputs } from "../state/hidden-inputs";
import { LifecycleLog } from "./lifecycle-log";
import { observedOf, OutputShape, readAfterUpdate } from "../state/outputs";
import {
  adoptsAnother,
  privateStateAfterCreate,
  privateStateAfterUpdate,
  privateStateOf,
  storedKey,
  type Adopted,
} from "../state/private-state";
import type { Declaration, PolicyInputs, Step } from "./program";
import { containsUnknown, type PropertyMap } from "../comparison/property-value";
import { mayReplace, refusedChanges, refusedReplacement, replacingChanges } from "./replacement";
import { adoptedTwice, nameInKey, resourceKey } from "../state/resource-key";

export type * from "./definition";

/** The lifecycle of one type of resource, independent of the protocol to the engine. */
export class Lifecycle {
  readonly fields: readonly Field[];
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
    const { key = "", stack, isAlone, inputs: declared } = readHiddenInputs(newInputs);
    this.context.stack.name ??= stack;
    const inputs = this.#withDefaults(declared, logicalName);
    const mistyped = typeFailures(this.definition.schema, inputs, this.definition.secretNames);
    const { type } = this.definition;
    const declaration = this.context.program.declare({ key, type, inputs, isAlone }, oldInputs);
    const typed = withoutMistyped(inputs, mistyped);
    const failures = [
      ...this.context.configurationProblems(inputs).map((reason) => ({ path: [], reason })),
      ...mistyped,
      ...this.definition.rules(typed),
      ...duplicates(this.fields, typed),
      ...this.#checkReplacement(declaration),
    ];
    return { ...declaration, failures };
  }

  /** Compares a checked resource with others, and logs what the run will do with it. */
  async checkAgainstOthers({ failures, ...declaration }: CheckResult): Promise<readonly Failure[]> {
    const refused = failures.length === 0 ? await this.#failuresBesideOthers(declaration) : [];
    if (failures.length + refused.length > 0)
      this.context.program.edit(declaration.key, { status: "refused" });
    return refused;
  }

  async #failuresBesideOthers(declaration: Declaration): Promise<readonly Failure[]> {
    const { key, type, inputs, oldInputs } = declaration;
    const { program, log, warn } = this.context;
    if (declaration.step === "replace" && !this.#mayReplace(declaration))
      return this.#refusedReplacement(declaration);
    const step = await this.#stepOf(declaration);
    const { adopt } = inputs;
    if (step === "adopt" && typeof adopt === "string") {
      const holder = program.otherHolder(type, adopt, key);
      if (holder !== undefined) return [{ path: ["adopt"], reason: adoptedTwice(adopt, key, holder.key) }];
    }
    // A service may repeat them in an answer.
    this.context.trackSecrets(inputs);
    const wasTakenOver = program.wasTakenOver(key);
    const report = await this.definition.checkAgainstOthers?.({ key, inputs, oldInputs, step, wasTakenOver });
    for (const line of report?.warnings ?? []) warn(line);
    for (const line of report?.lines ?? []) log(line);
    return report?.failures ?? [];
  }

  /** Compares the state with the program. Sends no request. */
  diff(id: string, state: PropertyMap, inputs: PolicyInputs, key = ""): DiffResult {
    const observed = observedOf(state);
    const changes = this.#shape.changes(state, inputs);
    const isAllowed = mayReplace(this.fields, inputs);
    const replaces = replacingChanges(changes, isAllowed).map(({ path }) => path);
    // A field that is only sent along with other changes is no change by itself.
    const inputsEqual = changes.every(({ effect }) => effect === "sentAlong");
    const changed = !inputsEqual || this.definition.needsUpdate?.(observed, inputs) === true;
    const deleteBeforeReplace = inputs.deletionPolicy === "delete";
    const result = { changed, inputsEqual, changes, replaces, deleteBeforeReplace };
    const { program } = this.context;
    const { type } = this.definition;
    // Without a check, the engine deletes at once the dependents of a replaced resource that may need a replacement.
    // So an unknown value is no change until it is known.
    if (program.of(key) === undefined)
      return { ...result, changed: changed && !containsUnknown(inputs), replaces: isAllowed ? replaces : [] };
    const isReplaced = replaces.length > 0;
    program.compare(key, { id, state, inputs, changes }, isReplaced);
    const adopter = isReplaced ? undefined : program.otherHolder(type, id, key)?.key;
    if (adopter !== undefined)
      throw new Error(`adopt of ${nameInKey(adopter)} ${adoptedTwice(id, adopter, key)}`);
    // A replacement keeps nothing. The program has not declared before what an import of this run took as inputs.
    this.#log.changes(id, state, inputs, isReplaced || program.isImported(type, id) ? [] : changes);
    return result;
  }

  async create(inputs: PolicyInputs, key = ""): Promise<{ id: string; outputs: PropertyMap }> {
    this.context.trackSecrets(inputs);
    const { program, stack } = this.context;
    const { type } = this.definition;
    const { adopt } = inputs;
    const declaration = program.declare({ key, type, inputs });
    const step = await this.#stepOf(declaration);
    const outputs = (id: string, declared: PropertyMap, current: PropertyMap, adopted?: Adopted) => {
      program.recordWrite(key, { id, isNew: true, current });
      stack.recordWrite();
      return this.#shape.outputs(
        declared,
        current,
        privateStateAfterCreate(declaration.token, adopt, adopted),
      );
    };
    return withCheckpoints(
      async (progress) => {
        await this.#deleteReplaced(declaration);
        const { id, current, adopted } = await this.definition.create(inputs, progress, { key, step });
        this.#log.ignoredValues(id, inputs, current, () => true);
        return { id, outputs: outputs(id, inputs, current, adopted) };
      },
      outputs,
      {
        inStack: this.definition.noun,
        isReplacement: declaration.comparison !== undefined,
        id: declaration.comparison?.id,
      },
    );
  }

  /** Reads the resource; undefined if it no longer exists. */
  async read(
    id: string,
    stored: PropertyMap,
  ): Promise<{ readonly inputs: PropertyMap; readonly outputs: PropertyMap } | undefined> {
    this.context.trackSecrets(stored);
    const isInStack = "observed" in stored;
    const declared = this.#withDefaults(this.#shape.declared(stored));
    const lastRead = isInStack ? this.#shape.lastRead(declared, stored) : undefined;
    if (!isInStack) {
      // A read by ID comes without a check.
      const problems = this.context.configurationProblems(declared);
      if (problems.length > 0) throw new ConfigurationError("configuration", problems.join("\n"));
      this.context.program.recordImport(this.definition.type, id);
    }
    if (isInStack && this.definition.read === undefined) this.#log.refreshWithoutRead();
    const current = await (this.definition.read?.(id, declared, lastRead) ?? lastRead ?? {});
    if (current === undefined) {
      this.context.program.recordLoss(this.definition.type, id, stored);
      if (isInStack) return undefined;
      const { type, noun } = this.definition;
      const missing = `read ${type} ${id} failed: the service has no ${noun} with this ID.`;
      throw new DatapipesError("not-found", missing, { finding: "not-found" });
    }
    // Nothing was read, so the next read is still the first one after the last write.
    if (current === lastRead) return { inputs: declared, outputs: stored };
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
    const { program } = this.context;
    const allChanges = program.of(key ?? "")?.comparison?.changes ?? this.#shape.changes(state, inputs);
    const changes = changesOf("update", allChanges).filter((change) => !isRemoval(change));
    const sent = new Set(changes.map(({ path }) => path));
    const withUnsent = (declared: PropertyMap): PropertyMap => withoutReplacements(allChanges, declared);
    const stored = { ...privateStateOf(state), key: key ?? storedKey(state) };
    const privateState = privateStateAfterUpdate(stored, changes, lastRead);
    const outputs = (_id: string, sentInputs: PropertyMap, current: PropertyMap): PropertyMap => {
      program.recordWrite(key ?? "", { id, isNew: false, current });
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
      const update = { id, key, oldInputs, inputs, lastRead, changes, allChanges };
      const current = await this.definition.update(update, progress);
      if (current === undefined) return this.#shape.outputs(withUnsent(inputs), lastRead, stored);
      this.#log.ignoredValues(id, inputs, current, (path) => sent.has(path));
      return outputs(id, inputs, current);
    }, outputs);
  }

  /** Deletes or retains the resource, as its policy says. A resource that no longer exists is no error. */
  async delete(id: string, properties: PropertyMap, given?: string): Promise<void> {
    this.context.trackSecrets(properties);
    const declared: PolicyInputs = this.#shape.declared(properties);
    const token = storedKey(properties);
    const key = given ?? (token === undefined ? undefined : this.context.program.keyOf(token));
    const { program } = this.context;
    const stored = declared.deletionPolicy;
    const deletionPolicy = program.deletionPolicyOf(this.definition.type, id, key, stored);
    await this.#delete(id, { ...declared, deletionPolicy }, properties, key);
  }

  async #delete(id: string, properties: PolicyInputs, state: PropertyMap, key?: string): Promise<void> {
    const { type, deletesPart } = this.definition;
    const { program, stack } = this.context;
    const lastRead = this.#shape.lastRead(properties, state);
    if (properties.deletionPolicy !== "delete" || deletesPart === true)
      return this.definition.delete(id, properties, lastRead, key);
    if (program.isDeletionDone(type, id)) return;
    // What the engine deletes has no resource in the program, or one that a replacement leaves.
    const holder = program.holder(type, id) ?? (await stack.otherHolder(type, id, key));
    if (holder === undefined) await this.definition.delete(id, properties, lastRead, key);
    else this.#log.skippedDelete(id, properties, holder.key);
    program.recordDeletion(type, id, holder === undefined);
  }

  /** The engine never deletes what the state retains. If the program now says "delete", the create does. */
  async #deleteReplaced({ key, inputs, oldInputs, comparison }: Declaration): Promise<void> {
    if (comparison === undefined || oldInputs?.deletionPolicy === "delete") return;
    if (inputs.deletionPolicy !== "delete") return;
    const { id, state } = comparison;
    this.context.trackSecrets(state);
    await this.#delete(id, { ...this.#shape.declared(state), deletionPolicy: "delete" }, state, key);
  }

  /** Why the policy refuses changes that require a replacement. Logs one that the engine may show otherwise. */
  #checkReplacement(declaration: Declaration): readonly Failure[] {
    const { step, oldInputs, comparison } = declaration;
    if (step !== "replace" || comparison === undefined) return [];
    if (!this.#mayReplace(declaration)) return refusedChanges(this.definition, comparison);
    this.#log.replacement(comparison, oldInputs?.deletionPolicy);
    return [];
  }

  /** Why the policy refuses a replacement that no change requires. */
  async #refusedReplacement({ key, type, comparison }: Declaration): Promise<readonly Failure[]> {
    const { resources = [] } = await this.context.stack.managed(type);
    const stored = resources.find((one) => one.key === key);
    return refusedReplacement(this.definition, comparison, stored);
  }

  /** A policy pack may have changed the inputs after the check: the diff has seen that, a second check has not. */
  #mayReplace = ({ inputs, comparison }: Declaration): boolean =>
    mayReplace(this.fields, comparison?.inputs ?? inputs);

  /**
   * What a run does with a resource. The engine checks one that `--replace` names like a new one, and asks for no
   * diff: only the state of the stack shows that it is there.
   */
  async #stepOf({ key, type, inputs: { adopt }, step }: Declaration): Promise<Step> {
    // An ID that is not known yet is adopted when it is.
    if (step !== "adopt" || typeof adopt !== "string") return step;
    const { resources = [] } = await this.context.stack.managed(type);
    const stored = resources.find((one) => one.key === key);
    if (stored === undefined || adoptsAnother(stored.id, stored.outputs, adopt)) return "adopt";
    this.context.program.edit(key, { step: "replace" });
    return "replace";
  }

  #withDefaults(inputs: PropertyMap, logicalName?: string): PolicyInputs {
    const named = logicalName === undefined ? {} : this.definition.defaultsOf?.(logicalName);
    return { ...named, ...this.#defaults, ...inputs };
  }
}
