import type { AnswerLog, LoggedAnswer } from "./answer-log";
import { ApiError } from "./api-error";
import type { SimulatorControl, SimulatorState } from "./control";
import { FAULT_TARGETS } from "./fault";
import { FAULT_FORMS } from "./fault-forms";
import type { Json } from "./json";
import { isObject } from "./json";
import { Mask, secretsIn } from "./mask";
import type { ResolvedOptions } from "./options";
import type { LoggedRequest, RequestLog } from "./request-log";

/** How many requests the page lists. */
export const SHOWN_REQUESTS = 200;
/** A longer answer makes a page slow. */
const MAX_ANSWER_LETTERS = 500_000;

/** What the page reads. */
export interface PageParts {
  control: SimulatorControl;
  log: RequestLog;
  answers: AnswerLog;
  options: Pick<ResolvedOptions, "accounts">;
}

/** What became of a request. */
function outcomeOf(answer: LoggedAnswer | undefined): string {
  if (answer === undefined) return "waits for its answer";
  if (answer.send === "reset") return "no answer: connection reset";
  return answer.send === "nothing" ? "no answer" : "answered";
}

function withOutcome(request: LoggedRequest, answer: LoggedAnswer | undefined): object {
  const { sequence, at, method, path, operationId, status, durationMs, fault } = request;
  const isOpen = answer === undefined;
  return {
    sequence,
    at,
    method,
    path,
    operationId,
    status,
    durationMs: isOpen ? null : durationMs,
    fault: fault ?? null,
    outcome: outcomeOf(answer),
  };
}

/** Bodies that cannot be masked are not shown: a cut or repeated text can contain parts of secrets. */
const WITHHELD: Readonly<Record<string, string>> = {
  "bad-json": "JSON that ends in the middle",
  echo: "the text repeats the request",
};

/** The body of an answer, as a value or a text. */
function shownAnswer(answer: LoggedAnswer | undefined, { fault }: LoggedRequest): Json {
  if (answer?.send !== "answer" || answer.body === "") return null;
  const { body } = answer;
  const withheld =
    WITHHELD[fault ?? ""] ?? (body.length > MAX_ANSWER_LETTERS ? `${body.length} letters` : undefined);
  if (withheld !== undefined) return `(not shown: ${withheld})`;
  try {
    return JSON.parse(body) as Json;
  } catch {
    return body;
  }
}

/** Control can make anything of a field, and the page shows texts. */
const asText = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

type Pipe = SimulatorState["pipes"][number];

function pipeSummary({ id, serviceId, name, state, source, destination }: Pipe): object {
  const { database, table } = isObject(destination) ? destination : {};
  return {
    id,
    serviceId: asText(serviceId),
    name: asText(name),
    state: asText(state),
    source: Object.keys(isObject(source) ? source : {}).join(", "),
    destination: [database, table].map(asText).filter(Boolean).join("."),
  };
}

type Endpoint = SimulatorState["endpoints"][number];

const endpointSummary = ({ id, serviceId, description, type, status }: Endpoint): object => ({
  id,
  serviceId: asText(serviceId),
  description: asText(description) || id,
  type: asText(type),
  status: asText(status),
});

/** What the page shows: masked, whatever it is. */
export class PageState {
  private latest = { secrets: "", mask: new Mask([]) };

  constructor(private readonly parts: PageParts) {}

  /** What the page shows without a click. */
  overview(): Json {
    const { control, log, answers } = this.parts;
    const state = control.state();
    const requests = log.latest(SHOWN_REQUESTS);
    const overview = {
      services: state.services.map(({ id, name, organizationId }) => ({
        id,
        name: asText(name),
        organizationId,
        pipes: state.pipes.filter(({ serviceId }) => serviceId === id).length,
      })),
      pipes: state.pipes.map(pipeSummary),
      endpoints: state.endpoints.map(endpointSummary),
      requests: requests.map((request) => withOutcome(request, answers.of(request.sequence))),
      faults: control.faults(),
    };
    return this.masked(overview, state, requests);
  }

  /** Everything about a pipe, an endpoint, a service or a request, by its id or its number. */
  details(collection: string, id: string): Json {
    const { control, log } = this.parts;
    const state = control.state();
    const requests = log.latest(SHOWN_REQUESTS);
    if (collection === "requests") {
      const request = requests.find(({ sequence }) => String(sequence) === id);
      return this.masked(this.exchange(request), state, requests);
    }
    const records: Record<string, readonly { id: string }[]> = {
      pipes: state.pipes.map(({ credentialsDigest: _, ...pipe }) => pipe),
      endpoints: state.endpoints,
      services: state.services,
    };
    const record = records[collection]?.find((candidate) => candidate.id === id);
    return this.masked(existing(record), state, requests);
  }

  /** What the form for faults offers. */
  faultForms(): Json {
    return structuredClone({ operations: FAULT_TARGETS, kinds: FAULT_FORMS }) as unknown as Json;
  }

  private exchange(found: LoggedRequest | undefined): object {
    const request = existing(found);
    const answer = this.parts.answers.of(request.sequence);
    const { requestId, contentType, userAgent, body } = request;
    return {
      ...withOutcome(request, answer),
      requestId,
      contentType,
      userAgent,
      body,
      answerType: answer?.send === "answer" ? (answer.headers["content-type"] ?? null) : null,
      answer: shownAnswer(answer, request),
    };
  }

  /** The secrets are looked for in everything that the page can show, and masked in all of it. */
  private masked(value: object, state: SimulatorState, requests: readonly LoggedRequest[]): Json {
    const keys = this.parts.options.accounts.flatMap(({ apiKeyId, apiKeySecret }) => [
      apiKeySecret,
      Buffer.from(`${apiKeyId}:${apiKeySecret}`).toString("base64"),
    ]);
    // A fault's body can be an answer with a secret, which the value then shows when the fault is no longer pending.
    const bodies = requests.map(({ body }) => body);
    const sources = [state, bodies, this.parts.control.faults(), value] as unknown as Json[];
    return this.maskOf([...keys, ...secretsIn(sources)]).value(value as Json);
  }

  /** A page asks every second, and secrets change rarely: spelling thousands of them takes longer than all the rest. */
  private maskOf(all: readonly string[]): Mask {
    const distinct = [...new Set(all)];
    const secrets = JSON.stringify(distinct);
    if (this.latest.secrets !== secrets) this.latest = { secrets, mask: new Mask(distinct) };
    return this.latest.mask;
  }
}

function existing<T>(record: T | undefined): T {
  if (record === undefined) throw new ApiError(404, "it does not exist any more");
  return record;
}
