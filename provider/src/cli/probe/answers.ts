import { quotaOf } from "../../api/http/quota";
import { isHtml, parseEnvelope } from "../../api/http/envelope";
import { isWireObject } from "../../api/document/wire";
import { isInsecure } from "../../settings/config";
import { statedRateLimit } from "../doctor/rate-limit";
import { counted } from "../../messages/enumerated";
import {
  asAssumed,
  handled,
  joined,
  notHandled,
  shownWord,
  unknown,
  type Assumption,
  type Seen,
} from "./assumption";
import type { Evidence } from "./evidence";
import { isSuccess, statusOf, statusWords, type RecordedAnswer } from "./exchange";

/** A smaller difference of two clocks is one of the resolution of the header and of the network. */
const MAX_SKEW_SECONDS = 5;

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

function transportSecurity({ baseUrl }: Evidence): Seen {
  if (new URL(baseUrl).protocol === "https:")
    return asAssumed("https, with a certificate that this machine accepts");
  return isInsecure(baseUrl)
    ? handled("plain http over a network, which datapipes:allowInsecure allows")
    : asAssumed("plain http within this machine, without TLS");
}

function redirects({ answers }: Evidence): Seen {
  const statuses = answers.filter(({ status }) => status >= 300 && status < 400).map(({ status }) => status);
  return statuses.length === 0
    ? asAssumed(`no redirect in ${counted(answers.length, "answer")}`)
    : notHandled(`status ${joined(statuses.map(String))}: the provider does not follow it`);
}

const header = ({ headers }: RecordedAnswer, name: string): string => {
  const value = headers[name];
  return typeof value === "string" ? value : "";
};

function contentType({ answers }: Evidence): Seen {
  const types = answers.filter(isSuccess).map((answer) => header(answer, "content-type").replace(/;.*/s, ""));
  const others = types.filter((type) => !/^application\/(?:[\w.-]+\+)?json\s*$/i.test(type));
  return others.length === 0
    ? asAssumed("application/json")
    : handled(
        `${joined(others.map((type) => (type === "" ? "none" : shownWord(type))))}: the provider reads it as JSON`,
      );
}

function serverClock({ answers }: Evidence): Seen {
  const skews = answers
    .filter((answer) => header(answer, "age") === "")
    // The header has whole seconds, without the fraction.
    .map((answer) => Math.round((Date.parse(header(answer, "date")) + 500 - answer.receivedAt) / 1000))
    .filter((skew) => !Number.isNaN(skew));
  const skew = skews.reduce((most, each) => (Math.abs(each) > Math.abs(most) ? each : most), 0);
  if (skews.length === 0)
    return unknown("no answer has a Date header: the provider takes the clock of this machine");
  return Math.abs(skew) <= MAX_SKEW_SECONDS
    ? asAssumed("the clocks of the service and of this machine agree")
    : handled(
        `the clock of the service is ${Math.abs(skew)} s ${skew > 0 ? "ahead" : "behind"}: the provider learns the difference from the Date header`,
        { simulator: [`--clock-skew ${skew}`] },
      );
}

function latency({ answers, requestTimeoutSeconds }: Evidence): Seen {
  const slowest = Math.round(Math.max(0, ...answers.map(({ sentAt, answeredAt }) => answeredAt - sentAt)));
  const words = `the slowest of ${counted(answers.length, "answer")} took ${slowest} ms`;
  return slowest <= requestTimeoutSeconds * 500
    ? asAssumed(words)
    : handled(`${words}: set datapipes:requestTimeoutSeconds higher than ${requestTimeoutSeconds}`, {
        simulator: [`--latency ${slowest}`],
      });
}

const LIMIT_HEADER = /rate-?limit|^retry-after$/i;

function rateLimit({ answers }: Evidence): Seen {
  const refused = answers.filter(({ status }) => status === 429);
  const stated = answers.flatMap(({ headers }) => statedRateLimit(headers) ?? []).at(-1);
  if (stated !== undefined) return asAssumed(stated.replace(/\.$/, ""));
  const names = answers.flatMap(({ headers }) =>
    Object.keys(headers).filter((name) => LIMIT_HEADER.test(name)),
  );
  if (refused.length > 0 && names.length > 0)
    return asAssumed(`${counted(refused.length, "answer")} of 429, with ${joined(names.map(shownWord))}`);
  if (refused.length > 0)
    return handled(
      `${counted(refused.length, "answer")} of 429 without a header: the provider waits by itself`,
    );
  if (names.length > 0 && answers.every(({ headers }) => quotaOf(headers) === undefined))
    return handled(`a header that the provider does not read: ${joined(names.map(shownWord))}`);
  return unknown("no answer states a limit, and no request was refused");
}

