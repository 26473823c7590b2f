import { pipeFromWire, type WireObject } from "../../../provider/src/api/wire";
import { valueAt, type PropertyMap } from "../../../provider/src/core/property-value";
import { isUnstated } from "../../../provider/src/core/equality";
import { memoryOf } from "../../../provider/src/core/memory";
import { fieldAt } from "../../unit/core/fields";
import { missed } from "../agreement";
import { CANARIES } from "../any-pipe";
import type { LoggedRequest } from "../../../simulator/src/index";
import type { Profile } from "../../../simulator/src/profile";
import type { Report, Resource } from "./program";
import type { Judge, Outcome, Run } from "./life";
import type { PipeStack } from "./pipe-stack";
import { isReplaced, isWrite, runOf, secretsShown, shown, takeRequests } from "./session";

/** Whether the answer said that the request took no effect. */
const wasRefused = ({ status }: LoggedRequest): boolean => status >= 400 && status < 500;

const wasRetained = ({ retained }: Report, id: string): boolean => retained.includes(id);

/** Whether a pipe states nothing of a fixed field: then it is adopted as if it had what is declared. */
function saysNothingOf(path: string, present: PropertyMap): boolean {
  const field = fieldAt(path);
  return field.onChange === "replace" && isUnstated(field, valueAt(present, field.path));
}

/** By profile the beginnings of the paths of which a list does not tell what the service has. */
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

/** Whether an error has named a pipe that may be the program's, or said that there may be one. */
const isTold = (text: string, id: string, name: unknown): boolean =>
  text.includes(`not known whether pipe ${JSON.stringify(name)} exists`) ||
  (text.includes("name its id as adopt") && text.includes(id));

/** What must be true after every run of a stack of pipes. */
export class PipeJudge implements Judge {
  /** Whether the service may have changed since the last refresh without the stack knowing of it. */
  #unsure = false;
  /** Pipes whose last credentials may have been lost on the way, or were given to another pipe before. */
  readonly #unsureOfSecrets = new Set<string>();
  /** Fixed fields whose values are taken for another way to write what is declared: ids and paths. */
  readonly #accepted = new Set<string>();

  constructor(private readonly stack: PipeStack) {}

  /** Runs and judges what came of it. */
  async run(run: Run): Promise<Outcome> {
    const { stack } = this;
    const { simulator } = stack.session;
    const before = { pipes: stack.pipes, resources: stack.resources };
    if (run === "refresh" || run === "up --refresh") this.#acceptFirstReads();
    const { report, requests } = await runOf(stack.session, stack.program, run);
    const succeeded = report.failures.length === 0;
    const faulty = requests.filter(({ fault }) => fault !== undefined);
    for (const { path } of faulty.filter(isWrite))
      for (const { id } of stack.resources) if (path.includes(id)) this.#unsureOfSecrets.add(id);
    if (succeeded && (run === "refresh" || run === "up --refresh")) this.#unsure = stack.disturbed = false;
    this.#unsure ||= !succeeded && faulty.some((request) => isWrite(request) && !wasRefused(request));
    expect(secretsShown(report, [...CANARIES, simulator.account.apiKeySecret])).toEqual([]);
    this.#nothingUnknown(report, before.resources, run);
    this.#nothingDeletedUnasked(before);
    this.#nothingHeldDeleted(before.resources, requests);
    if (succeeded && run !== "refresh") await this.#settled(requests.length);
    return { report, requests };
  }

