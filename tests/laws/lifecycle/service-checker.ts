import { privateStateOf } from "../../../provider/src/core/private-state";
import {
  isList,
  isMap,
  pick,
  type PropertyMap,
  type PropertyValue,
} from "../../../provider/src/core/property-value";
import { UNCERTAIN } from "../../../provider/src/resources/service-settings/entries";
import type { LoggedRequest } from "../../../simulator/src/index";
import type { Report, Resource } from "./program";
import type { Checker, Outcome, Run } from "./steps";
import { isSettings, type ServiceStack } from "./service-stack";
import { copied, isReplaced, isWrite, runOf, secretsShown, shown, takeRequests } from "./session";

const FIXED = ["description", "type", "vpcEndpointServiceName", "mskClusterArn", "mskAuthentication"];

const list = (value: PropertyValue): readonly PropertyValue[] => (isList(value) ? value : []);

const textOf = (value: PropertyValue): string => (typeof value === "string" ? value.trim() : "");

/** A key of a list entry that is equal for all its spellings; a missing description counts as empty. */
const keyOf = (entry: PropertyValue): string =>
  isMap(entry)
    ? JSON.stringify([textOf(entry["source"]).replace(/\/32$/, ""), textOf(entry["description"])])
    : JSON.stringify(entry);

const keys = (value: PropertyValue): string[] => [...new Set(list(value).map(keyOf))].sort();

const LISTS = ["ipAccessList", "privateEndpointIds"];

const keysOfLists = (service: PropertyMap): ReadonlySet<string> =>
  new Set(LISTS.flatMap((name) => keys(service[name])));

const isFaulty = ({ fault }: LoggedRequest): boolean => fault !== undefined;

/** The rules that hold after every run of a stack of settings and endpoints. */
export class ServiceChecker implements Checker {
  /** The settings in the state before the run. */
  #before: PropertyMap = {};
  /** All settings in the state before the run: after a failed run with a new name there are two. */
  #allBefore: readonly PropertyMap[] = [];
  #hadPendingDeletion = false;
  /** The entries that requests may have added since a run last succeeded. */
  readonly #added = new Set<string>();
  /** Whether the run updated the settings, or removed them from the state with (`deleted`) or without (`left`) their entries. */
  #outcome: "changed" | "left" | "deleted" = "changed";

  constructor(private readonly stack: ServiceStack) {}

  async run(run: Run): Promise<Outcome> {
    const { stack } = this;
    const { simulator } = stack.session;
    const before = { ids: this.#endpointIds(), resources: stack.resources };
    const present = keysOfLists(copied(stack.service) as PropertyMap);
    this.#noteSettings(run);
    const { report, requests } = await runOf(stack.session, stack.program, run);
    const succeeded = report.failures.length === 0;
    expect(secretsShown(report, [simulator.account.apiKeySecret])).toEqual([]);
    this.#nothingOrphaned(report, run);
    this.#nothingDeletedWithoutPolicy(before);
    this.#nothingManagedDeleted(before.resources, requests);
    this.#noteDeletedEndpoints(report);
    const changes = requests.filter(({ operationId }) => operationId === "updateService");
    this.#removeUnmanagedEntries(changes);
    this.#noteAdditions(changes, present);
    this.#forgetReleased();
    if (run !== "refresh")
      stack.open = !succeeded && stack.settingsName === undefined && (stack.open || changes.some(isFaulty));
    if (succeeded && run !== "refresh") await this.#settled(changes);
    return { report, requests };
  }

  #noteSettings(run: Run): void {
    const { resources, settingsName } = this.stack;
    const settings = resources.find((resource) => isSettings(resource) && !resource.pendingDelete);
    this.#before = (settings?.outputs ?? {}) as PropertyMap;
    this.#allBefore = resources.filter(isSettings).map(({ outputs }) => outputs as PropertyMap);
    this.#hadPendingDeletion = resources.some((resource) => isSettings(resource) && resource.pendingDelete);
    const name = settings === undefined ? undefined : this.stack.nameOf(settings);
    const isReplacing = run === "up --replace" && settingsName !== undefined && isReplaced(settingsName);
    // When settings are replaced, entries go only if both the state's and the program's policy say so.
    const policies = [settings?.inputs["deletionPolicy"]];
    if (isReplacing && name !== undefined)
      policies.push(this.stack.declared(settingsName)?.["deletionPolicy"]);
    const isSame = name !== undefined && !isReplacing && resources.filter(isSettings).length < 2;
    if (isSame) this.#outcome = "changed";
    else this.#outcome = policies.every((policy) => policy === "delete") ? "deleted" : "left";
  }

