import { toEngine, type Properties } from "./engine-values";
import type { Lifecycle } from "../program/lifecycle";
import { WriteFailure } from "../state/write-failure";
import type { CheckResult } from "../program/definition";
import { omit, pick, type PropertyMap } from "../comparison/property-value";
import { describeFailure } from "../comparison/validation";

/** A lifecycle whose results are converted to what the engine receives. */
export class EngineAdapter {
  constructor(readonly lifecycle: Lifecycle) {}

  inputs(properties: PropertyMap): Properties {
    return toEngine(properties, this.lifecycle.definition.secretNames);
  }

  /**
   * A server may repeat a credential in any output, also one that an update has just changed. The program marks
   * secrets in its own inputs.
   */
  outputs(properties: PropertyMap, before: PropertyMap = {}): Properties {
    const { context, definition, fields } = this.lifecycle;
    const names = fields.map(({ name }) => name);
    const isSecret = context.secretTextsOf(properties, before);
    return {
      ...this.inputs(pick(properties, names)),
      ...toEngine(omit(properties, names), definition.secretNames, isSecret),
    };
  }

  /** The failures of a check and of the adoption that it announces, one sentence each. */
  async failures(given: PropertyMap, checked: CheckResult): Promise<readonly string[]> {
    const failures = [...checked.failures, ...(await this.lifecycle.checkAgainstOthers(checked))];
    // A failure may be about a secret in the wrong field.
    if (failures.length > 0) this.lifecycle.context.trackSecrets(given);
    // The engine prints the value of a property that a failure names, secrets included, so the reason names the path.
    return failures.map((failure) => this.lifecycle.context.readable(describeFailure(failure)));
  }

  async delete(id: string, properties: PropertyMap, key?: string): Promise<void> {
    await this.lifecycle.delete(id, properties, key).catch((error: unknown) => {
      throw new WriteFailure(error, { id });
    });
  }

  async messageOf(error: unknown): Promise<string> {
    const { context, definition } = this.lifecycle;
    if (!(error instanceof WriteFailure)) return context.messageOf(error);
    const { id } = error.call;
    const [stored] = id === undefined ? [] : await context.stack.withId(definition.type, id);
    return context.messageOf(error.cause, { ...error.call, urn: stored?.urn });
  }
}
