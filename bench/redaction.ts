import { bench, run, summary } from "mitata";
import { Secrets } from "../provider/src/api/secrets/redaction";

const SECRETS = Array.from({ length: 800 }, (_, index) => `password-of-pipe-${index}`);
const LINE =
  "createPipe of orders failed: 400 Bad Request: the brokers kafka-1.example.com:9092 do not answer";

const knowing = (secrets: readonly string[]): Secrets => {
  const known = new Secrets();
  known.add(...secrets);
  return known;
};

/** Measures what it costs to redact one line of the provider. */
export async function measureRedaction(): Promise<void> {
  const [none, all] = [knowing([]), knowing(SECRETS)];
  summary(() => {
    bench("a line, without a secret", () => none.redact(LINE));
    bench("a line, with 800 secrets", () => all.redact(LINE));
    bench("a line that has one of 800 secrets", () => all.redact(`${LINE} ${SECRETS[400] ?? ""}`));
  });
  bench("the first line, with 800 secrets", () => knowing(SECRETS).redact(LINE));
  await run({ colors: false });
}
