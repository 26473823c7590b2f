import { readFirst } from "../../api/http/clock";
import { SECRET_NAMES } from "../../api/secrets/secret-names";
import { changesOf, type Change } from "../../lifecycle/comparison/changes";
import type {
  CheckedResource,
  PolicyInputs,
  CheckReport,
  Progress,
  ResourceDefinition,
  Update,
} from "../../lifecycle/program/definition";
import type { Declaration } from "../../lifecycle/program/program";
import { omit, type PropertyMap } from "../../lifecycle/comparison/property-value";
import { DatapipesError, isDatapipesError, saysNotFound } from "../../messages/errors";
import { idKey } from "../../values/uuid";
import { scopeOf, type RunContext } from "../context";
import { deleteByPolicy } from "../deletion";
import { adoptPipe, previewAdoption, type Adopting } from "./adopt";
import { PipeCreator } from "./create";
import { LAG_MS, timeOf, type PipeList } from "./list";
import { describePipe, pipeOfAnswer, type ListedPipe, type ObservedPipe } from "./observed";
import { credentialWarnings, gapWarnings, pipeRules } from "./rules";
import { mayBeRefused, refusalOf, type Views } from "./same-load";
import { pipeOutputs, pipeSchema, type PipeDraft, type PipeInputs } from "./schema";
import { hasFailed } from "./states";
import { updatePipe } from "./update";
import { isAwaited, waitForState } from "./wait";

/** Pipes: their fields, and how the API creates, lists, updates and deletes them. */
class Pipes implements ResourceDefinition<typeof pipeSchema> {
  readonly type = "Pipe";
  readonly noun = "pipe";
  readonly takeOver =
    'To manage an existing pipe, set the argument `adopt: "<id>"` or run `npx pulumi-datapipes import`.';
  readonly schema = pipeSchema;
  readonly secretNames = SECRET_NAMES;
  readonly outputs = pipeOutputs;
  readonly describe = describePipe;
  readonly rules = pipeRules;
  readonly #creator: PipeCreator;
  /** The services whose list a check could not read. */
  readonly #unread = new Set<string>();

  constructor(private readonly context: RunContext) {
    this.#creator = new PipeCreator(context);
  }

  defaultsOf = (logicalName: string): PropertyMap => ({ name: logicalName });

  /** Asks for one list for each service, unless the stack has the pipe and it loads nothing else than before. */
  async checkAgainstOthers(checked: CheckedResource<PipeDraft>): Promise<CheckReport> {
    const { key, inputs, step, wasTakenOver } = checked;
    const isNew = step === "create" || step === "replace";
    const warnings = [
      ...(isNew ? gapWarnings(inputs) : []),
      ...(isNew && wasTakenOver ? credentialWarnings(inputs) : []),
    ];
    const declaration = { ...this.#declaration(key), step };
    if (step === "update" && !mayBeRefused(declaration)) return { warnings };
    const list = await this.#listOfCheck(inputs);
    if (mayBeRefused(declaration)) {
      const { resources } = await this.context.stack.managed("Pipe");
      const reason = this.#refusal(declaration, { list, stack: resources, isCheck: true });
      if (reason !== undefined) return { warnings, failures: [{ path: [], reason }] };
    }
    if (step !== "adopt" || list === undefined || typeof inputs.adopt !== "string") return { warnings };
    return { warnings, ...previewAdoption({ ...inputs, adopt: inputs.adopt }, list) };
  }

  async create(
    inputs: PipeInputs,
    progress: Progress,
    { key, step }: Pick<CheckedResource, "key" | "step">,
  ): Promise<{ readonly id: string; readonly current: PropertyMap }> {
    const { context } = this;
    const list = await this.#beforeWrite(
      { ...this.#declaration(key), step },
      `create pipe ${JSON.stringify(inputs.name)}`,
    );
    const created =
      step === "adopt"
        ? await adoptPipe(context, inputs as Adopting<PipeInputs>, list, progress)
        : await this.#creator
            .create(inputs, list)
            .then((pipe) => ({ id: pipe.id, current: pipeOfAnswer(pipe) }));
    context.lists.recordWrite();
    const current = await waitForState(context, created, inputs, progress);
    return { ...created, current };
  }

  /** Undefined only if the lists had the time to show the pipe, and did not. */
  async read(
    id: string,
    properties: ObservedPipe,
    lastRead: PropertyMap | undefined,
  ): Promise<PropertyMap | undefined> {
    const { lists, program, warn } = this.context;
    const scope = scopeOf(properties);
    const name = describePipe(id, properties);
    const listed = byId(id)((await lists.read(scope)).pipes);
    // A read by ID reads what others manage, or what this run has created since the last list.
    const madeLag = program.isMade("Pipe", id) ? LAG_MS : 0;
    const lag = lastRead === undefined ? madeLag : lists.lagOf(lastRead);
    const { found, isAbsent } =
      listed === undefined ? await lists.await(scope, byId(id), lag) : { found: listed, isAbsent: false };
    if (found === undefined && !isAbsent && lastRead !== undefined)
      warn(
        `${name} is not in the list, but a second list did not confirm that it was deleted. The pipe stays in ` +
          "the stack, unchanged.",
      );
    if (found === undefined) return isAbsent ? undefined : lastRead;
    if (lastRead !== undefined && lag > 0 && isOlder(found, lastRead)) return lastRead;
    const { state } = found;
    // That a managed pipe has failed is no difference.
    if (lastRead !== undefined && typeof state === "string" && hasFailed(state))
      warn(
        `${name} has the state ${state}: it may not be loading data. Find the reason in the service's console; ` +
          "the provider cannot start a pipe.",
      );
    return pipeOfAnswer(found, lastRead);
  }

  async update(update: Update<PipeInputs>, progress: Progress): Promise<PropertyMap | undefined> {
    const { id, key = "", inputs, lastRead, allChanges } = update;
    const declaration = this.context.program.of(key);
    if (declaration !== undefined && mayBeRefused(declaration))
      await this.#beforeWrite(declaration, `update ${describePipe(id, inputs)}`);
    // A wait must not end on a state that was read before the update, nor fail on one of an earlier run.
    const lastKnown = inputs.waitFor === undefined ? lastRead : omit(lastRead, ["state"]);
    const answer = await updatePipe(this.context, { ...update, lastRead: lastKnown }, progress);
    if (answer !== undefined) this.context.lists.recordWrite();
    if (inputs.waitFor === undefined || (answer === undefined && changesPolicyAlone(allChanges)))
      return answer;
    const current = answer ?? (isAwaited(lastRead, inputs) ? lastRead : lastKnown);
    return waitForState(this.context, { id, current }, inputs, progress);
  }

  async delete(id: string, properties: PolicyInputs & ObservedPipe, lastRead: PropertyMap): Promise<void> {
    await deleteByPolicy(this.context, {
      what: describePipe(id, properties),
      properties,
      kind: "pipe",
      retained: "keeps running and loading data",
      send: async () => {
        await this.context.client().deletePipe(scopeOf(properties), id, { label: properties.name });
        this.context.lists.recordWrite();
      },
      confirmGone: () => this.#confirmGone(id, properties, { ...lastRead, ...properties }),
    });
  }

  #declaration(key: string): Declaration {
    const declaration = this.context.program.of(key);
    if (declaration === undefined) throw new Error(`The engine has not checked ${key}.`);
    return declaration;
  }

