import { privateStateOf } from "../../../provider/src/lifecycle/private-state";
import { isList, isMap, pick } from "../../../provider/src/lifecycle/property-value";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/property-value";
import type { LoggedRequest } from "../../../simulator/src/index";
import type { Resource } from "../../kit/engine-model/engine";
import { Checker } from "./checker";
import type { ServiceStack } from "./service-stack";
import { copied, isReplaced, isWrite, type Outcome, type Run } from "./session";
import { isSettings } from "./stack";

/** The lists that other clients share, and the outputs with the entries of those. */
const LISTS = {
  ipAccessList: "unmanagedIpAccessList",
  privateEndpointIds: "unmanagedPrivateEndpointIds",
} as const;
const LIST_NAMES = Object.keys(LISTS) as (keyof typeof LISTS)[];

const OF_ENDPOINT = ["description", "type", "vpcEndpointServiceName", "vpcResourceConfigurationId"].concat([
  "vpcResourceShareArn",
  "mskClusterArn",
  "mskAuthentication",
]);

const list = (value: PropertyValue): readonly PropertyValue[] => (isList(value) ? value : []);

const textOf = (value: PropertyValue): string => (typeof value === "string" ? value.trim() : "");

/** A key of a list entry that is equal for all its spellings; a missing description counts as empty. */
const keyOf = (entry: PropertyValue): string =>
  isMap(entry)
    ? JSON.stringify([textOf(entry["source"]).replace(/\/32$/, ""), textOf(entry["description"])])
    : JSON.stringify(entry);

const keys = (value: PropertyValue): string[] => [...new Set(list(value).map(keyOf))].sort();

const keysOfLists = (service: PropertyMap): string[] => LIST_NAMES.flatMap((name) => keys(service[name]));

/** Those that the others do not have. */
const missingIn = (others: readonly string[], all: readonly string[]): string[] =>
  all.filter((key) => !others.includes(key));

export class ServiceChecker extends Checker<ServiceStack> {
  /** The settings in the state before the run. */
  #before: PropertyMap = {};
  /** All settings in the state before the run: after a failed run with a new name there are two. */
  #allBefore: readonly PropertyMap[] = [];
  #hadPendingDeletion = false;
  /** Whether the run updated the settings, or removed them from the state with (`deleted`) or without (`left`) their entries. */
  #outcome: "changed" | "left" | "deleted" = "changed";

  protected isGivenUp(line: string, id: string): "stays" | undefined {
    const stays = [`(${id}) still exists`, `(${id}): the API returned 404`];
    return stays.some((words) => line.includes(words)) ? "stays" : undefined;
  }

  protected isReported(text: string, _id: string, description: string): boolean {
    return text.includes("may have created") && text.includes(JSON.stringify(description));
  }

  protected after(run: Run, { report, requests }: Outcome): void {
    const { stack } = this;
    const changes = requests.filter(({ operationId }) => operationId === "updateService");
    // After a deletion without an answer, the error says that the endpoint may be gone, and the user looks for it.
    const reported = report.failures.filter(({ message }) => message.includes("may have deleted"));
    for (const { id } of stack.resources)
      if (reported.some(({ message }) => message.includes(id)) && !stack.objects.has(id)) stack.gone.add(id);
    if (report.lines.some((line) => line.includes("no longer exists (404)"))) this.#removeByHand(changes);
    this.#removeUnmanagedEntries(changes);
    if (run === "refresh") return;
    const isOpen = stack.open || changes.some(({ fault }) => fault !== undefined);
    stack.open = report.failures.length > 0 && isOpen;
  }

  protected before(run: Run): void {
    const { resources, settingsName } = this.stack;
    const all = resources.filter(isSettings);
    const settings = all.find((resource) => !resource.pendingDelete);
    this.#before = (settings?.outputs ?? {}) as PropertyMap;
    this.#allBefore = all.map(({ outputs }) => outputs as PropertyMap);
    this.#hadPendingDeletion = all.some((resource) => resource.pendingDelete);
    const name = settings === undefined ? undefined : this.stack.nameOf(settings);
    const isReplacing = run === "up --replace" && settingsName !== undefined && isReplaced(settingsName);
    // When settings are replaced, entries go only if both the state's and the program's policy say so.
    const policies = [settings?.inputs["deletionPolicy"]];
    if (isReplacing && name !== undefined)
      policies.push(this.stack.declared(settingsName)?.["deletionPolicy"]);
    const isSame = name !== undefined && !isReplacing && all.length < 2;
    const isDeleted = policies.every((policy) => policy === "delete");
    this.#outcome = isSame ? "changed" : isDeleted ? "deleted" : "left";
  }

