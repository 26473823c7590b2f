/** Names of secret members, in lower case without separators. */
const NAMES: ReadonlySet<string> = new Set(["credentials", "accesskey", "connectionstring"]);

/** Any other name that contains one of these words is secret, too: the API may return members that the API document does not have. */
const SECRET_WORDS = /password|passwd|secret|token|privatekey/;

/** How many names are remembered: those of the API's document are some hundred. */
const MAX_KNOWN = 1_000;

class SecretNames extends Set<string> {
  readonly #known = new Map<string, boolean>();

  override has(name: string): boolean {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const plain = name.replaceAll(/[_-]/g, "").toLowerCase();
    const isSecret = NAMES.has(plain) || SECRET_WORDS.test(plain);
    if (this.#known.size < MAX_KNOWN) this.#known.set(name, isSecret);
    return isSecret;
  }
}

/** The names of secret members of the API's objects, at any depth. Encryption in the state and redaction follow from it. */
export const SECRET_NAMES: ReadonlySet<string> = new SecretNames();
