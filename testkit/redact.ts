import { Secrets } from "../provider/src/api/secrets/redaction";

const knowing = (known: readonly string[]): Secrets => {
  const secrets = new Secrets();
  secrets.add(...known);
  return secrets;
};

/** A text of the provider as it is shown. */
export const redact = (text: string, secrets: readonly string[]): string => knowing(secrets).redact(text);

/** A text of a server as it is shown; undefined if it is left out. */
export const startOf = (text: string, secrets: readonly string[]): string | undefined =>
  knowing(secrets).startOf(text, text.length);
