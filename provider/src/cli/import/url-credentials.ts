import { decoded } from "../../values/decoded";

const SECRET_PARAMETER = /sig|key|token|secret|passw|credential|^code$/i;

/** What may be a credential in a URL, in a part of one, or in a host: passwords, other users, and signatures and keys among its parameters. */
export function credentialsOfUrl(text: string): readonly string[] {
  const [, user] = /:\/\/([^\s@]+)@/.exec(text) ?? [];
  const [, password] = /^[^\s/:@]+:(?!\/\/)([^\s@]+)@/.exec(text) ?? [];
  const parameters = [...text.matchAll(/[?&#]([^=&#\s]+)=([^&#\s]+)/g)].flatMap(
    ([, name = "", value = ""]) => (SECRET_PARAMETER.test(decoded(name)) ? [value] : []),
  );
  // A user without a password may be a token.
  const ofUser = user === undefined ? [] : [user.slice(user.indexOf(":") + 1)];
  return [...ofUser, ...(password === undefined ? [] : [password]), ...parameters];
}
