import { createClient } from "../../api/client";
import { describeFailure } from "../../lifecycle/validation";
import { counted } from "../../messages/enumerated";
import { isDatapipesError, type DatapipesError, type DatapipesErrorCode } from "../../messages/errors";
import { renderParts } from "../../messages/next-steps";
import { quoted } from "../../messages/printable";
import { VERSION } from "../../pulumi/version";
import { requireSettings, type Configuration } from "../../settings/config";
import { CONNECTION_SETTINGS, SCOPE_SETTINGS, type SettingName } from "../../settings/settings";
import { differences } from "../answer-differences";
import { upperFirst } from "../upper-first";
import { failed, ok, warning, type DoctorFinding } from "./finding";
import { setCommand } from "./settings";
import type { ReadStack } from "./stack";

const CHECK = "listPipes";
const NAMES = [...CONNECTION_SETTINGS, ...SCOPE_SETTINGS];

interface Answer {
  readonly milliseconds: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Lists the pipes of the service, with exactly one request. */
export async function checkService(
  configuration: Configuration,
  stack: ReadStack,
  say: (line: string) => void,
): Promise<readonly DoctorFinding[]> {
  if (NAMES.some((name) => configuration.defects[name] !== undefined)) return [];
  const settings = requireSettings(configuration, NAMES);
  let answer: Answer | undefined;
  const sentAt = performance.now();
  const client = createClient({
    ...settings,
    // A configured limit of the rate would only make the one request wait for itself.
    rateLimit: "off",
    maxRetries: 0,
    rateLimitTimeoutSeconds: 0,
    userAgent: `pulumi-datapipes/${VERSION}`,
    log: say,
    // The settings' own finding says it.
    warn: () => undefined,
    answered: ({ headers }) => {
      answer = { milliseconds: Math.round(performance.now() - sentAt), headers };
    },
  });
  say(`Listing the pipes of service ${settings.serviceId} …`);
  try {
    const { items: pipes } = await client.listPipes(settings);
    const message = `listPipes returned 200 in ${answer?.milliseconds ?? 0} ms: service ${settings.serviceId} has ${counted(pipes.length, "pipe")}.`;
    return [ok(CHECK, `${message}${rateLimit(answer)}`), ...differencesFrom(pipes)];
  } catch (error) {
    if (!isDatapipesError(error)) throw error;
    return [failureOf(error, stack, answer)];
  }
}

/** Where the list differs from the API document, each difference once. */
const differencesFrom = (pipes: Parameters<typeof differences>[0]): readonly DoctorFinding[] =>
  differences(pipes).map((difference) =>
    warning(
      CHECK,
      `The answer differs from the API document: ${describeFailure(difference)}.`,
      "Install the newest pulumi-datapipes with your package manager.",
    ),
  );

const IS_RATE_LIMIT = /^(?:x-)?ratelimit(?:-|$)/i;

/** The rate limit as the server's headers state it, as a sentence that follows another sentence. */
function rateLimit(answer: Answer | undefined): string {
  const headers = Object.entries(answer?.headers ?? {}).filter(([name]) => IS_RATE_LIMIT.test(name));
  const stated = headers.map(([name, value]) => `${name} ${quoted(String(value))}`);
  return stated.length === 0 ? "" : ` The server states its rate limit: ${stated.join(", ")}.`;
}

/** The setting that is most likely wrong after an error. */
const SUSPECTS: Partial<Readonly<Record<DatapipesErrorCode, SettingName>>> = {
  unauthorized: "apiKeySecret",
  "not-found": "serviceId",
  "invalid-response": "baseUrl",
};

function failureOf(error: DatapipesError, stack: ReadStack, answer: Answer | undefined): DoctorFinding {
  const { summary, nextStep } = renderParts(error);
  const duration = answer === undefined ? "" : ` The response took ${answer.milliseconds} ms.`;
  const isNotTheApi = error.answer.isPage === true && error.code !== "server-error";
  const suspect = isNotTheApi ? "baseUrl" : SUSPECTS[error.code];
  const message = `${upperFirst(summary)}${duration}${rateLimit(answer)}`;
  return suspect === undefined
    ? failed(CHECK, message, nextStep)
    : failed(CHECK, `${message} ${nextStep}`, setCommand(suspect, stack));
}
