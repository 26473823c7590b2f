import { changesBetween, changesOf, isRemoval, type Change } from "./changes";
import type { Declared, Log, ResourceDefinition } from "./definition";
import { isNotReturned, sameValue } from "./equality";
import { isReadable, leafFields, type Field } from "./fields";
import { privateStateOf } from "./private-state";
import { currentInputs, inDeclaredShape } from "./drift";
import { valueAt, type PropertyMap, type PropertyValue } from "./property-value";
import { shownValue, type Policy } from "./replacement";

/** The lines that tell a person what neither the engine's diff nor an error shows. */
export class LifecycleLog {
  constructor(
    private readonly definition: ResourceDefinition,
    private readonly fields: readonly Field[],
    private readonly output: Log,
  ) {}

  /** What a person who reads the preview should know and the engine's diff does not show. */
  preview(id: string, olds: PropertyMap, news: Declared, changes: readonly Change[]): void {
    for (const change of changesOf("update", changes).filter(isRemoval)) this.#warnOfRemoval(id, change);
    this.#warnOfRefusedValues(id, olds, news);
    for (const line of this.definition.warnings?.(olds, news) ?? []) this.output.warn(line);
    const { adopt } = news;
    if (typeof adopt !== "string" || namesOneOf(adopt, id, ...adoptedBy(olds))) return;
    this.output.warn(
      `${this.definition.type} ${id} is in the stack already, so adopt does not take over ${adopt}. To have that one instead, run ` +
        `\`pulumi state delete <URN of the resource>\`, which leaves ${id} as it is and unmanaged, then \`pulumi up\`.`,
    );
  }

  /** What becomes of a replaced resource, where the engine shows otherwise: it goes by the policy in the state. */
  replacement(id: string, stored: unknown, { deletes }: Policy): void {
    if ((stored === "delete") === deletes) return;
    const [what, row] = deletes
      ? ['will be deleted before its replacement is created (deletionPolicy: "delete")', "[retain]"]
      : ['will not be deleted when it is replaced (deletionPolicy: "retain")', "delete"];
    this.output.log(`${this.definition.type} ${id} ${what}, although the preview may show ${row}.`);
  }

  /** Why nothing is deleted. */
  skippedDelete(id: string, holder = "something else"): void {
    this.output.log(`${this.definition.type} ${id} is not deleted: ${holder} of this program uses it.`);
  }

  /** Numbers and flags that the API states otherwise than they were sent: the service has not taken them. */
  #warnOfRefusedValues(id: string, olds: PropertyMap, news: PropertyMap): void {
    const { observed } = olds;
    for (const field of leafFields(this.fields)) {
      const stated = valueAt(observed, field.path);
      const wanted = valueAt(news, field.path);
      if (stated === undefined || wanted === undefined || !isReadable(field)) continue;
      if (field.onChange !== "update" || field.sharedList) continue;
      const found = inDeclaredShape(field, wanted, stated);
      // A text may only be written in another way.
      if (!isPlainlyOther(found, wanted) || !sameValue(field, valueAt(olds, field.path), wanted)) continue;
      if (sameValue(field, found, wanted)) continue;
      const [states, declares] = [found, wanted].map((value) =>
        shownValue(value, this.definition.secretNames),
      );
      const what = `${this.definition.type} ${id}: ${field.displayPath} is declared as ${declares}, but the API`;
      if (privateStateOf(olds).written)
        this.output.log(
          `${what} stated ${states} right after it was sent. \`pulumi refresh\` reads what it states now.`,
        );
      else this.output.warn(`${what} states ${states}: the service has not taken the value.`);
    }
  }

  /** A value that the API states otherwise right after it was sent: it was not taken, or it is written in another way. */
  ignoredValues(
    id: string,
    declared: PropertyMap,
    found: PropertyMap,
    wasSent: (path: string) => boolean,
  ): void {
    const stated = currentInputs(this.fields, declared, found);
    for (const { field, path, before, after } of changesBetween(this.fields, stated, declared)) {
      // Of a secret neither value may be shown, and services mask what they return of it.
      if (isNotReturned(field, before) || field.writeOnly || field.secret || !wasSent(path)) continue;
      const [sent, answered] = [after, before].map((value) => shownValue(value, this.definition.secretNames));
      this.output.warn(
        `${this.definition.type} ${id}: ${path} was sent as ${sent}, but the API states ${answered}; ` +
          `it may not have taken the value.`,
      );
    }
  }

  #warnOfRemoval(id: string, change: Change): void {
    this.output.warn(
      `${this.definition.type} ${id}: ${change.path} was removed from the program, but the API has no way to ` +
        `unset it: nothing was sent and the value stays as it is.`,
    );
  }
}

/**
 * The ids that `adopt` may name without effect: what it named when the resource came into the stack. An update stores whatever it
 * names, and states of versions that did not note the first one have that alone.
 */
const adoptedBy = (olds: Declared): readonly unknown[] => {
  const { key, adopt } = privateStateOf(olds);
  return key === undefined ? [adopt, olds.adopt] : [adopt];
};

/** Whether a number or a flag is another one. A list may hold what is the service's own, or lack what is switched off. */
const isPlainlyOther = (found: PropertyValue, declared: PropertyValue): boolean =>
  typeof found === typeof declared && (typeof found === "number" || typeof found === "boolean");

const namesOneOf = (id: string, ...known: readonly unknown[]): boolean =>
  known.some((other) => typeof other === "string" && other.toLowerCase() === id.toLowerCase());
