import { Secrets } from "../provider/src/api/redaction";

/** A text without some texts that are secret. */
export function redact(text: string, secret: readonly string[]): string {
  const secrets = new Secrets();
  secrets.add(...secret);
  return secrets.redact(text);
}
