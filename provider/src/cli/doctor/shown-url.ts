/** A URL for messages, without user, password and query, which may be secret. */
export function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return "a text that is not a URL";
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname}`.replace(/\/$/, "");
}

/** What is secret in the user part of a URL, as it is and decoded. A user without a password may be a token. */
export function credentialsOf(text: string): readonly string[] {
  if (!URL.canParse(text)) return [];
  const { username, password } = new URL(text);
  const secrets = password === "" ? [username] : [password, `${username}:${password}`];
  return secrets.flatMap((secret) => [secret, decoded(secret)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
