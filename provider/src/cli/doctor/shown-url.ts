import { decoded } from "../../values/decoded";

/** A URL for messages, without user, password and query, which may be secret. */
export function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return "a text that is not a URL";
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname}`.replace(/\/$/, "");
}

/**
 * What is secret in a URL, as it is and decoded: the password, and all values of the query, where backends take keys and tokens. A user
 * without a password may be a token. Texts that are no URL count, too: the Pulumi CLI quotes them.
 */
export function credentialsOf(text: string): readonly string[] {
  const [address = "", ...queries] = text.split("?");
  const [, user = ""] = /^(?:[^:/]*:\/\/)?([^/#]*)@/.exec(address) ?? [];
  const password = user.replace(/^[^:]*:/, "");
  const values = queries
    .flatMap((query) => query.split(/[&#]/))
    .map((member) => member.replace(/^[^=]*=/, ""));
  return [user, password, ...values].flatMap((secret) => [
    secret,
    decoded(secret),
    decoded(secret.replaceAll("+", " ")),
  ]);
}
