/** Names of secret members, in lower case without separators. */
const NAMES: ReadonlySet<string> = new Set(["credentials", "accesskey", "connectionstring"]);

/**
 * Any other name with one of these words is secret, too: the API may return members that the API document does
 * not have.
 */
const SECRET_WORDS = /password|passwd|secret|token|privatekey/;

class SecretNames extends Set<string> {
  override has(name: string): boolean {
    const plain = name.replaceAll(/[_-]/g, "").toLowerCase();
    return NAMES.has(plain) || SECRET_WORDS.test(plain);
  }
}

/** The names of secret members of the API's objects, at any depth. */
export const SECRET_NAMES: ReadonlySet<string> = new SecretNames();
