import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { privateStateOf } from "../../../provider/src/lifecycle/state/private-state";
import type { LoggedRequest } from "../../../simulator/src/index";
import { OMITTED_FIELDS } from "../../../simulator/src/pipe-format";
import type { Profile } from "../../../simulator/src/profile";
import { leaks } from "../../kit/canary";
import { valueAt } from "../../kit/deployment";
import type { Resource } from "../../kit/engine-model/engine";
import { CANARIES } from "../any-pipe";
import { isMissing, missed, onChangeOf } from "./declared-values";
import type { PipeStack } from "./pipe-stack";
import { isReplaced, isWrite, runOf, shown, takeRequests, type Outcome, type Run } from "./session";

/** By profile: prefixes of the paths whose values a list does not return as stored. */
const HIDDEN: Readonly<Partial<Record<Profile, readonly string[]>>> = {
  quantity: ["scaling.replicaCpuMillicores", "scaling.replicaMemoryGb"],
  omit: Object.keys(OMITTED_FIELDS).concat("destination.tableDefinition"),
  "zero-later": ["scaling"],
  "lower-case": ["destination.database", "destination.table"],
  masked: ["source.objectStorage.path"],
};

interface Before {
  readonly ids: readonly string[];
  readonly resources: readonly Resource[];
}

/** Runs the engine, and throws if a rule that holds after every run is broken. */
export class PipeChecker {
  /** Pipes that the provider adopted and that no resource managed before. */
  readonly #adopted = new Set<string>();
  /** Whether the service may have changed since the last refresh without a trace in the state. */
  #maybeChanged = false;
  /** Pipes that may not have the declared credentials, because a request was lost. */
  readonly #unknownCredentials = new Set<string>();
  /** Immutable fields whose values the provider takes for a normalized form of the declared ones: ids and paths. */
  readonly #accepted = new Set<string>();

  constructor(private readonly stack: PipeStack) {}

  async run(run: Run): Promise<Outcome> {
    const { stack } = this;
    const before: Before = { ids: [...stack.pipeNames.keys()], resources: stack.resources };
    this.#acceptNormalizedForms(run);
    const outcome = await runOf(stack.session, stack.program, run);
    const { report, requests } = outcome;
    const canaries = [...CANARIES, stack.session.simulator.account.apiKeySecret];
    const texts = { shown: shown(report), stored: report.stored.join("\n") };
    expect(leaks(texts, canaries)).toEqual([]);
    this.#nothingOrphaned(outcome, before, run);
    this.#nothingDeletedWithoutPolicy(before);
    this.#nothingManagedDeleted(before, requests);
    this.#rememberUncertainties(run, outcome);
    if (report.failures.length === 0 && run !== "refresh") await this.#settled();
    return outcome;
  }

