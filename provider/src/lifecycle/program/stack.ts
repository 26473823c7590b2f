import { isDeclaredProvider, partsOf, withoutModule } from "../state/resource-key";
import { Fresh } from "../../values/fresh";
import { idKey, isSameId } from "../../values/uuid";
import { storedKey } from "../state/private-state";
import type { PropertyMap } from "../comparison/property-value";

/** A resource in the output of `pulumi stack export`. Secrets in it are encrypted, as objects. */
interface ExportedResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: PropertyMap;
  readonly outputs?: PropertyMap;
  /** The program only reads it. */
  readonly external?: boolean;
  /** It is replaced already. */
  readonly delete?: boolean;
  /** The engine has deleted it, and failed to create its replacement. */
  readonly pendingReplacement?: boolean;
  readonly importID?: string;
  /** The URN and the ID of its provider. */
  readonly provider?: string | undefined;
}

/** A resource as the state of the stack holds it: `type` is the name, such as `Pipe`, in either form. */
export interface StoredResource extends ExportedResource {
  readonly id: string;
  /** See `resourceKey`. */
  readonly key: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  /** `creating`: the engine waits for its create. `replaced`: the engine will delete it. */
  readonly status: "managed" | "creating" | "replaced";
  /** The logical name of its provider, if the program declares that. */
  readonly provider: string | undefined;
}

interface Exported {
  /** A stack that no run has changed has none. */
  readonly deployment?: {
    readonly resources?: readonly ExportedResource[] | null;
    readonly pending_operations?:
      readonly { readonly type: string; readonly resource: ExportedResource }[] | null;
  } | null;
}

/** The resources in an exported stack. */
export function storedResources(text: string): readonly StoredResource[] {
  const { resources, pending_operations: pending } = (JSON.parse(text) as Exported).deployment ?? {};
  const managed = (resources ?? []).filter(({ external }) => external !== true);
  const creating = (pending ?? []).filter(({ type }) => type === "creating");
  return [
    ...managed.map((resource) => stored(resource, resource.delete === true ? "replaced" : "managed")),
    ...creating.map(({ resource }) => stored(resource, "creating")),
  ];
}

const stored = (resource: ExportedResource, status: StoredResource["status"]): StoredResource => ({
  id: "",
  inputs: {},
  outputs: {},
  ...resource,
  type: withoutModule(resource.type),
  key: partsOf(resource.urn).key,
  status,
  provider: declaredProvider(resource.provider),
});

function declaredProvider(reference = ""): string | undefined {
  const { name } = partsOf(reference.slice(0, reference.lastIndexOf("::")));
  return isDeclaredProvider(name) ? name : undefined;
}

interface StackOptions {
  readonly log: (line: string) => void;
  readonly now: () => number;
  /** Whether a refresh of this run did not find a resource. The state has it until the run has ended. */
  readonly isLost: (type: string, id: string) => boolean;
  /** Reads the state of the stack with this name; undefined in a run without a program, whose stack is not known. */
  readonly read: (name: string | undefined) => Promise<string | undefined>;
}

/** The resources of a type in the state. */
interface StoredOfType {
  /** Undefined if the state cannot be read. */
  readonly resources: readonly StoredResource[] | undefined;
  /** Whether another provider instance of this package may write to the stack, too. */
  readonly isShared: boolean;
}

/** What the stack has now: its state, to which all provider instances of the run write. */
export class Stack {
  /** The stack, as the option `--stack` of the CLI takes it, once a check has told it. */
  name: string | undefined;
  readonly #state: Fresh<readonly StoredResource[] | undefined>;
  /** When the first deletion after the last create or adoption of this process began. */
  #deletesAt: number | undefined;
  #hasSaid = false;

