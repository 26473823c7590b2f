import { differences } from "../answer-differences";
import { upperFirst } from "../upper-first";
import { describeFailure } from "../../lifecycle/validation";
import { createClient } from "../../api/client";
import type { ServiceScope } from "../../settings/settings";
import { idKey } from "../../values/uuid";
import { remedyOf, requireSettings, type Configuration } from "../../settings/config";
import { isDatapipesError, type ConnectionProblem, type DatapipesError } from "../../messages/errors";
import { counted } from "../../messages/enumerated";
import { renderParts } from "../../messages/next-steps";
import { CONNECTION_SETTINGS, SCOPE_SETTINGS } from "../../settings/settings";
import { VERSION } from "../../pulumi/version";
import { failed, ok, warning, type DoctorFinding } from "./finding";
import { proxyFailure } from "./proxy";
import { statedRateLimit } from "./rate-limit";

/** How long the doctor waits for an answer. */
const TIMEOUT_SECONDS = 10;

const CHECK = "listPipes";

/** The finding on the API, and whether the API has accepted the key. */
export interface ServiceCheck {
  readonly findings: readonly DoctorFinding[];
  readonly isKeyAccepted: boolean;
}

interface Answer {
  readonly milliseconds: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Lists the pipes of the service, with exactly one request. */
export async function checkService(
  configuration: Configuration,
  say: (line: string) => void,
): Promise<ServiceCheck> {
  const names = [...CONNECTION_SETTINGS, ...SCOPE_SETTINGS];
  if (names.some((name) => configuration.problems[name] !== undefined))
    return { findings: [], isKeyAccepted: false };
  const settings = requireSettings(configuration, names);
  let answer: Answer | undefined;
  const client = createClient({
    ...settings,
    // A configured limit of the rate would only make the one request wait for itself.
    rateLimit: "off",
    maxRetries: 0,
    rateLimitTimeoutSeconds: 0,
    requestTimeoutSeconds: Math.min(TIMEOUT_SECONDS, settings.requestTimeoutSeconds),
    userAgent: `pulumi-datapipes/${VERSION}`,
    log: say,
    // The settings' own finding says it.
    warn: () => undefined,
    answered: ({ sentAt, answeredAt, headers }) => {
      answer = { milliseconds: Math.round(answeredAt - sentAt), headers };
    },
  });
  say(`Listing the pipes of service ${settings.serviceId} …`);
  try {
    const { items: pipes } = await client.listPipes(settings);
    const message = `listPipes returned 200 in ${answer?.milliseconds ?? 0} ms: service ${settings.serviceId} has ${counted(pipes.length, "pipe")}.`;
    const findings = [ok(CHECK, withRateLimit(message, answer)), ...differencesFrom(pipes)];
    return { findings, isKeyAccepted: true };
  } catch (error) {
    if (!isDatapipesError(error)) throw error;
    const finding = failureOf(error, settings, answer);
    return { findings: [finding], isKeyAccepted: ["forbidden", "not-found"].includes(error.code) };
  }
}

/** Where the list differs from the API document, each difference once. */
const differencesFrom = (pipes: Parameters<typeof differences>[0]): readonly DoctorFinding[] =>
  differences(pipes).map((difference) =>
    warning(
      CHECK,
      `The answer differs from the API document: ${describeFailure(difference)}.`,
      "npm install pulumi-datapipes@latest",
    ),
  );

const withRateLimit = (message: string, answer: Answer | undefined): string =>
  [message, statedRateLimit(answer?.headers ?? {})].filter((sentence) => sentence !== undefined).join(" ");

type ServiceSettings = ServiceScope & { readonly baseUrl: string };

function failureOf(
  error: DatapipesError,
  settings: ServiceSettings,
  answer: Answer | undefined,
): DoctorFinding {
  const { summary, nextStep } = renderParts(error);
  const { why = "", fix = nextStep } = ofProxy(error, settings.baseUrl) ?? diagnosisOf(error, settings);
  const duration = answer === undefined ? "" : ` The response took ${answer.milliseconds} ms.`;
  const message = [summary, why].filter((sentence) => sentence !== "").join(" ");
  return failed(CHECK, withRateLimit(`${upperFirst(message)}${duration}`, answer), fix);
}

interface Diagnosis {
  readonly why?: string;
  readonly fix?: string;
}

/** Failures of the connection itself, which is that to the proxy where there is one. */
const UNREACHED: ReadonlySet<ConnectionProblem | undefined> = new Set<ConnectionProblem | undefined>([
  "host-not-found",
  "connection-refused",
  "unreachable",
  "not-reached-in-time",
]);

const ofProxy = ({ answer }: DatapipesError, baseUrl: string): Diagnosis | undefined =>
  UNREACHED.has(answer.connection) ? proxyFailure(baseUrl) : undefined;

/** What the failure of this very request means. For all others, the usual next step is right. */
function diagnosisOf({ code, answer }: DatapipesError, scope: ServiceScope): Diagnosis {
  const { status = 0, connection, isPage = false, words = "" } = answer;
  if (isPage && status < 500)
    return {
      why: "An HTML page comes from the service's console or from another web server, not from the API.",
      fix: `Find the address of the API in the service's documentation. ${remedyOf("baseUrl")}`,
    };
  if (status >= 300 && status < 400)
    return {
      why: "The API does not redirect: this may be the address of the service's console.",
      fix: `Find the address of the API in the service's documentation. ${remedyOf("baseUrl")}`,
    };
  if (code === "unauthorized") return wrongKey();
  if (code === "forbidden") return forbidden(scope);
  if (code === "not-found") return notFound(scope, words);
  if (connection === "no-answer-in-time")
    return { fix: "Check the network and any proxy; if the server is busy, run the command again later." };
  if (code === "rate-limited")
    return { fix: "Wait until the rate limit of the key has room, then run the command again." };
  return {};
}

/** A key is an id and a secret, which a new key has both. */
const GIVE_KEY =
  "`pulumi config set datapipes:apiKeyId <value>` and `pulumi config set --secret datapipes:apiKeySecret`, " +
  "or DATAPIPES_API_KEY_ID and DATAPIPES_API_KEY_SECRET in the environment.";

const wrongKey = (): Diagnosis => ({
  why: "The API does not know this key.",
  fix: `Give the id and the secret of an active key, each in its place: ${GIVE_KEY}`,
});

const forbidden = ({ organizationId }: ServiceScope): Diagnosis => ({
  why: `The API knows the key, but does not let it list the pipes of this service in organization ${organizationId}.`,
  fix: `Give the key a role that may read pipes, or give the id and the secret of a key of this organization: ${GIVE_KEY}`,
});

function notFound({ organizationId, serviceId }: ServiceScope, words: string): Diagnosis {
  if (idKey(organizationId) === idKey(serviceId))
    return {
      why: "datapipes:serviceId is the id of the organization.",
      fix: `Find the id of the service in the service's console. ${remedyOf("serviceId")}`,
    };
  if (/\bno organi[sz]ation\b|organi[sz]ation (was )?not found/i.test(words))
    return {
      why: `The key is not of organization ${organizationId}, there is no such organization, or datapipes:organizationId and datapipes:serviceId are swapped.`,
      fix: `Find the organization of the key in the service's console. ${remedyOf("organizationId")}`,
    };
  return {
    why: `Organization ${organizationId} has no service ${serviceId} that this key may see.`,
    fix: `Check the id of the service, and that it is not the id of an organization or of a pipe. ${remedyOf("serviceId")}`,
  };
}