  /** What the first read after a write finds of a fixed field counts as another way to write the value. */
  #acceptFirstReads(): void {
    for (const { id, inputs, outputs } of this.stack.resources) {
      const pipe = this.stack.pipes.get(id);
      if (pipe === undefined || memoryOf(outputs as PropertyMap).written !== true) continue;
      const present = pipeFromWire(pipe as WireObject) as PropertyMap;
      for (const path of missed(inputs as PropertyMap, present))
        if (fieldAt(path).onChange === "replace") this.#accepted.add(`${id} ${path}`);
    }
  }

  /** Every pipe is in the state, or its author was told of it. */
  #nothingUnknown(report: Report, before: readonly Resource[], run: Run): void {
    const { stack } = this;
    const held = stack.resources.filter(({ vacated }) => !vacated).map(({ id }) => id);
    // An `up` that failed may not have come to what another resource adopted, and still has to go.
    if (report.failures.length === 0 && run !== "refresh") expect(new Set(held).size).toBe(held.length);
    for (const [id, { name }] of stack.pipes) {
      if (held.includes(id)) {
        this.#notTakenUnasked(id);
        continue;
      }
      if (stack.outside.has(id)) continue;
      if (wasRetained(report, id) || report.lines.some((line) => line.includes(`(${id}) goes on running`))) {
        this.#mayBeLeft(id, before, run);
        stack.outside.set(id, undefined);
      } else if (isTold(shown(report), id, name))
        // Its author looks for it, as the message says, and finds it.
        stack.session.simulator.control.deletePipe(id);
      else throw new Error(`Nobody knows of pipe ${id}.\n${shown(report)}`);
    }
  }

  /** A pipe is left running beside another one only where the program or the user says so. */
  #mayBeLeft(id: string, before: readonly Resource[], run: Run): void {
    const { stack } = this;
    const resource = before.find((one) => one.id === id);
    if (resource === undefined) throw new Error(`Pipe ${id} was made and left.`);
    const name = resource.condemned ? undefined : stack.nameOf(resource);
    const declared = name === undefined ? undefined : stack.declared(name);
    if (declared === undefined) return;
    if (run === "up --replace" && isReplaced(name ?? "")) return;
    if (declared.policy.replacementPolicy !== "allow")
      throw new Error(`Pipe ${id} of ${name ?? ""} was replaced and left, which its policy refuses.`);
  }

  /** What the state has at the end was not deleted, nor what others have. A request that failed may be of any effect. */
  #nothingHeldDeleted(before: readonly Resource[], requests: readonly LoggedRequest[]): void {
    const { stack } = this;
    for (const { operationId, path, status, fault } of requests) {
      if (operationId !== "deletePipe" || status !== 200 || fault !== undefined) continue;
      const isMeant = ({ id, vacated }: Resource): boolean => path.endsWith(id) && !vacated;
      if (stack.resources.some(isMeant)) throw new Error(`${path} was deleted, and the state has it.`);
      if (!before.some(({ id }) => path.endsWith(id)))
        throw new Error(`${path} was deleted, and the stack did not have it before the run.`);
    }
  }

  #notTakenUnasked(id: string): void {
    const { stack } = this;
    if (!stack.outside.has(id)) return;
    const holder = stack.resources.find((resource) => resource.id === id);
    if (stack.declared(holder?.name ?? "")?.adopt !== id)
      throw new Error(`Pipe ${id} was taken without being named.`);
    stack.outside.delete(id);
    // What else is fixed of it cannot be seen.
    this.#unsureOfSecrets.add(id);
  }

  #nothingDeletedUnasked(before: {
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
      if (!policies.includes("delete")) throw new Error(`Pipe ${id} was deleted, and nobody asked for that.`);
    }
  }

  /** The program is what exists, and another run of it sends nothing. */
  async #settled(sent: number): Promise<void> {
    const { stack } = this;
    const { engine, simulator } = stack.session;
    expect([...stack.program.keys()].sort()).toEqual(stack.resources.map(({ name }) => name).sort());
    if (!this.#unsure && !stack.disturbed) for (const resource of stack.resources) this.#agrees(resource);
    const { failures, lines } = await engine.up(stack.program);
    const unexpected = lines.filter((line) => !stack.expects(line));
    expect({ sent, again: takeRequests(simulator), failures, lines: unexpected }).toEqual({
      sent,
      again: [],
      failures: [],
      lines: [],
    });
  }

  /** All that is declared of a pipe is what it has. */
  #agrees({ name, id, inputs, outputs }: Resource): void {
    const pipe = this.stack.pipes.get(id);
    if (pipe === undefined) throw new Error(`Pipe ${id} of ${name} does not exist.`);
    const present = pipeFromWire(pipe as WireObject) as PropertyMap;
    const isAdopted = memoryOf(outputs as PropertyMap).adopt === id;
    const paths = missed(inputs as PropertyMap, present)
      .filter((path) => !this.#accepted.has(`${id} ${path}`))
      .filter((path) => !(isAdopted && saysNothingOf(path, present)))
      .filter((path) => !isHidden(path, this.stack.profiles));
    expect({ name, missed: paths }).toEqual({ name, missed: [] });
    // What is given on create only cannot be seen of a pipe that is adopted.
    if (!isAdopted && !this.#unsureOfSecrets.has(id)) this.#hasSecrets(inputs as PropertyMap, pipe);
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
