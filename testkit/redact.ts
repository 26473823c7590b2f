import { Secrets } from "../provider/src/api/redaction";

export function redact(text: string, secret: readonly string[]): string {
  const secrets = new Secrets();
  secrets.add(...secret);
  return secrets.redact(text);
}
