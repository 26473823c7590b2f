const SECRET_PARAMETER = /sig|key|token|secret|passw|credential|^code$/i;

/** Whether a URL or a connection string, or a part of one, contains a credential. A mask that a server shows in place of one is none. */
export const hasCredentialInUrl = (text: string): boolean =>
  credentialsOfUrl(text).some((credential) => !/^\**$/.test(credential));

/** Passwords, other users, and signatures and keys among the parameters and members. */
function credentialsOfUrl(text: string): readonly string[] {
  const [, user] = /:\/\/([^\s@]+)@/.exec(text) ?? [];
  const [, password] = /^[^\s/:@]+:(?!\/\/)([^\s@]+)@/.exec(text) ?? [];
  const parameters = [...text.matchAll(/[?&#;]([^=&#;\s]+)=([^&#;\s]+)/g)].flatMap(
    ([, name = "", value = ""]) => (SECRET_PARAMETER.test(decoded(name)) ? [value] : []),
  );
  // A user without a password may be a token.
  const ofUser = user === undefined ? [] : [user.slice(user.indexOf(":") + 1)];
  return [...ofUser, ...(password === undefined ? [] : [password]), ...parameters];
}

/** A URL-encoded text decoded; a text that is not URL-encoded as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
