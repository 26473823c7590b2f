import { Client } from "../../api/client";
import { systemClock } from "../../api/http/clock";
import { Secrets } from "../../api/secrets/redaction";
import { describeFailure } from "../../lifecycle/comparison/validation";
import { counted } from "../../messages/enumerated";
import { isDatapipesError, type DatapipesError, type DatapipesErrorCode } from "../../messages/errors";
import { nextStepOf, summaryOf } from "../../messages/next-steps";
import { quoted } from "../../messages/quoted";
import { VERSION } from "../../run/version";
import { requireSettings, type Configuration } from "../../settings/config";
import { CONNECTION_SETTINGS, SCOPE_SETTINGS, type SettingName } from "../../settings/settings";
import { differences, type Difference } from "../answer-differences";
import { listPipes } from "../list-pipes";
import { upperFirst } from "../upper-first";
import { failed, ok, warning, type DoctorFinding } from "./finding";
import { setCommand } from "./settings";
import type { ReadStack } from "./stack";

const CHECK = "listPipes";
const NAMES = [...CONNECTION_SETTINGS, ...SCOPE_SETTINGS];

type Headers = Readonly<Record<string, unknown>>;

/** Lists the pipes of the service, with exactly one request. */
export async function checkService(
  configuration: Configuration,
  stack: ReadStack,
  say: (line: string) => void,
): Promise<readonly DoctorFinding[]> {
  if (NAMES.some((name) => configuration.defects[name] !== undefined)) return [];
  const settings = requireSettings(configuration, NAMES);
  let stated: Headers | undefined;
  const sentAt = performance.now();
  const client = new Client({
    ...settings,
    // A configured limit of the rate would only make the one request wait for itself.
    rateLimit: "off",
    maxRetries: 0,
    rateLimitTimeoutSeconds: 0,
    userAgent: `pulumi-datapipes/${VERSION}`,
    log: say,
    // The settings' own finding says it.
    warn: () => undefined,
    clock: systemClock,
    secrets: new Secrets(),
    answered: ({ headers }) => {
      stated = headers;
    },
  });
  say(`Listing the pipes of service ${settings.serviceId} …`);
  try {
    const { items: pipes, leftOut } = await listPipes(client, settings);
    const milliseconds = Math.round(performance.now() - sentAt);
    const message =
      `listPipes returned 200 in ${milliseconds} ms: service ${settings.serviceId} has ` +
      `${counted(pipes.length, "pipe")}.`;
    return [
      ok(CHECK, `${message}${rateLimit(stated)}`),
      ...withoutId(leftOut.length, pipes.length, stack),
      ...differencesFrom(pipes),
    ];
  } catch (error) {
    if (!isDatapipesError(error)) throw error;
    return [failureOf(error, stack, stated)];
  }
}

/** What the list has beside its pipes, which an ID identifies. */
function withoutId(count: number, pipes: number, stack: ReadStack): readonly DoctorFinding[] {
  if (count === 0) return [];
  const have = count === 1 ? "has" : "have";
  const message = `${count} of ${counted(count + pipes, "element")} of the list ${have} no ID that is a UUID.`;
  if (pipes === 0)
    return [failed(CHECK, `${message} This may not be the API.`, setCommand("baseUrl", stack))];
  const advice = "No stack can manage them. Ask the operator of the service to return valid IDs.";
  return [warning(CHECK, message, advice)];
}

/** What to do about a difference from the API document. */
const ADVICE: Readonly<Record<Difference["kind"], string>> = {
  unknown:
    `The provider does not use it. A newer version may: compare ${VERSION} with the one that ` +
    "`npm view pulumi-datapipes version` shows.",
  missing: "The provider works without it. Ask the operator of the service to return it.",
  mistyped: "A refresh does not detect drift of the field. Ask the operator of the service to correct it.",
  returned: "The provider keeps it secret. Ask the operator of the service not to return it.",
};

/** Where the list differs from the API document, each difference once. */
const differencesFrom = (pipes: Parameters<typeof differences>[0]): readonly DoctorFinding[] =>
  differences(pipes).map((difference) => {
    const message = `The response differs from the API document: ${describeFailure(difference)}.`;
    return warning(CHECK, message, ADVICE[difference.kind]);
  });

const IS_RATE_LIMIT = /^(?:x-)?ratelimit(?:-|$)/i;

/** The rate limit as the server's headers state it, as a sentence that follows another sentence. */
function rateLimit(headers: Headers = {}): string {
  const limits = Object.entries(headers).filter(([name]) => IS_RATE_LIMIT.test(name));
  const stated = limits.map(([name, value]) => `${name} ${quoted(String(value))}`);
  return stated.length === 0 ? "" : ` The server reports its rate limit: ${stated.join(", ")}.`;
}

/** The setting that is most likely wrong after an error. */
const SUSPECTS: Partial<Readonly<Record<DatapipesErrorCode, SettingName>>> = {
  unauthorized: "apiKeySecret",
  "not-found": "serviceId",
};

function failureOf(error: DatapipesError, stack: ReadStack, headers?: Headers): DoctorFinding {
  const nextStep = nextStepOf(error);
  const suspect = error.answer.failure === "unreadable" ? "baseUrl" : SUSPECTS[error.code];
  const message = `${upperFirst(summaryOf(error))}${rateLimit(headers)}`;
  return suspect === undefined
    ? failed(CHECK, message, nextStep)
    : failed(CHECK, `${message} ${nextStep}`, setCommand(suspect, stack));
}