  /** The list before a request that may make a pipe load something. Throws if another pipe loads the same. */
  async #beforeWrite(declaration: Declaration, attempt: string): Promise<PipeList> {
    const { clock, lists, program, stack } = this.context;
    const now = clock.now();
    const isTold = declaration.isAlone === true || !mayBeRefused(declaration);
    const { resources, isShared } = await stack.managed("Pipe", isTold ? undefined : now);
    const scope = scopeOf(declaration.inputs);
    const oldest = isTold || !isShared ? now - LAG_MS : now;
    const list = await readFirst(clock, attempt, lists.read(scope, oldest));
    const reason = this.#refusal(declaration, { list, stack: resources, isCheck: false });
    if (reason !== undefined) throw new DatapipesError("conflict", reason);
    program.edit(declaration.key, { status: "started" });
    return list;
  }

  #refusal(declaration: Declaration, known: Pick<Views, "list" | "stack" | "isCheck">): string | undefined {
    const { lists, program } = this.context;
    const mayBeUnlisted = (pipe: ObservedPipe): boolean => lists.lagOf(pipe) > 0;
    const reason = refusalOf(declaration, { ...known, program, mayBeUnlisted });
    // At once: one refusal for two pipes is enough.
    if (reason !== undefined) program.edit(declaration.key, { status: "refused" });
    return reason;
  }

  /** The list for a check, which continues without it unless no `pulumi up` can work. */
  async #listOfCheck(inputs: PipeDraft): Promise<PipeList | undefined> {
    const { organizationId, serviceId } = inputs;
    if (typeof organizationId !== "string" || typeof serviceId !== "string") return undefined;
    if (this.#unread.has(serviceId)) return undefined;
    try {
      return await this.context.lists.readOnce({ organizationId, serviceId });
    } catch (error) {
      if (!isDatapipesError(error) || [401, 404].includes(error.answer.status ?? 0)) throw error;
      this.#unread.add(serviceId);
      this.context.warn(
        `the provider cannot list the pipes of service ${serviceId} (${error.reason}). The preview cannot show ` +
          "pipes that would load the same data, or what adoptions change. `pulumi up` checks both before it creates " +
          "or adopts a pipe. Run `npx pulumi-datapipes doctor`, which checks the connection and the service.",
      );
      return undefined;
    }
  }

  /** Whether a pipe that cannot be deleted does not exist, or its service does not. */
  async #confirmGone(id: string, properties: PropertyMap, written: PropertyMap): Promise<boolean> {
    try {
      const { lists } = this.context;
      return (await lists.await(scopeOf(properties), byId(id), lists.lagOf(written))).isAbsent;
    } catch (error) {
      if (!isDatapipesError(error) || !saysNotFound(error)) throw error;
      this.context.warn(
        `${describePipe(id, properties)}: the API returned 404 for the pipe and for its service, so Pulumi removes ` +
          "the pipe from the stack. If the service still exists, the pipe may keep running: check the API key, " +
          "datapipes:baseUrl, organizationId and serviceId.",
      );
      return true;
    }
  }
}

export const pipeDefinition = (context: RunContext): ResourceDefinition<typeof pipeSchema> =>
  new Pipes(context);

const byId =
  (id: string) =>
  (pipes: PipeList["pipes"]): ListedPipe | undefined =>
    pipes.get(idKey(id));

/** Whether a list shows a pipe as it was before the last write. Services may cut times to seconds. */
const isOlder = (listed: ObservedPipe, lastRead: ObservedPipe): boolean =>
  (timeOf(listed.updatedAt) ?? Infinity) + 1_000 <= (timeOf(lastRead.updatedAt) ?? -Infinity);

/**
 * Whether a field has changed that the state alone keeps, and not the wait. Without a change the update resumes the
 * wait of a failed run.
 */
function changesPolicyAlone(changes: readonly Change[]): boolean {
  const changed = changesOf("providerOnly", changes).map(({ field }) => field.path[0]);
  return changed.length > 0 && !changed.includes("waitFor");
}
