import { withUrn } from "../messages/advised-urn";
import { printableLines } from "../messages/printable";
import { toEngine, type Properties, type SecretValues } from "./engine-values";
import { PartialFailure, ReplacementFailure, type Lifecycle } from "./lifecycle";
import type { CheckResult } from "./definition";
import type { PropertyMap } from "./property-value";
import { describeFailure } from "./validation";

/** A lifecycle whose results are converted to what the engine receives. */
export class EngineAdapter {
  readonly #byName: SecretValues;
  readonly #inputNames: ReadonlySet<string>;

  constructor(readonly lifecycle: Lifecycle) {
    this.#byName = { names: lifecycle.definition.secretNames };
    this.#inputNames = new Set(lifecycle.fields.map(({ name }) => name));
  }

  /** The plugin process of dynamic providers adds members to its results, so each is a copy. */
  inputs(properties: PropertyMap): Properties {
    return { ...toEngine(properties, () => this.#byName) };
  }

  /** A server may repeat a credential in any output. The program marks secrets in its own inputs. */
  outputs(properties: PropertyMap): Properties {
    const isSecret = this.lifecycle.context.secretTextsOf(properties);
    const byText: SecretValues = { ...this.#byName, isSecret };
    return { ...toEngine(properties, (name) => (this.#inputNames.has(name) ? this.#byName : byText)) };
  }

  /** The failures of a check and of the adoption that it announces, one sentence each. */
  async failures(given: PropertyMap, checked: CheckResult): Promise<readonly string[]> {
    const failures = [...checked.failures, ...(await this.lifecycle.preview(checked))];
    // A failure may be about a secret in the wrong field.
    if (failures.length > 0) this.lifecycle.context.trackSecrets(given);
    // The engine prints the value of a property that a failure names, secrets included, so the reason names the path.
    return failures.map((failure) => this.#sanitized(describeFailure(failure)));
  }

  /** The message of an error of a call, which may be a create. */
  messageOf(error: unknown, isCreate = false): string {
    const { context, definition } = this.lifecycle;
    if (error instanceof PartialFailure)
      return this.#sanitized(
        context.render(error.cause, { inStack: isCreate ? definition.noun : undefined }),
      );
    if (error instanceof ReplacementFailure)
      return this.#sanitized(context.render(error.cause, { isReplacement: true }));
    return this.#sanitized(context.render(error));
  }

  /** A text without secrets and control characters. */
  #sanitized(text: string): string {
    return printableLines(this.lifecycle.context.redact(withUrn(text)));
  }
}
