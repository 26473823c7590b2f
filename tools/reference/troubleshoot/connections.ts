import type { ConnectionProblem } from "../../../provider/src/messages/errors";
import { entry, type Entry } from "./entry";

const NO_RESPONSE = "<operation> failed: <method and path> got no response: ";

/** Requests without an answer. The compiler demands an entry for each problem. */
export const CONNECTIONS: Readonly<Record<ConnectionProblem, Entry>> = {
  cancelled: entry(
    "The run is cancelled",
    ["<request> was not sent: the run is cancelled."],
    "The run was ended with Ctrl-C or `pulumi cancel`. Requests that were already sent have ended, and the state has their results.",
  ),
  "custom-timeout": entry(
    "The timeout of customTimeouts has passed before a request",
    ["<request> was not sent: the <number> s of customTimeouts have passed."],
    "Waiting for the rate limit, for another request or for a retry took all of the time that the option `customTimeouts` gives the operation. Requests before this one may have been sent: the error names them.",
  ),
  "host-not-found": entry(
    "ENOTFOUND",
    [`${NO_RESPONSE}getaddrinfo ENOTFOUND <host>`],
    "DNS knows no such host. No request was sent.",
  ),
  "no-name-service": entry(
    "EAI_AGAIN",
    [`${NO_RESPONSE}getaddrinfo EAI_AGAIN <host>`],
    "The DNS server did not answer. No request was sent.",
  ),
  "connection-refused": entry(
    "ECONNREFUSED",
    [`${NO_RESPONSE}connect ECONNREFUSED <address>`],
    "The machine answers, but no server listens on this port. No request was sent.",
    "If the environment names a proxy (`HTTPS_PROXY` or `HTTP_PROXY`), the refused address may be that of the proxy.",
  ),
  unreachable: entry(
    "EHOSTUNREACH or ENETUNREACH",
    [`${NO_RESPONSE}connect EHOSTUNREACH <address>`, `${NO_RESPONSE}connect ENETUNREACH <address>`],
    "The network has no way to the machine. No request was sent.",
  ),
  "not-reached-in-time": entry(
    "ETIMEDOUT",
    [`${NO_RESPONSE}connect ETIMEDOUT <address>`],
    "Nothing answered when the provider opened the connection. Firewalls drop packets in this way.",
  ),
  certificate: entry(
    "A certificate that Node.js does not accept",
    [
      `${NO_RESPONSE}self-signed certificate`,
      `${NO_RESPONSE}certificate has expired`,
      `${NO_RESPONSE}unable to verify the first certificate`,
      `${NO_RESPONSE}Hostname/IP does not match certificate's altnames`,
    ],
    "The server's certificate is expired, for another host, or of an authority that Node.js does not know. No request was sent, so no key either. A proxy that inspects traffic has such a certificate.",
    "For an authority of your own, set `NODE_EXTRA_CA_CERTS=<file>` in the environment of `pulumi`.",
  ),
  tls: entry(
    "The TLS handshake failed",
    [`${NO_RESPONSE}<…> SSL routines:<…>wrong version number<…>`],
    "The server does not use TLS: an `https` URL names a port of plain http, or a proxy answered.",
  ),
  "not-http": entry(
    "Parse Error",
    [`${NO_RESPONSE}Parse Error: Expected HTTP/<…>`],
    "The server at this port does not use HTTP.",
  ),
  "connection-reset": entry(
    "ECONNRESET, socket hang up",
    [`${NO_RESPONSE}read ECONNRESET`, `${NO_RESPONSE}socket hang up`],
    "The connection was closed before the answer came. The server may have processed the request. The message ends with a next step that fits the request.",
  ),
  "no-answer-in-time": entry(
    "No response in time",
    ["<operation> failed: <method and path> got no response within <number> s."],
    "The server accepted the connection, but did not answer in the time that an attempt has. It may have processed the request.",
  ),
  other: entry(
    "Another network error",
    [`${NO_RESPONSE}<code>`],
    "The request failed for a reason that the provider does not know. The message has the words of Node.js.",
  ),
};