  /** The provider takes what the first read after a write returns for an immutable field as its normalized form. */
  #acceptNormalizedForms(run: Run): void {
    if (run !== "refresh" && run !== "up --refresh") return;
    for (const { id, inputs, outputs } of this.stack.resources) {
      if (privateStateOf(outputs as PropertyMap).written !== true) continue;
      const present = this.stack.pipe(id);
      for (const path of present === undefined ? [] : missed(inputs, present))
        if (onChangeOf(path) === "replace") this.#accepted.add(`${id} ${path}`);
    }
  }

  /** Every pipe is in the state, or a message has named it to the user. */
  #nothingOrphaned({ report, requests }: Outcome, { resources }: Before, run: Run): void {
    const { stack } = this;
    const { unmanaged } = stack;
    // The warning of a second pipe of the same name is no excuse for creating it: only the loss of an answer is.
    const lostAnswers = requests.some(
      ({ operationId, fault }) => operationId === "createPipe" && fault !== undefined,
    );
    const holders = stack.resources.filter((one) => !one.pendingReplacement);
    const held = holders.map(({ id }) => id);
    // A failed `up` may end before it removes a resource whose pipe another resource adopted.
    if (report.failures.length === 0 && run !== "refresh") expect(new Set(held).size).toBe(held.length);
    for (const [id, name] of stack.pipeNames) {
      if (held.includes(id)) this.#notAdoptedWithoutRequest(id);
      if (held.includes(id) || unmanaged.has(id)) continue;
      const how = report.lines.map((line) => this.#isGivenUp(line, id)).find((one) => one !== undefined);
      if (how === "stays" || report.retained.includes(id)) {
        this.#replacementIsAllowed(id, resources, run);
        unmanaged.add(id);
      } else if (how === "went" || (lostAnswers && isReported(shown(report), id, name)))
        // The user looks for it, as the message says, and deletes it.
        stack.deletePipe(id);
      else throw new Error(`The pipe ${id} is neither in the state nor reported.\n${shown(report)}`);
    }
  }

  /** Whether a line says that a pipe stays, or went with its service. */
  #isGivenUp(line: string, id: string): "stays" | "went" | undefined {
    if (line.includes(`(${id}) keeps running`)) return "stays";
    // Another resource adopts it, and this may fail.
    if (line.includes(`(${id}) is not deleted: `) && this.stack.adopts(id)) return "stays";
    // The requests to its service, too, were answered with 404.
    return /^service .* no longer exists \(404\)/.test(line) && line.includes(`(${id})`) ? "went" : undefined;
  }

  /** A replaced pipe stays only if the program or the user allows it. */
  #replacementIsAllowed(id: string, before: readonly Resource[], run: Run): void {
    const { stack } = this;
    const resource = before.find((one) => one.id === id);
    if (resource === undefined)
      throw new Error(`The provider created pipe ${id} and left it out of the state.`);
    const name = resource.pendingDelete ? undefined : stack.nameOf(resource);
    const declared = stack.declared(name);
    if (declared === undefined || (run === "up --replace" && isReplaced(name ?? ""))) return;
    if (declared["replacementPolicy"] !== "allow")
      throw new Error(`The pipe ${id} was replaced and still exists, which its policy refuses.`);
  }

  #notAdoptedWithoutRequest(id: string): void {
    const { stack } = this;
    if (!stack.unmanaged.delete(id)) return;
    const holder = stack.resources.find((resource) => resource.id === id);
    if (stack.declared(holder?.name)?.["adopt"] !== id)
      throw new Error(`The pipe ${id} was adopted, but the program does not name it.`);
    this.#adopted.add(id);
  }

  #nothingDeletedWithoutPolicy({ ids, resources }: Before): void {
    const { stack } = this;
    const after = stack.pipeNames;
    for (const id of ids.filter((one) => !after.has(one))) {
      const policies = resources
        .filter((one) => one.id === id)
        .flatMap((one) => [
          one.outputs["deletionPolicy"],
          stack.declared(stack.nameOf(one))?.["deletionPolicy"],
        ]);
      if (!policies.includes("delete"))
        throw new Error(`The pipe ${id} was deleted, but no policy asks for that.`);
    }
  }

  /** The run deleted no pipe of the new state, and none of another client. The effect of a failed request is open. */
  #nothingManagedDeleted({ resources }: Before, requests: readonly LoggedRequest[]): void {
    const { stack } = this;
    for (const { operationId, path, status, fault } of requests) {
      if (operationId !== "deletePipe" || status !== 200 || fault !== undefined) continue;
      if (stack.resources.some(({ id, pendingReplacement }) => path.endsWith(id) && !pendingReplacement))
        throw new Error(`${path} was deleted, but the state has it.`);
      if (!resources.some(({ id }) => path.endsWith(id)))
        throw new Error(`${path} was deleted, but the stack did not have it before the run.`);
    }
  }

  #rememberUncertainties(run: Run, { report, requests }: Outcome): void {
    const { stack } = this;
    const succeeded = report.failures.length === 0;
    const faulty = requests.filter((request) => request.fault !== undefined && isWrite(request));
    for (const { path } of faulty)
      for (const { id } of stack.resources) if (path.includes(id)) this.#unknownCredentials.add(id);
    if (succeeded && (run === "refresh" || run === "up --refresh"))
      this.#maybeChanged = stack.changedByHand = false;
    // An answer from 400 to 499 proves that the request had no effect.
    this.#maybeChanged ||= !succeeded && faulty.some(({ status }) => status < 400 || status >= 500);
  }

  /** The service has what the program declares, and another run sends and prints nothing. */
  async #settled(): Promise<void> {
    const { stack } = this;
    const { engine, simulator } = stack.session;
    const names = (all: Iterable<string>): string[] => [...all].sort();
    expect(names(stack.program.keys())).toEqual(names(stack.resources.map(({ name }) => name)));
    if (!this.#maybeChanged && !stack.changedByHand)
      for (const resource of stack.resources) this.#hasDeclaredValues(resource);
    const { failures, lines } = await engine.up(stack.program);
    expect(takeRequests(simulator)).toEqual([]);
    expect(failures).toEqual([]);
    expect(lines).toEqual([]);
  }

  #hasDeclaredValues({ name, id, inputs, outputs }: Resource): void {
    const present = this.stack.pipe(id);
    if (present === undefined) throw new Error(`Pipe ${id} of ${name} does not exist.`);
    const isAdopted = privateStateOf(outputs as PropertyMap).adopt === id;
    const hidden = [...this.stack.profiles].flatMap((profile) => HIDDEN[profile] ?? []);
    // The service says nothing of an immutable field: the provider assumes the declared value on adoption.
    const isAssumed = (path: string): boolean =>
      isAdopted && onChangeOf(path) === "replace" && isMissing(present, path);
    const paths = missed(inputs, present)
      .filter((path) => !this.#accepted.has(`${id} ${path}`))
      .filter((path) => !isAssumed(path))
      .filter((path) => !hidden.some((start) => path.startsWith(start)));
    expect({ name, missed: paths }).toEqual({ name, missed: [] });
    // An adopted pipe may have other create-only values, which the API does not return.
    if (!isAdopted && !this.#adopted.has(id) && !this.#unknownCredentials.has(id))
      this.#hasSecrets(id, inputs);
  }

  #hasSecrets(id: string, inputs: object): void {
    const { control } = this.stack.session.simulator;
    const digests = this.stack.pipe(id)?.["credentialsDigest"] as Readonly<Record<string, string>>;
    for (const [path, digest] of Object.entries(digests)) {
      const declared = valueAt(inputs, path);
      if (declared === undefined || path.endsWith("validateSamples")) continue;
      expect({ path, digest }).toEqual({ path, digest: control.digest(declared as object) });
    }
  }
}

/** Whether a message names a pipe that may be the program's. */
function isReported(text: string, id: string, name: string): boolean {
  const mayExist = `create pipe ${JSON.stringify(name)} failed`;
  return (
    (text.includes(mayExist) && /may have created the pipe|did not appear in the list/.test(text)) ||
    (/set adopt to (its ID|the ID of the new one)/.test(text) && text.includes(id))
  );
}
