/** Members of these names hold secrets, in whichever spelling of a name. */
const NAMES: ReadonlySet<string> = new Set(["credentials", "accesskey", "connectionstring"]);

/** What a name of a member that nobody declared must have in it to count as secret. */
const TELLING = /password|passwd|secret|token|privatekey/;

/** How many names are remembered: those of the API's document are some hundred. */
const MAX_KNOWN = 1_000;

class SecretNames extends Set<string> {
  readonly #known = new Map<string, boolean>();

  override has(name: string): boolean {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const plain = name.replaceAll(/[_-]/g, "").toLowerCase();
    const isSecret = NAMES.has(plain) || TELLING.test(plain);
    if (this.#known.size < MAX_KNOWN) this.#known.set(name, isSecret);
    return isSecret;
  }
}

/**
 * The members of the API's objects that are secret, wherever they stand. The one rule: what is encrypted in state,
 * what is shown as `[secret]` and what is blotted out of errors all follow from it.
 */
export const SECRET_NAMES: ReadonlySet<string> = new SecretNames();