  /** Entries that a request may have added are the program's, unless another client had added them. */
  #noteAdditions(changes: readonly LoggedRequest[], present: ReadonlySet<string>): void {
    for (const { body } of changes)
      for (const name of LISTS) {
        const patch = (body as PropertyMap | undefined)?.[name];
        for (const key of keys(isMap(patch) ? patch["add"] : [])) if (!present.has(key)) this.#added.add(key);
      }
  }

  /** A replacement that retains gives up the entries of the old settings, also in a run in which something else fails. */
  #forgetReleased(): void {
    const settings = this.stack.resources.find((one) => isSettings(one) && !one.pendingDelete);
    if (this.#outcome !== "left" || settings === undefined) return;
    const { observed } = settings.outputs as PropertyMap;
    const uncertain = isMap(observed) ? observed[UNCERTAIN] : undefined;
    this.#added.clear();
    if (isMap(uncertain)) for (const key of keysOfLists(uncertain)) this.#added.add(key);
  }

  /** Exclusive settings remove unmanaged entries, also in a run in which something else fails. */
  #removeUnmanagedEntries(changes: readonly LoggedRequest[]): void {
    if (this.stack.declared(this.stack.settingsName)?.["exclusive"] !== true || !changes.some(isWrite))
      return;
    const { ipAccessList = [], privateEndpointIds = [] } = this.stack.service;
    const { sources, endpointIds } = this.stack.others;
    const present = new Set([...ipAccessList.map(({ source }) => source), ...privateEndpointIds]);
    for (const set of [sources, endpointIds])
      for (const entry of set) if (!present.has(entry)) set.delete(entry);
  }

  #endpointIds(): string[] {
    return this.stack.session.simulator.control.state().endpoints.map(({ id }) => id);
  }

  /** Every endpoint is in the state, or a message has named it to the user. */
  #nothingOrphaned(report: Report, run: Run): void {
    const { unmanaged, resources, session } = this.stack;
    const { control } = session.simulator;
    const endpoints = resources.filter((resource) => !isSettings(resource) && !resource.pendingReplacement);
    const held = endpoints.map(({ id }) => id);
    // A failed `up` may end before it removes a resource whose endpoint another resource adopted.
    if (report.failures.length === 0 && run !== "refresh") expect(new Set(held).size).toBe(held.length);
    for (const { id, description = "" } of control.state().endpoints) {
      if (held.includes(id)) this.#notAdoptedWithoutRequest(id);
      if (held.includes(id) || unmanaged.has(id)) continue;
      const reported = [`(${id}) still exists`, `(${id}): the API returned 404`];
      const isRetained = report.retained.includes(id);
      if (isRetained || reported.some((words) => report.lines.some((line) => line.includes(words))))
        unmanaged.add(id);
      else if (
        shown(report).includes(`may have created`) &&
        shown(report).includes(JSON.stringify(description))
      )
        // The user looks for the endpoint, as the message says, and deletes it.
        control.deleteEndpoint(id);
      else
        throw new Error(`Endpoint ${id} is neither in the state nor named in a message.\n${shown(report)}`);
    }
  }

  #notAdoptedWithoutRequest(id: string): void {
    const { unmanaged, resources } = this.stack;
    if (!unmanaged.delete(id)) return;
    const holder = resources.find((resource) => resource.id === id);
    if (this.stack.declared(holder?.name)?.["adopt"] !== id)
      throw new Error(`Endpoint ${id} was adopted, but the program does not name it.`);
  }

  /** The run deleted no endpoint of the new state, and none of another client. The effect of a failed request is open. */
  #nothingManagedDeleted(before: readonly Resource[], requests: readonly LoggedRequest[]): void {
    for (const { operationId, path, status, fault } of requests) {
      if (operationId !== "deleteReversePrivateEndpoint" || status !== 200 || fault !== undefined) continue;
      if (this.stack.resources.some(({ id, pendingReplacement }) => path.endsWith(id) && !pendingReplacement))
        throw new Error(`${path} was deleted, but the state has it.`);
      if (!before.some(({ id }) => path.endsWith(id)))
        throw new Error(`${path} was deleted, but the stack did not have it before the run.`);
    }
  }

  /** After a deletion without an answer, the error says that the endpoint may be gone, and the user looks for it. */
  #noteDeletedEndpoints(report: Report): void {
    const reported = report.failures.filter(({ message }) => message.includes("may have deleted"));
    for (const { id } of this.stack.resources)
      if (reported.some(({ message }) => message.includes(id)) && !this.#endpointIds().includes(id))
        this.stack.gone.add(id);
  }

  #nothingDeletedWithoutPolicy({
    ids,
    resources,
  }: {
    ids: readonly string[];
    resources: readonly Resource[];
  }): void {
    const after = this.#endpointIds();
    for (const id of ids.filter((one) => !after.includes(one))) {
      const policies = resources
        .filter((one) => one.id === id)
        .flatMap((one) => [
          one.outputs["deletionPolicy"],
          this.stack.declared(this.stack.nameOf(one))?.["deletionPolicy"],
        ]);
      if (!policies.includes("delete"))
        throw new Error(`Endpoint ${id} was deleted, but no policy asks for that.`);
    }
  }

  /** The service has what the program declares, and another run sends nothing. */
  async #settled(changes: readonly LoggedRequest[]): Promise<void> {
    const { stack } = this;
    const { engine, simulator } = stack.session;
    expect([...stack.program.keys()].sort()).toEqual(stack.resources.map(({ name }) => name).sort());
    for (const resource of stack.resources)
      if (isSettings(resource)) this.#settingsAgree(resource, changes);
      else this.#endpointAgrees(resource);
    if (stack.settingsName === undefined) this.#settingsLeft();
    this.#added.clear();
    const again = await engine.up(stack.program);
    const said = { requests: takeRequests(simulator), failures: again.failures, lines: again.lines };
    expect(said).toEqual({ requests: [], failures: [], lines: [] });
  }

  #endpointAgrees({ id, inputs, outputs }: Resource): void {
    // The provider cannot read an adopted endpoint.
    if (this.stack.gone.has(id) || privateStateOf(outputs as PropertyMap).adopt === id) return;
    const { endpoints } = this.stack.session.simulator.control.state();
    const present = copied(endpoints.find((endpoint) => endpoint.id === id) ?? {}) as PropertyMap;
    const declared = pick(inputs as PropertyMap, FIXED);
    expect(pick(present, Object.keys(declared))).toEqual(declared);
  }

  #settingsAgree({ inputs, outputs }: Resource, changes: readonly LoggedRequest[]): void {
    const declared = inputs as PropertyMap;
    const service = copied(this.stack.service) as PropertyMap;
    const plain = pick(declared, ["name", "releaseChannel", "transparentDataEncryptionKeyId"]);
    expect(pick(service, Object.keys(plain))).toEqual(plain);
    this.#endpointsAgree(declared, service);
    // A pending deletion also writes, and does not remove unmanaged entries.
    const wrote = changes.some(isWrite) && !this.#hadPendingDeletion;
    for (const name of LISTS) this.#listAgrees(name, declared, service, wrote);
    if (wrote && this.#outcome === "changed") {
      const others = {
        ipAccessList: "unmanagedIpAccessList",
        privateEndpointIds: "unmanagedPrivateEndpointIds",
      };
      for (const [name, output] of Object.entries(others)) {
        const foreign = keys(service[name]).filter((key) => !keys(declared[name]).includes(key));
        expect(keys((outputs as PropertyMap)[output])).toEqual(foreign);
      }
    }
  }

  #listAgrees(name: string, declared: PropertyMap, service: PropertyMap, wrote: boolean): void {
    const [ours, present] = [keys(declared[name]), keys(service[name])];
    const before = [...keys(this.#before[name]), ...this.#added];
    expect(ours.filter((key) => !present.includes(key))).toEqual([]);
    if (this.#outcome !== "left")
      expect(before.filter((key) => !ours.includes(key) && present.includes(key))).toEqual([]);
    if (declared["exclusive"] !== true) this.#othersStay(service);
    else if (wrote) expect({ name, present }).toEqual({ name, present: ours });
  }

  /** Entries of other clients stay. */
  #othersStay(service: PropertyMap): void {
    const { sources, endpointIds } = this.stack.others;
    const theirs = [...sources].map((source) => keyOf({ source, description: "others" }));
    const present = [...keys(service["ipAccessList"]), ...keys(service["privateEndpointIds"])];
    expect([...theirs, ...[...endpointIds].map(keyOf)].filter((key) => !present.includes(key))).toEqual([]);
  }

  #endpointsAgree(declared: PropertyMap, service: PropertyMap): void {
    const protocols = list(service["endpoints"]).map((one) => (isMap(one) ? one["protocol"] : undefined));
    for (const endpoint of list(declared["endpoints"]).filter(isMap))
      expect({ ...endpoint, enabled: protocols.includes(endpoint["protocol"]) }).toEqual(endpoint);
  }

  /** Entries of removed settings stay, or go if the policy is to delete. */
  #settingsLeft(): void {
    const service = copied(this.stack.service) as PropertyMap;
    const isDeleted = (settings: PropertyMap): boolean => settings["deletionPolicy"] === "delete";
    const kept = this.#allBefore.filter((settings) => !isDeleted(settings));
    const deleted = this.#allBefore.filter(isDeleted);
    for (const name of LISTS) {
      const present = keys(service[name]);
      const left = kept.flatMap((settings) => keys(settings[name]));
      const ours = deleted.flatMap((settings) => keys(settings[name]));
      // Which of several settings an uncertain entry is of is not known here.
      const uncertain = deleted.length > 0 && kept.length === 0 ? this.#added : [];
      const gone = [...ours, ...uncertain].filter((key) => !left.includes(key));
      expect(gone.filter((key) => present.includes(key))).toEqual([]);
      expect(left.filter((key) => !present.includes(key) && !ours.includes(key))).toEqual([]);
    }
    this.#othersStay(service);
  }
}
