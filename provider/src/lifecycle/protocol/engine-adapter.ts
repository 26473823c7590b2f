import { toEngine, type Properties } from "./engine-values";
import { WriteFailure, type Lifecycle } from "../program/lifecycle";
import type { CheckResult } from "../program/definition";
import { omit, pick, type PropertyMap } from "../comparison/property-value";
import { describeFailure } from "../comparison/validation";

/** A lifecycle whose results are converted to what the engine receives. */
export class EngineAdapter {
  constructor(readonly lifecycle: Lifecycle) {}

  inputs(properties: PropertyMap): Properties {
    return toEngine(properties, this.lifecycle.definition.secretNames);
  }

  /** A server may repeat a credential in any output. The program marks secrets in its own inputs. */
  outputs(properties: PropertyMap): Properties {
    const { context, definition, fields } = this.lifecycle;
    const names = fields.map(({ name }) => name);
    const isSecret = context.secretTextsOf(properties);
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

  messageOf(error: unknown): string {
    const { context } = this.lifecycle;
    return error instanceof WriteFailure
      ? context.messageOf(error.cause, error.call)
      : context.messageOf(error);
  }
}
