import { partsOf } from "../pulumi/resource-urn";
import { withoutModule } from "../pulumi/type-tokens";
import { Fresh } from "../values/fresh";
import { idKey } from "../values/uuid";
import { storedKey } from "./private-state";
import type { PropertyMap } from "./property-value";
import { resourceKey } from "./resource-key";

/** A resource as the state of the stack holds it. Secrets in it are encrypted, as objects. */
export interface StoredResource {
  readonly urn: string;
  /** The name of its type, such as `Pipe`, in either form. */
  readonly type: string;
  readonly id: string;
  /** See `resourceKey`. */
  readonly key: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  /** `creating`: the engine waits for its create. `replaced`: the engine will delete it. */
  readonly status: "managed" | "creating" | "replaced";
  /** Pulumi keeps what the resource manages when it is no longer declared. */
  readonly retains: boolean;
  readonly importId?: string | undefined;
  /** When the engine added it to the state, in milliseconds since 1970. */
  readonly createdAt?: number | undefined;
}

/** A resource in the output of `pulumi stack export`. */
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
  readonly retainOnDelete?: boolean;
  readonly importID?: string;
  readonly created?: string;
}

interface Exported {
  /** A stack that no run has changed has none. */
  readonly deployment?: {
    readonly resources?: readonly ExportedResource[] | null;
    readonly pending_operations?:
      readonly { readonly type: string; readonly resource: ExportedResource }[] | null;
  } | null;
}

/** The resources of this package in an exported stack. */
export function storedResources(text: string): readonly StoredResource[] {
  const { resources, pending_operations: pending } = (JSON.parse(text) as Exported).deployment ?? {};
  const managed = (resources ?? []).filter(({ external }) => external !== true);
  const creating = (pending ?? []).filter(({ type }) => type === "creating");
  return [
    ...managed.map((resource) => stored(resource, resource.delete === true ? "replaced" : "managed")),
    ...creating.map(({ resource }) => stored(resource, "creating")),
  ];
}

function stored(resource: ExportedResource, status: StoredResource["status"]): StoredResource {
  const { urn, type, id, inputs = {}, outputs = {}, created } = resource;
  const { parents, name } = partsOf(urn);
  return {
    urn,
    type: withoutModule(type),
    id: id ?? "",
    key: resourceKey([...parents, type], name),
    inputs,
    outputs,
    status,
    retains: resource.retainOnDelete === true,
    importId: resource.importID,
    createdAt: created === undefined ? undefined : Date.parse(created),
  };
}

interface StackOptions {
  readonly log: (line: string) => void;
  readonly now: () => number;
  /** When the engine started this provider instance, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Reads the state of the stack with this name; undefined in a run without a program, whose stack is not known. */
  readonly read: (name: string | undefined) => Promise<string | undefined>;
}

/** What the stack has now: what this process knows of its resources, and the state for all others. */
export class Stack {
  /** The stack, as the option `--stack` of the CLI takes it, once a check has told it. */
  name: string | undefined;
  /** The keys of the resources that this process has checked, by what they have or adopt. */
  readonly #claims = new Map<string, string>();
  /** The keys of the resources whose replacement deletes what they have. */
  readonly #replaced = new Map<string, string>();
  /** The keys of the resources that have created or adopted something in this run. */
  readonly #made = new Map<string, string>();
  readonly #state: Fresh<readonly StoredResource[] | undefined>;
  /** When the first deletion after the last create or adoption of this process began. */
  #deletesAt: number | undefined;
  /** Whether the state had no other provider instance of this package when the last adoption read it. */
  #isAlone = false;
  #hasSaid = false;