  get #service(): PropertyMap {
    return copied(this.stack.service);
  }

  /** A line says that the service does not exist: the user looks, and removes what the deletion would have removed. */
  #removeByHand(changes: readonly LoggedRequest[]): void {
    const { id, ...service } = this.stack.service;
    const lists = LIST_NAMES.map((name) => {
      const patches = changes
        .filter(({ status }) => status === 404)
        .map(({ body }) => (body as PropertyMap)[name]);
      const removed = patches.flatMap((patch) => keys(isMap(patch) ? patch["remove"] : []));
      return [name, list(copied(service)[name]).filter((entry) => !removed.includes(keyOf(entry)))] as const;
    });
    this.stack.control.editService(id, Object.fromEntries(lists));
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

  protected agrees(requests: readonly LoggedRequest[]): void {
    const { stack } = this;
    // A pending deletion also writes, and does not remove unmanaged entries.
    const wrote =
      requests.some((request) => request.operationId === "updateService" && isWrite(request)) &&
      !this.#hadPendingDeletion;
    for (const resource of stack.resources)
      if (isSettings(resource)) this.#settingsAgree(resource, wrote);
      else this.#endpointAgrees(resource);
    if (stack.settingsName === undefined) this.#settingsLeft();
  }

  #endpointAgrees({ id, inputs, outputs }: Resource): void {
    // The provider cannot read an adopted endpoint.
    if (this.stack.gone.has(id) || privateStateOf(outputs as PropertyMap).adopt === id) return;
    const { endpoints } = this.stack.session.simulator.control.state();
    const present = copied(endpoints.find((endpoint) => endpoint.id === id) ?? {}) as PropertyMap;
    const declared = pick(inputs as PropertyMap, OF_ENDPOINT);
    expect(pick(present, Object.keys(declared))).toEqual(declared);
  }

  #settingsAgree({ inputs, outputs }: Resource, wrote: boolean): void {
    const declared = inputs as PropertyMap;
    const service = this.#service;
    const plain = pick(declared, ["name", "releaseChannel", "transparentDataEncryptionKeyId"]);
    expect(pick(service, Object.keys(plain))).toEqual(plain);
    const protocols = list(service["endpoints"]).map((one) => (isMap(one) ? one["protocol"] : undefined));
    for (const endpoint of list(declared["endpoints"]).filter(isMap))
      expect({ ...endpoint, enabled: protocols.includes(endpoint["protocol"]) }).toEqual(endpoint);
    if (declared["exclusive"] !== true) this.#othersStay(service);
    for (const name of LIST_NAMES) {
      const [ours, present] = [keys(declared[name]), keys(service[name])];
      const removed = missingIn(ours, keys(this.#before[name]));
      expect(missingIn(present, ours)).toEqual([]);
      if (this.#outcome !== "left") expect(missingIn(removed, present)).toEqual(present);
      if (wrote && declared["exclusive"] === true) expect({ name, present }).toEqual({ name, present: ours });
      const unmanaged = keys((outputs as PropertyMap)[LISTS[name]]);
      if (wrote && this.#outcome === "changed") expect(unmanaged).toEqual(missingIn(ours, present));
    }
  }

  #othersStay(service: PropertyMap): void {
    const { sources, endpointIds } = this.stack.others;
    const theirs = [...sources].map((source) => keyOf({ source, description: "others" }));
    expect(missingIn(keysOfLists(service), [...theirs, ...[...endpointIds].map(keyOf)])).toEqual([]);
  }

  /** Entries of removed settings stay, or go if the policy is to delete. */
  #settingsLeft(): void {
    const service = this.#service;
    const isDeleted = (settings: PropertyMap): boolean => settings["deletionPolicy"] === "delete";
    const kept = this.#allBefore.filter((settings) => !isDeleted(settings));
    const deleted = this.#allBefore.filter(isDeleted);
    for (const name of LIST_NAMES) {
      const present = keys(service[name]);
      const left = kept.flatMap((settings) => keys(settings[name]));
      const ours = deleted.flatMap((settings) => keys(settings[name]));
      const gone = missingIn(left, ours);
      expect(missingIn(gone, present)).toEqual(present);
      expect(missingIn([...present, ...ours], left)).toEqual([]);
    }
    this.#othersStay(service);
  }
}
