import { pipeFromWire, type WireObject } from "../../../provider/src/api/wire";
import { valueAt, type PropertyMap } from "../../../provider/src/core/property-value";
import { isNotReturned } from "../../../provider/src/core/equality";
import { privateStateOf } from "../../../provider/src/core/private-state";
import { fieldAt } from "../../../testkit/pipe-fields";
import { missed } from "../agreement";
import { CANARIES } from "../any-pipe";
import type { LoggedRequest } from "../../../simulator/src/index";
import type { Profile } from "../../../simulator/src/profile";
import type { Report, Resource } from "./program";
import type { Checker, Outcome, Run } from "./steps";
import type { PipeStack } from "./pipe-stack";
import { isReplaced, isWrite, runOf, secretsShown, shown, takeRequests } from "./session";

/** Whether the answer proves that the request had no effect. */
const wasRefused = ({ status }: LoggedRequest): boolean => status >= 400 && status < 500;

const wasRetained = ({ retained }: Report, id: string): boolean => retained.includes(id);

/** Whether the service omits an immutable field: the provider then assumes the declared value on adoption. */
function saysNothingOf(path: string, present: PropertyMap): boolean {
  const field = fieldAt(path);
  return field.onChange === "replace" && isNotReturned(field, valueAt(present, field.path));
}

/** By profile: prefixes of the paths whose values a list does not return as stored. */
const HIDDEN: Readonly<Partial<Record<Profile, readonly string[]>>> = {
  quantity: ["scaling.replicaCpuMillicores", "scaling.replicaMemoryGb"],
  omit: [
    "scaling.concurrency",
    ...["consumerGroup", "offset", "schemaRegistry"].map((name) => `source.kafka.${name}`),
    ...["delimiter", "isContinuous", "compression", "queueUrl"].map((name) => `source.objectStorage.${name}`),
    ...["useEnhancedFanOut", "timestamp"].map((name) => `source.kinesis.${name}`),
    ...["publicationName", "allowNullableColumns"].map((name) => `source.postgres.settings.${name}`),
    "destination.managedTable",
  ],
  "zero-later": ["scaling"],
  "lower-case": ["destination.database", "destination.table"],
  masked: ["source.objectStorage.path"],
};

const isHidden = (path: string, profiles: ReadonlySet<Profile>): boolean =>
  [...profiles].flatMap((profile) => HIDDEN[profile] ?? []).some((start) => path.startsWith(start));

/** Whether an error names a pipe that may be the program's, or says that one may exist. */
const isReported = (text: string, id: string, name: unknown): boolean =>
  (text.includes(`create pipe ${JSON.stringify(name)} failed`) &&
    text.includes("may have created the pipe")) ||
  (/set adopt to (its id|the id of that one)/.test(text) && text.includes(id));

/** Whether a line names a pipe as lost with its service, because the service's own requests, too, were answered with 404. */
const isLostWithService = ({ lines }: Report, id: string): boolean =>
  lines.some((line) => /^service .* no longer exists \(404\)/.test(line) && line.includes(`(${id})`));

/** The rules that hold after every run of a stack of pipes. */
export class PipeChecker implements Checker {
  /** Whether the service may have changed since the last refresh without a trace in the state. */
  #maybeChanged = false;
  /** Pipes that may not have the declared credentials: a request was lost, or the pipe was adopted. */
  readonly #unknownCredentials = new Set<string>();
  /** Immutable fields whose values the provider takes for a normalized form of the declared ones: ids and paths. */
  readonly #accepted = new Set<string>();

  constructor(private readonly stack: PipeStack) {}

