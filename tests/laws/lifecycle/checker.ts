import type { LoggedRequest } from "../../../simulator/src/index";
import type { Resource } from "../../kit/engine-model/engine";
import { leaks } from "../../kit/canary";
import { CANARIES } from "../any-pipe";
import { isReplaced, runOf, shown, takeRequests, type Outcome, type Run } from "./session";
import type { Stack } from "./stack";

interface Before {
  readonly ids: readonly string[];
  readonly resources: readonly Resource[];
}

/** Runs the engine, and throws if a rule that holds after every run is broken. */
export abstract class Checker<S extends Stack> {
  protected readonly adopted = new Set<string>();

  constructor(protected readonly stack: S) {}
  protected abstract before(run: Run): void;
  protected abstract after(run: Run, outcome: Outcome): void;
  /** Whether a line says that an object stays, or went with its service. */
  protected abstract isGivenUp(line: string, id: string): "stays" | "went" | undefined;
  /** Whether a message names an object that may be the program's. */
  protected abstract isReported(text: string, id: string, name: string): boolean;
  /** The service has what the program declares. */
  protected abstract agrees(requests: readonly LoggedRequest[]): void;

  async run(run: Run): Promise<Outcome> {
    const { stack } = this;
    const before: Before = { ids: [...stack.objects.keys()], resources: stack.resources };
    this.before(run);
    const outcome = await runOf(stack.session, stack.program, run);
    const { report, requests } = outcome;
    const canaries = [...CANARIES, stack.session.simulator.account.apiKeySecret];
    const texts = { shown: shown(report), stored: report.stored.join("\n") };
    expect(leaks(texts, canaries)).toEqual([]);
    this.#nothingOrphaned(outcome, before, run);
    this.#nothingDeletedWithoutPolicy(before);
    this.#nothingManagedDeleted(before, requests);
    this.after(run, outcome);
    if (report.failures.length === 0 && run !== "refresh") await this.#settled(requests);
    return outcome;
  }

  /** Every object is in the state, or a message has named it to the user. */
  #nothingOrphaned({ report, requests }: Outcome, { resources }: Before, run: Run): void {
    const { stack } = this;
    const { manages, unmanaged, operations } = stack;
    // The warning of a second object of the same name is no excuse for creating it: only the loss of an answer is.
    const lostAnswers = requests.some(
      ({ operationId, fault }) => operationId === operations.create && fault !== undefined,
    );
    const holders = stack.resources.filter((one) => !one.pendingReplacement);
    const held = holders.map(({ id }) => id);
    // A failed `up` may end before it removes a resource whose object another resource adopted.
    if (report.failures.length === 0 && run !== "refresh") expect(new Set(held).size).toBe(held.length);
    for (const [id, name] of stack.objects) {
      if (held.includes(id)) this.#notAdoptedWithoutRequest(id);
      if (held.includes(id) || unmanaged.has(id)) continue;
      const how = report.lines.map((line) => this.isGivenUp(line, id)).find((one) => one !== undefined);
      if (how === "stays" || report.retained.includes(id)) {
        this.#replacementIsAllowed(id, resources, run);
        unmanaged.add(id);
      } else if (how === "went" || (lostAnswers && this.isReported(shown(report), id, name)))
        // The user looks for it, as the message says, and deletes it.
        stack.deleteObject(id);
      else throw new Error(`The ${manages} ${id} is neither in the state nor reported.\n${shown(report)}`);
    }
  }

  /** A replaced object stays only if the program or the user allows it. */
  #replacementIsAllowed(id: string, before: readonly Resource[], run: Run): void {
    const { stack } = this;
    const resource = before.find((one) => one.id === id);
    if (resource === undefined)
      throw new Error(`The provider created ${stack.manages} ${id} and left it out of the state.`);
    const name = resource.pendingDelete ? undefined : stack.nameOf(resource);
    const declared = stack.declared(name);
    if (declared === undefined || (run === "up --replace" && isReplaced(name ?? ""))) return;
    if (declared["replacementPolicy"] !== "allow")
      throw new Error(`The ${stack.manages} ${id} was replaced and still exists, which its policy refuses.`);
  }

  #notAdoptedWithoutRequest(id: string): void {
    const { stack } = this;
    if (!stack.unmanaged.delete(id)) return;
    const holder = stack.resources.find((resource) => resource.id === id);
    if (stack.declared(holder?.name)?.["adopt"] !== id)
      throw new Error(`The ${stack.manages} ${id} was adopted, but the program does not name it.`);
    this.adopted.add(id);
  }

  #nothingDeletedWithoutPolicy({ ids, resources }: Before): void {
    const { stack } = this;
    const after = stack.objects;
    for (const id of ids.filter((one) => !after.has(one))) {
      const policies = resources
        .filter((one) => one.id === id)
        .flatMap((one) => [
          one.outputs["deletionPolicy"],
          stack.declared(stack.nameOf(one))?.["deletionPolicy"],
        ]);
      if (!policies.includes("delete"))
        throw new Error(`The ${stack.manages} ${id} was deleted, but no policy asks for that.`);
    }
  }

  /** The run deleted no object of the new state, and none of another client. The effect of a failed request is open. */
  #nothingManagedDeleted({ resources }: Before, requests: readonly LoggedRequest[]): void {
    const { stack } = this;
    for (const { operationId, path, status, fault } of requests) {
      if (operationId !== stack.operations.delete || status !== 200 || fault !== undefined) continue;
      if (stack.resources.some(({ id, pendingReplacement }) => path.endsWith(id) && !pendingReplacement))
        throw new Error(`${path} was deleted, but the state has it.`);
      if (!resources.some(({ id }) => path.endsWith(id)))
        throw new Error(`${path} was deleted, but the stack did not have it before the run.`);
    }
  }

  /** The service has what the program declares, and another run sends and prints nothing. */
  async #settled(requests: readonly LoggedRequest[]): Promise<void> {
    const { stack } = this;
    const { engine, simulator } = stack.session;
    const names = (all: Iterable<string>): string[] => [...all].sort();
    expect(names(stack.program.keys())).toEqual(names(stack.resources.map(({ name }) => name)));
    this.agrees(requests);
    const { failures, lines } = await engine.up(stack.program);
    expect(takeRequests(simulator)).toEqual([]);
    expect(failures).toEqual([]);
    expect(lines).toEqual([]);
  }
}