function envelope({ answers }: Evidence): Seen {
  const successes = answers.filter(isSuccess).filter(({ text }) => text !== "");
  const differences = successes.flatMap(({ status, text }) => {
    const parsed = parseEnvelope(text);
    if (parsed?.result === undefined) return ["no `result`"];
    const { status: stated, requestId, result: _, ...others } = parsed;
    return [
      ...(status === 200 ? [] : [`status ${status} for a success`]),
      ...(stated === status ? [] : ["a `status` that is missing or not that of HTTP"]),
      ...(requestId !== undefined && UUID_V4.test(requestId) ? [] : ["no UUIDv4 as `requestId`"]),
      ...Object.keys(others).map((name) => `the further member ${shownWord(name)}`),
    ];
  });
  if (differences.length === 0) return asAssumed(`in ${counted(successes.length, "answer")}`);
  return (differences.includes("no `result`") ? notHandled : handled)(joined(differences));
}

function unknownPipe({ unknownPipe: exchange }: Evidence): Seen {
  const { error } = exchange;
  const status = statusOf(exchange);
  if (status < 400)
    return notHandled(`${statusWords(exchange)}: a refresh would take a deleted pipe for living`);
  if (error === undefined) return asAssumed("404");
  return status >= 500 || error.answer.isPage === true
    ? notHandled(
        `${statusWords(exchange)} without the API's words: a refresh cannot tell that a pipe is deleted`,
      )
    : handled(statusWords(exchange));
}

function badKey({ badKey: exchange }: Evidence): Seen {
  if (statusOf(exchange) === 401) return asAssumed("401");
  return exchange.error === undefined
    ? notHandled(`${statusWords(exchange)}: the service takes any key`)
    : handled(`${statusWords(exchange)}: the error says so, but not that the key is wrong`);
}

/** What an error looks like, in words; undefined if it has the usual form. */
function oddErrorForm({ text }: RecordedAnswer): string | undefined {
  if (isHtml(text)) return "an HTML page";
  if (text.trim() === "") return "no body";
  try {
    const value = JSON.parse(text) as unknown;
    const isUsual = isWireObject(value) && (value["error"] ?? value["message"]) !== undefined;
    return isUsual ? undefined : "JSON without `error` and `message`";
  } catch {
    return "a text that is not JSON";
  }
}

function errorForm({ answers }: Evidence): Seen {
  const errors = answers.filter(({ status }) => status >= 400);
  const odd = errors.flatMap((answer) => oddErrorForm(answer) ?? []);
  if (errors.length === 0) return unknown("the service answered with no error");
  return odd.length === 0
    ? asAssumed(`JSON with \`error\` or \`message\`, in ${counted(errors.length, "answer")}`)
    : handled(joined(odd));
}

/** Assumptions about every answer: transport, envelope and errors. */
export const ANSWERS: readonly Assumption[] = [
  {
    assumption: "The API is served over TLS.",
    document: "`{base_url}`, without a scheme",
    promise: "The key and the secrets of pipes are sent encrypted.",
    seen: transportSecurity,
  },
  {
    assumption: "The API does not redirect.",
    document: "only 200 is used for success",
    promise: "The key is sent to no other host.",
    simulator: ["fault redirect"],
    seen: redirects,
  },
  {
    assumption: "Answers are declared as JSON.",
    document: "bodies and responses are JSON",
    promise: "Every answer of the API can be read.",
    simulator: ["fault wrong-content-type"],
    seen: contentType,
  },
  {
    assumption: "Answers have a Date header with the right time.",
    promise: "After a lost answer, the provider takes over only a pipe that is newer than its request.",
    simulator: ["--clock-skew <seconds>"],
    seen: serverClock,
  },
  {
    assumption: "An answer comes well within datapipes:requestTimeoutSeconds.",
    promise: "No request is given up that the service still works on.",
    simulator: ["--latency <ms>"],
    seen: latency,
  },
  {
    assumption: "A rate limit is answered with 429, and headers that state it.",
    promise: "A rate limit is a wait and fails no run.",
    simulator: ["--rate-limit 10/10s", "fault rate-limit"],
    seen: rateLimit,
  },
  {
    assumption: "Every success is status 200, and has the envelope `status`, `requestId`, `result`.",
    document: "only 200 is used for success; every response has the envelope, and a UUIDv4 as `requestId`",
    promise: "Errors name the request id; a page of a gateway is never taken for a result.",
    simulator: ["fault wrong-envelope", "fault bad-json"],
    seen: envelope,
  },
  {
    assumption: "An unknown pipe is status 404.",
    promise: "A refresh finds a pipe that was deleted elsewhere, and believes in no other loss.",
    simulator: ["fault status"],
    seen: unknownPipe,
  },
  {
    assumption: "A wrong key is status 401.",
    promise: "The error says that the key is wrong.",
    simulator: ["fault status"],
    seen: badKey,
  },
  {
    assumption: "An error is JSON with the service's words in `error` or `message`.",
    promise: "Errors repeat the service's own words.",
    simulator: ["fault html"],
    seen: errorForm,
  },
];
