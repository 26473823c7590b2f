import { changesBetween, isRemoval, type Change } from "../comparison/changes";
import type { Log, PolicyInputs, ResourceDefinition } from "./definition";
import { currentInputs } from "../state/drift";
import { isNotReturned } from "../comparison/equality";
import type { Field } from "../comparison/fields";
import { adoptsAnother } from "../state/private-state";
import { enumerated } from "../../messages/enumerated";
import type { Comparison } from "./program";
import { UNKNOWN, type PropertyMap, type PropertyValue } from "../comparison/property-value";
import { shownValue } from "./replacement";
import { nameInKey } from "../state/resource-key";

export const describeResource = (
  definition: ResourceDefinition,
  id: string,
  properties: PropertyMap,
): string => definition.describe?.(id, properties) ?? `${definition.type} ${id}`;

/** Logs what neither the engine's diff nor an error shows. */
export class LifecycleLog {
  #hasLoggedRefresh = false;

  constructor(
    private readonly definition: ResourceDefinition,
    private readonly fields: readonly Field[],
    private readonly output: Log,
  ) {}

  changes(id: string, state: PropertyMap, inputs: PolicyInputs, changes: readonly Change[]): void {
    const undeclared = changes.filter(isNoLongerDeclared).map(({ path }) => path);
    if (undeclared.length > 0)
      this.output.warn(
        `${this.#describe(id, state)}: the program no longer declares ${enumerated(undeclared)}. ` +
          "The service keeps the current values, because the API cannot unset a field.",
      );
    if (adoptsAnother(id, state, inputs.adopt))
      this.output.warn(
        `${this.#describe(id, state)} is in the stack already, so adopt does not take over ${inputs.adopt}.`,
      );
  }

  /** The engine shows the policy in the state; the provider applies the policy of the program. */
  replacement({ id, inputs }: Comparison, stored: unknown): void {
    const deletes = inputs.deletionPolicy === "delete";
    if (inputs.deletionPolicy === UNKNOWN || (stored === "delete") === deletes) return;
    const [what, shown] = deletes
      ? ['will be deleted before its replacement is created (deletionPolicy: "delete")', "[retain]"]
      : ['will not be deleted when it is replaced (deletionPolicy: "retain")', "delete"];
    this.output.log(`${this.#describe(id, inputs)} ${what}, although the preview may show ${shown}.`);
  }

  /** Of a type that the API cannot read. */
  refreshWithoutRead(): void {
    if (this.#hasLoggedRefresh) return;
    this.#hasLoggedRefresh = true;
    this.output.log(
      `The API cannot read resources of the type ${this.definition.type}. ` +
        "The refresh compared nothing, and the state keeps the last response.",
    );
  }

  skippedDelete(id: string, properties: PropertyMap, holder: string): void {
    this.output.log(
      `${this.#describe(id, properties)} is not deleted: resource ${nameInKey(holder)} uses it.`,
    );
  }

  /** Warns of sent values that the API returns differently: it ignored them, or formats them in another way. */
  ignoredValues(
    id: string,
    declared: PropertyMap,
    current: PropertyMap,
    wasSent: (path: string) => boolean,
  ): void {
    const returned = currentInputs(this.fields, declared, current);
    for (const { field, path, before, after } of changesBetween(this.fields, returned, declared)) {
      // No message may show a secret, and services mask the secrets that they return. A shared list has its own
      // warnings.
      if (isNotReturned(field, before) || field.writeOnly || field.secret || !wasSent(path)) continue;
      if (field.sharedList) continue;
      this.output.warn(
        `${this.#describe(id, declared)}: ${path} was sent as ${this.#show(after)}, ` +
          `but the API returned ${this.#show(before)}. The service may have ignored the value.`,
      );
    }
  }

  #describe = (id: string, properties: PropertyMap): string =>
    describeResource(this.definition, id, properties);

  #show = (value: PropertyValue): string => shownValue(value, this.definition.secretNames);
}

/** Whether the service keeps a value that the program no longer declares. */
const isNoLongerDeclared = (change: Change): boolean =>
  isRemoval(change) &&
  (change.effect === "update" || (change.effect === "none" && change.field.onChange === "replace"));
