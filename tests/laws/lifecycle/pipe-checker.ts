import type { PropertyMap } from "../../../provider/src/lifecycle/property-value";
import { privateStateOf } from "../../../provider/src/lifecycle/private-state";
import { OMITTED_FIELDS } from "../../../simulator/src/pipe-format";
import type { Profile } from "../../../simulator/src/profile";
import { valueAt } from "../../kit/deployment";
import type { Resource } from "../../kit/engine-model/engine";
import { Checker } from "./checker";
import { isMissing, missed, onChangeOf } from "./declared-values";
import type { PipeStack } from "./pipe-stack";
import { isWrite, type Outcome, type Run } from "./session";

/** By profile: prefixes of the paths whose values a list does not return as stored. */
const HIDDEN: Readonly<Partial<Record<Profile, readonly string[]>>> = {
  quantity: ["scaling.replicaCpuMillicores", "scaling.replicaMemoryGb"],
  omit: Object.keys(OMITTED_FIELDS).concat("destination.tableDefinition"),
  "zero-later": ["scaling"],
  "lower-case": ["destination.database", "destination.table"],
  masked: ["source.objectStorage.path"],
};

export class PipeChecker extends Checker<PipeStack> {
  /** Whether the service may have changed since the last refresh without a trace in the state. */
  #maybeChanged = false;
  /** Pipes that may not have the declared credentials, because a request was lost. */
  readonly #unknownCredentials = new Set<string>();
  /** Immutable fields whose values the provider takes for a normalized form of the declared ones: ids and paths. */
  readonly #accepted = new Set<string>();

  protected isGivenUp(line: string, id: string): "stays" | "went" | undefined {
    if (line.includes(`(${id}) keeps running`)) return "stays";
    // Another resource adopts it, and this may fail.
    if (line.includes(`(${id}) is not deleted: `) && this.stack.adopts(id)) return "stays";
    // The requests to its service, too, were answered with 404.
    return /^service .* no longer exists \(404\)/.test(line) && line.includes(`(${id})`) ? "went" : undefined;
  }

  protected isReported(text: string, id: string, name: string): boolean {
    const mayExist = `create pipe ${JSON.stringify(name)} failed`;
    return (
      (text.includes(mayExist) && /may have created the pipe|did not appear in the list/.test(text)) ||
      (/set adopt to (its id|the id of that one)|The service now also has/.test(text) && text.includes(id))
    );
  }

  /** The provider takes what the first read after a write returns for an immutable field as its normalized form. */
  protected before(run: Run): void {
    if (run !== "refresh" && run !== "up --refresh") return;
    for (const { id, inputs, outputs } of this.stack.resources) {
      if (privateStateOf(outputs as PropertyMap).written !== true) continue;
      const present = this.stack.pipe(id);
      for (const path of present === undefined ? [] : missed(inputs, present))
        if (onChangeOf(path) === "replace") this.#accepted.add(`${id} ${path}`);
    }
  }

  protected after(run: Run, { report, requests }: Outcome): void {
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

  protected agrees(): void {
    if (this.#maybeChanged || this.stack.changedByHand) return;
    for (const resource of this.stack.resources) this.#hasDeclaredValues(resource);
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
    if (!isAdopted && !this.adopted.has(id) && !this.#unknownCredentials.has(id))
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