  constructor(private readonly options: StackOptions) {
    this.#state = new Fresh(options.now, async (asked) => {
      asked();
      const text = await options.read(this.name);
      return text === undefined ? undefined : storedResources(text);
    });
  }

  /** Records that a resource has an ID, or will have it. Returns the key of another resource that has it. */
  claim(type: string, id: string, key: string): string | undefined {
    const name = nameOf(type, id);
    const present = this.#replaced.get(name) ?? this.#claims.get(name) ?? key;
    this.#claims.set(name, present);
    return present === key ? undefined : present;
  }

  /** Takes the claim of a replaced resource back. What its replacement leaves, another resource may claim. */
  replaced(type: string, id: string, key: string, isDeleted: boolean): void {
    const name = nameOf(type, id);
    if (this.#claims.get(name) === key) this.#claims.delete(name);
    if (isDeleted) this.#replaced.set(name, key);
  }

  /** Records that a resource has created or adopted an ID in this run. */
  made(type: string, id: string, key: string): void {
    this.#made.set(nameOf(type, id), key);
    this.#deletesAt = undefined;
  }

  isMade = (type: string, id: string): boolean => this.#made.has(nameOf(type, id));

  /** The key of a resource that has the ID of the deleted one. Throws if the state of the stack cannot be read. */
  async holderBeside(type: string, id: string, key: string | undefined): Promise<string | undefined> {
    const name = nameOf(type, id);
    const known = this.#made.get(name) ?? this.#claims.get(name);
    return known ?? (await this.#beside(this.#readForDeletion(), type, id, key))?.key;
  }

  /**
   * Another resource that has the ID of the deleted one. Reads the state each time: another instance may have created
   * what a later deletion must spare. Throws like `holderBeside`.
   */
  storedBeside(type: string, id: string, key: string | undefined): Promise<StoredResource | undefined> {
    return this.#beside(this.#state.read(this.options.now()), type, id, key);
  }

  async #beside(
    state: Promise<readonly StoredResource[] | undefined>,
    type: string,
    id: string,
    key: string | undefined,
  ): Promise<StoredResource | undefined> {
    const all = (await state.catch(refuseDeletion)) ?? [];
    // Without a program, the state is not read, and nothing is created or adopted.
    if (all.length > 0 && isWrittenAtEnd()) refuseDeletion(WRITTEN_AT_END);
    const withId = all.filter((one) => isOf(one, type, id));
    // An alias leaves the former key in the outputs until the next update.
    const hasKey = (one: StoredResource): boolean => one.key === key || storedKey(one.outputs) === key;
    const isReplaced = withId.some((one) => one.status === "replaced" && hasKey(one));
    // A resource with the key is the deleted one, unless it has replaced that.
    return (
      withId.find((one) => one.status === "managed" && (isReplaced || !hasKey(one))) ??
      all.find((one) => one.status === "creating" && one.type === type && one.key !== key && adopts(one, id))
    );
  }

  /** The key of the resource to which another provider instance gives the ID in this run. */
  async adopterElsewhere(type: string, id: string, key: string): Promise<string | undefined> {
    const isOfThisRun = ({ status, createdAt = 0 }: StoredResource): boolean =>
      status === "creating" || createdAt >= this.options.startedAt;
    const all = await this.#readOrSay(this.#isAlone ? undefined : this.options.now());
    this.#isAlone = all.filter(isOwnProvider).length < 2;
    return all.find(
      (one) =>
        one.type === type && one.key !== key && isOfThisRun(one) && (isOf(one, type, id) || adopts(one, id)),
    )?.key;
  }

  /** The ID that the option `import` of a resource names now, if it is another one than this. */
  async importedInstead(urn: string, id: string): Promise<string | undefined> {
    // Without the state, the deletion fails, or the policy is to retain.
    const all = (await this.#readForDeletion().catch(() => undefined)) ?? [];
    // A replacement of an imported resource keeps the option. Organization and service may be before the ID in it.
    const isImported = ({ id: present, importId = "" }: StoredResource): boolean =>
      present !== "" && idKey(importId).endsWith(idKey(present));
    const present = all.find((one) => one.urn === urn && one.status === "managed" && isImported(one));
    return present === undefined || idKey(present.id) === idKey(id) ? undefined : present.id;
  }

  /** The resources of a type in the state; none if it cannot be read, which a line says. */
  stored = async (type: string): Promise<readonly StoredResource[]> =>
    (await this.#readOrSay()).filter((one) => one.type === type && one.status === "managed");

  /** Newer than the checks and the last write of this process: another instance may have adopted something since. */
  #readForDeletion(): Promise<readonly StoredResource[] | undefined> {
    this.#deletesAt ??= this.options.now();
    return this.#state.read(this.#deletesAt);
  }

  async #readOrSay(after?: number): Promise<readonly StoredResource[]> {
    try {
      return (await this.#state.read(after)) ?? [];
    } catch (error) {
      const { why, step } = unread(error);
      if (!this.#hasSaid)
        this.options.log(
          `${why}, so it compares new resources only with the program and with the service. ${step}.`,
        );
      this.#hasSaid = true;
      return [];
    }
  }
}

const nameOf = (type: string, id: string): string => `${type} ${idKey(id)}`;

const isOf = (one: StoredResource, type: string, id: string): boolean =>
  one.type === type && idKey(one.id) === idKey(id);

const adopts = ({ inputs: { adopt } }: StoredResource, id: string): boolean =>
  typeof adopt === "string" && idKey(adopt) === idKey(id);

/** A provider instance, in either form: each has a process of its own. */
const isOwnProvider = ({ urn }: StoredResource): boolean =>
  /::pulumi:providers:(?:pulumi-nodejs|datapipes)::/.test(urn);

/** A deletion cannot be undone, so nothing is deleted without the state. */
function refuseDeletion(error: unknown): never {
  const { why, step } = unread(error);
  throw new Error(
    `Nothing was deleted: ${why}, so it does not know whether another resource uses the same ID. ` +
      `${step}.`,
  );
}

/** Whether the engine writes the state only when the run has ended. */
const isWrittenAtEnd = (): boolean => /^(?:1|true)$/i.test(process.env[SKIP_CHECKPOINTS] ?? "");

const SKIP_CHECKPOINTS = "PULUMI_SKIP_CHECKPOINTS";
const WRITTEN_AT_END = new Error(`${SKIP_CHECKPOINTS} is set, so the state is not up to date during the run`);

/** Why the state cannot be read, and what to do. */
function unread(error: unknown): { readonly why: string; readonly step: string } {
  const because = (reason: string, step: string) => ({
    why: `the provider cannot read the state of the stack (${reason})`,
    step,
  });
  const { code, stderr, message } = error as Readonly<Record<"code" | "stderr" | "message", unknown>>;
  if (error === WRITTEN_AT_END) return because(WRITTEN_AT_END.message, `Unset ${SKIP_CHECKPOINTS}`);
  if (code === "ENOENT")
    return because("the command pulumi is not on the PATH", "Put the pulumi CLI on the PATH");
  const [words = ""] = String(stderr === undefined || stderr === "" ? message : stderr)
    .trim()
    .split("\n");
  return because(words.replace(/^error: /, ""), "Check that `pulumi stack export` works");
}
