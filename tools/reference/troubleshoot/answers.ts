import type { ConnectionProblem, Finding } from "../../../provider/src/messages/errors";
import type { Failure } from "../../../provider/src/messages/next-steps";
import { CONFIGURATION, entry, FAILED_RUN, REFUSED_DELETION, type Entry } from "./entry";

type AnswerFailure = Exclude<Failure, Finding | ConnectionProblem>;

const answered = (status: string): readonly string[] => [
  `<operation> failed: <method and path> returned ${status}: <words of the server>`,
];

const UNCERTAIN =
  "The server may or may not have done what it was asked. The provider repeats only requests that are safe to send twice.";

/** The answers of the API. The compiler demands an entry for each next step. */
export const ANSWERS: Readonly<Record<AnswerFailure, Entry>> = {
  "refused-with-reason": entry(
    "400 or 422, with a reason",
    [
      ...answered("400"),
      ...answered("422"),
      "<operation> failed: <method and path> returned 400: <number> MiB of JSON, which the error leaves out",
    ],
    "The API does not accept a value that the request carries. The words after the status are the server's own.",
  ),
  "refused-without-reason": entry(
    "400 or 422, without a reason",
    [
      "<operation> failed: <method and path> returned 400. ",
      "<operation> failed: <method and path> returned 422. ",
      "<operation> failed: <method and path> returned 400: [left out: it repeats a secret]. ",
    ],
    "The API does not accept the request, and does not say why; or it says why in words that repeat a credential or the API key, which the provider leaves out. The log of the service has them: look for the id of the request.",
  ),
  401: entry(
    "401: the key is wrong",
    answered("401"),
    "The API does not know this key id, or the secret does not belong to it.",
    "Run `npx datapipes doctor`: it shows where each setting comes from. After a rotation, run `pulumi up` before `pulumi refresh` or `pulumi destroy`, which use the key that the last `pulumi up` stored.",
  ),
  402: entry(
    "402: the API requires a payment",
    answered("402"),
    "The plan of the organization does not include this operation.",
  ),
  403: entry(
    "403: the key may not do this",
    answered("403"),
    "The API knows the key, but the key has no permission for this operation.",
  ),
  404: entry(
    "404: not found",
    [...answered("404"), ...answered("410")],
    "The API knows no such organization, service or pipe, or this key may not see it.",
    "Run `npx datapipes doctor`: it says which of the ids is wrong.",
  ),
  405: entry(
    "405: the operation does not exist",
    answered("405"),
    "The server has this path, but not this operation.",
  ),
  407: entry(
    "407: a proxy requires credentials",
    answered("407"),
    "A proxy between this machine and the API answered. The request did not reach the API.",
  ),
  409: entry(
    "409 or 423: another change is in progress",
    [...answered("409"), ...answered("423")],
    "The service does not accept the change while another one is in progress.",
  ),
  "name-taken": entry(
    "409: the name is taken",
    answered("409"),
    "The service already has a pipe of this name, and its names are unique.",
  ),
  413: entry(
    "413: the request is too large",
    answered("413"),
    "The server, or a gateway before it, does not accept a request of this size.",
  ),
  424: entry(
    "424: the service is idle",
    answered("424"),
    "The service does not run, so it cannot change its pipes.",
  ),
  429: entry(
    "429: too many requests",
    [
      ...answered("429"),
      "<operation> failed: <method and path> returned 429: <words of the server> (<number> requests refused in <number> s, <number> served; it may serve the next one in <number> s)",
    ],
    "The key has sent more requests than the API allows. The provider waits, and gives up when the service has refused every request of the run for `datapipes:rateLimitTimeoutSeconds`, or at once if it asks for a longer pause. The limit is for each key: other programs with this key count, too.",
    `${CONFIGURATION} describes \`datapipes:rateLimit\` and \`datapipes:rateLimitTimeoutSeconds\`.`,
  ),
  501: entry(
    "501: not implemented",
    answered("501"),
    "The server does not offer this operation. `deletePipe` and `deleteReversePrivateEndpoint` are operations that not every service has.",
    `For a deletion: ${REFUSED_DELETION}.`,
  ),
  "server-error": entry(
    "500, 502, 503 or 504: the server failed",
    [...answered("500"), ...answered("502"), ...answered("503"), ...answered("504")],
    "The server, or a gateway before it, could not process the request. It is safe to send it again, and the provider has done so where the API may recover at once.",
  ),
  "perhaps-done": entry(
    "408 or a lost connection: the change may have been made",
    [
      ...answered("408"),
      ...answered("499"),
      "<operation> failed: <method and path> got no response: <reason>",
    ],
    `${UNCERTAIN} This request is one of those.`,
  ),
  "perhaps-done-once": entry(
    "5xx or a lost connection: a change that is made once",
    [...answered("<500 or more>"), "<operation> failed: <method and path> got no response: <reason>"],
    `${UNCERTAIN} This one is not: a second request could create a second thing, or repeat an action.`,
    `${FAILED_RUN} says what to do next.`,
  ),
  redirect: entry(
    "307 or another redirect",
    answered("<301 to 308>"),
    "The server sends the request to another address. The provider does not follow, because the credential would go there, too. The address may be that of a console.",
  ),
  "unexpected-status": entry(
    "Another status",
    answered("<status>"),
    "The API document has no such answer. Another server may have answered.",
  ),
  "html-page": entry(
    "An HTML page instead of an answer",
    ["<operation> failed: <method and path> returned <4xx>: an HTML page"],
    "A web server or a gateway answered, and not the API.",
  ),
  "invalid-response": entry(
    "The response is not the API's envelope",
    [
      "<operation> failed: <method and path> returned <200>, but the response is not the API's envelope (<content type>).",
      "<operation> failed: <method and path> returned <200>, but the response is an HTML page.",
      "<operation> failed: <method and path> returned <200>, but the response has no result.",
      "<operation> failed: <method and path> returned more than <number> MiB, which the provider does not read.",
      "<operation> failed: <request> succeeded, but the result is not an object.",
      "<operation> failed: <request> succeeded, but the result is not a list.",
      "<operation> failed: <request> succeeded, but the result is an object without an id: <name>.",
      "<operation> failed: <request> succeeded, but the result is an object whose id is not a UUID: <name>.",
      "<operation> failed: <request> succeeded, but the result is an object of another service.",
      "<operation> failed: the API returned pipe <id>, which existed before.",
    ],
    "The status says success, but the body is not what the API document describes. A proxy, a gateway or another server may have changed or written it. A write may have taken effect.",
    `If the request created something, ${FAILED_RUN} says how to look for it.`,
  ),
};