  async run(run: Run): Promise<Outcome> {
    const { stack } = this;
    const { simulator } = stack.session;
    const before = { pipes: stack.pipes, resources: stack.resources };
    if (run === "refresh" || run === "up --refresh") this.#acceptFirstReadAfterWrite();
    const { report, requests } = await runOf(stack.session, stack.program, run);
    const succeeded = report.failures.length === 0;
    const faulty = requests.filter(({ fault }) => fault !== undefined);
    for (const { path } of faulty.filter(isWrite))
      for (const { id } of stack.resources) if (path.includes(id)) this.#unknownCredentials.add(id);
    if (succeeded && (run === "refresh" || run === "up --refresh"))
      this.#maybeChanged = stack.changedByHand = false;
    this.#maybeChanged ||= !succeeded && faulty.some((request) => isWrite(request) && !wasRefused(request));
    expect(secretsShown(report, [...CANARIES, simulator.account.apiKeySecret])).toEqual([]);
    this.#nothingOrphaned({ report, requests }, before.resources, run);
    this.#nothingDeletedWithoutPolicy(before);
    this.#nothingManagedDeleted(before.resources, requests);
    if (succeeded && run !== "refresh") await this.#settled(requests.length);
    return { report, requests };
  }

  /** The provider takes what the first read after a write returns for an immutable field as its normalized form. */
  #acceptFirstReadAfterWrite(): void {
    for (const { id, inputs, outputs } of this.stack.resources) {
      const pipe = this.stack.pipes.get(id);
      if (pipe === undefined || privateStateOf(outputs as PropertyMap).written !== true) continue;
      const present = pipeFromWire(pipe as WireObject) as PropertyMap;
      for (const path of missed(inputs as PropertyMap, present))
        if (fieldAt(path).onChange === "replace") this.#accepted.add(`${id} ${path}`);
    }
  }

  /** Every pipe is in the state, or a message has named it to the user. */
  #nothingOrphaned({ report, requests }: Outcome, before: readonly Resource[], run: Run): void {
    const { stack } = this;
    // The warning of a second pipe of the same name is no excuse for creating it: only the loss of an answer is.
    const lostAnswers = requests.some(
      ({ operationId, fault }) => operationId === "createPipe" && fault !== undefined,
    );
    const held = stack.resources.filter(({ pendingReplacement }) => !pendingReplacement).map(({ id }) => id);
    // A failed `up` may end before it removes a resource whose pipe another resource adopted.
    if (report.failures.length === 0 && run !== "refresh") expect(new Set(held).size).toBe(held.length);
    for (const [id, { name }] of stack.pipes) {
      if (held.includes(id)) {
        this.#notAdoptedWithoutRequest(id);
        continue;
      }
      if (stack.unmanaged.has(id)) continue;
      if (wasRetained(report, id) || report.lines.some((line) => line.includes(`(${id}) keeps running`))) {
        this.#replacementIsAllowed(id, before, run);
        stack.unmanaged.set(id, undefined);
      } else if (isLostWithService(report, id) || (lostAnswers && isReported(shown(report), id, name)))
        // The user looks for the pipe, as the message says, and deletes it.
        stack.session.simulator.control.deletePipe(id);
      else throw new Error(`Pipe ${id} is neither in the state nor named in a message.\n${shown(report)}`);
    }
  }

  /** A replaced pipe keeps running only if the program or the user allows it. */
  #replacementIsAllowed(id: string, before: readonly Resource[], run: Run): void {
    const { stack } = this;
    const resource = before.find((one) => one.id === id);
    if (resource === undefined)
      throw new Error(`The provider created pipe ${id} and left it out of the state.`);
    const name = resource.pendingDelete ? undefined : stack.nameOf(resource);
    const declared = name === undefined ? undefined : stack.declared(name);
    if (declared === undefined) return;
    if (run === "up --replace" && isReplaced(name ?? "")) return;
    if (declared.policy.replacementPolicy !== "allow")
      throw new Error(`Pipe ${id} of ${name ?? ""} was replaced and still runs, which its policy refuses.`);
  }

  /** The run deleted no pipe of the new state, and none of another client. The effect of a failed request is open. */
  #nothingManagedDeleted(before: readonly Resource[], requests: readonly LoggedRequest[]): void {
    const { stack } = this;
    for (const { operationId, path, status, fault } of requests) {
      if (operationId !== "deletePipe" || status !== 200 || fault !== undefined) continue;
      const isMeant = ({ id, pendingReplacement }: Resource): boolean =>
        path.endsWith(id) && !pendingReplacement;
      if (stack.resources.some(isMeant)) throw new Error(`${path} was deleted, but the state has it.`);
      if (!before.some(({ id }) => path.endsWith(id)))
        throw new Error(`${path} was deleted, but the stack did not have it before the run.`);
    }
  }

  #notAdoptedWithoutRequest(id: string): void {
    const { stack } = this;
    if (!stack.unmanaged.has(id)) return;
    const holder = stack.resources.find((resource) => resource.id === id);
    if (stack.declared(holder?.name ?? "")?.adopt !== id)
      throw new Error(`Pipe ${id} was adopted, but the program does not name it.`);
    stack.unmanaged.delete(id);
    // The API does not return its credentials.
    this.#unknownCredentials.add(id);
  }

  #nothingDeletedWithoutPolicy(before: {
    readonly pipes: ReadonlyMap<string, unknown>;
    readonly resources: readonly Resource[];
  }): void {
    const { stack } = this;
    const after = stack.pipes;
    for (const id of before.pipes.keys()) {
      if (after.has(id)) continue;
      const policies = before.resources
        .filter((one) => one.id === id)
        .flatMap((resource) => [
          resource.outputs["deletionPolicy"],
          stack.declared(stack.nameOf(resource) ?? "")?.policy.deletionPolicy,
        ]);
      if (!policies.includes("delete"))
        throw new Error(`Pipe ${id} was deleted, but no policy asks for that.`);
    }
  }

  /** The service has what the program declares, and another run sends nothing. */
  async #settled(sent: number): Promise<void> {
    const { stack } = this;
    const { engine, simulator } = stack.session;
    expect([...stack.program.keys()].sort()).toEqual(stack.resources.map(({ name }) => name).sort());
    if (!this.#maybeChanged && !stack.changedByHand)
      for (const resource of stack.resources) this.#agrees(resource);
    const { failures, lines } = await engine.up(stack.program);
    const unexpected = lines.filter((line) => !stack.expects(line));
    expect({ sent, again: takeRequests(simulator), failures, lines: unexpected }).toEqual({
      sent,
      again: [],
      failures: [],
      lines: [],
    });
  }

  /** A pipe has every declared value. */
  #agrees({ name, id, inputs, outputs }: Resource): void {
    const pipe = this.stack.pipes.get(id);
    if (pipe === undefined) throw new Error(`Pipe ${id} of ${name} does not exist.`);
    const present = pipeFromWire(pipe as WireObject) as PropertyMap;
    const isAdopted = privateStateOf(outputs as PropertyMap).adopt === id;
    const paths = missed(inputs as PropertyMap, present)
      .filter((path) => !this.#accepted.has(`${id} ${path}`))
      .filter((path) => !(isAdopted && saysNothingOf(path, present)))
      .filter((path) => !isHidden(path, this.stack.profiles));
    expect({ name, missed: paths }).toEqual({ name, missed: [] });
    // An adopted pipe may have other create-only values, which the API does not return.
    if (!isAdopted && !this.#unknownCredentials.has(id)) this.#hasSecrets(inputs as PropertyMap, pipe);
  }

  #hasSecrets(inputs: PropertyMap, pipe: PropertyMap): void {
    const { control } = this.stack.session.simulator;
    const digests = pipe["credentialsDigest"] as Readonly<Record<string, string>>;
    for (const [path, digest] of Object.entries(digests)) {
      const declared = valueAt(inputs, path.split("."));
      if (declared === undefined || path.endsWith("validateSamples")) continue;
      expect({ path, digest }).toEqual({ path, digest: control.digest(declared as object) });
    }
  }
}
