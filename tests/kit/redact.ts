import { Secrets } from "../../provider/src/api/secrets/redaction";

const knowing = (known: readonly string[]): Secrets => {
  const secrets = new Secrets();
  secrets.add(...known);
  return secrets;
};

/** A text as it is shown. */
export const redact = (text: string, secrets: readonly string[]): string => knowing(secrets).redact(text);