  constructor(private readonly options: StackOptions) {
    this.#state = new Fresh(options.now, async (asked) => {
      asked();
      const text = await options.read(this.name);
      return text === undefined ? undefined : storedResources(text);
    });
  }

  /**
   * The resources of a type in the state that was asked for after a moment; without one, in the last state. Without
   * those that are lost. If it cannot be read, a line says so once.
   */
  async managed(type: string, after?: number): Promise<StoredOfType> {
    try {
      const all = (await this.#state.read(after)) ?? [];
      const managed = all.filter((one) => one.type === type && one.status === "managed");
      const resources = managed.filter(({ id }) => !this.options.isLost(type, id));
      return { resources, isShared: hasSeveralInstances(all) };
    } catch (error) {
      const { why, step } = unread(error);
      if (!this.#hasSaid)
        this.options.log(
          `${why}, so it compares new resources only with the program and with the service. ${step}.`,
        );
      this.#hasSaid = true;
      return { resources: undefined, isShared: true };
    }
  }

  /** Records that this process has created or adopted something. */
  recordWrite(): void {
    this.#deletesAt = undefined;
  }

  /**
   * Another resource that has the ID of the deleted one. Throws if the state of the stack cannot be read, or does not
   * have the deleted one.
   */
  async otherHolder(type: string, id: string, key: string | undefined): Promise<StoredResource | undefined> {
    const all = await this.#readForDeletion().catch(refuseDeletion);
    // Without a program, the state is not read, and nothing is created or adopted.
    if (all === undefined) return undefined;
    const withId = all.filter((one) => isOf(one, type, id));
    if (withId.length === 0) refuseDeletion(LACKS_RESOURCE);
    // An alias leaves the former key in the outputs until the next update.
    const hasKey = (one: StoredResource): boolean => one.key === key || storedKey(one.outputs) === key;
    const isReplaced = withId.some((one) => one.status === "replaced" && hasKey(one));
    // A resource with the key is the deleted one, unless it has replaced that.
    return (
      withId.find((one) => one.status === "managed" && (isReplaced || !hasKey(one))) ??
      all.find((one) => one.status === "creating" && one.type === type && one.key !== key && adopts(one, id))
    );
  }

  /** The resources with an ID in the last state; none if that cannot be read. */
  async withId(type: string, id: string): Promise<readonly StoredResource[]> {
    const all = (await this.#state.read().catch(() => undefined)) ?? [];
    return all.filter((one) => isOf(one, type, id));
  }

  /** The ID that the option `import` of a resource names now, if it is another one than this. */
  async importedInstead(urn: string, id: string): Promise<string | undefined> {
    // Without the state, the deletion fails, or the policy is to retain.
    const all = (await this.#readForDeletion().catch(() => undefined)) ?? [];
    // A replacement of an imported resource keeps the option. Organization and service may be before the ID in it.
    const isImported = ({ id: present, importID = "" }: StoredResource): boolean =>
      present !== "" && idKey(importID).endsWith(idKey(present));
    const present = all.find((one) => one.urn === urn && one.status === "managed" && isImported(one));
    return present === undefined || isSameId(present.id, id) ? undefined : present.id;
  }

  /** Newer than the last write of this process; if others may write, too, newer than the deletion. */
  async #readForDeletion(): Promise<readonly StoredResource[] | undefined> {
    const now = this.options.now();
    this.#deletesAt ??= now;
    const state = await this.#state.read(this.#deletesAt);
    return hasSeveralInstances(state ?? []) ? this.#state.read(now) : state;
  }
}

const isOf = (one: StoredResource, type: string, id: string): boolean =>
  one.type === type && isSameId(one.id, id);

const adopts = ({ inputs: { adopt } }: StoredResource, id: string): boolean => isSameId(adopt, id);

/** Each provider instance of this package, in either form, has a process of its own. */
const hasSeveralInstances = (all: readonly StoredResource[]): boolean =>
  all.filter(({ type, status }) => status === "managed" && OWN_PROVIDERS.includes(type)).length > 1;

const OWN_PROVIDERS = ["pulumi:providers:pulumi-nodejs", "pulumi:providers:datapipes"];

/** A deletion cannot be undone, so nothing is deleted without the state. */
function refuseDeletion(error: unknown): never {
  const { why, step } = unread(error);
  throw new Error(
    `Nothing was deleted: ${why}, so it does not know whether another resource uses the same ID. ` +
      `${step}.`,
  );
}

const LACKS_RESOURCE = new Error("it does not have the resource that is to be deleted");

/** Why the state cannot be read, and what to do. */
function unread(error: unknown): { readonly why: string; readonly step: string } {
  const because = (reason: string, step: string) => ({
    why: `the provider cannot read the state of the stack (${reason})`,
    step,
  });
  const { code, stderr, message } = error as Readonly<Record<"code" | "stderr" | "message", unknown>>;
  if (code === "ENOENT")
    return because("the command pulumi is not on the PATH", "Put the pulumi CLI on the PATH");
  const [words = ""] = String(stderr === undefined || stderr === "" ? message : stderr)
    .trim()
    .split("\n");
  return because(
    words.replace(/^error: /, ""),
    "Check that `pulumi stack export` shows the stack of this run",
  );
}
