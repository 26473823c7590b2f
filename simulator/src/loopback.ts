import type { IncomingMessage } from "node:http";

/** How this machine is called by those who mean it. A name of the DNS can be made to lead here: it is not one. */
const AUTHORITY = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
const ORIGIN = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?$/i;
const HTTP_PORT = 80;

/** A browser names the site of the page that asks; `none` is an address that the user has typed. */
const OWN_SITES = ["same-origin", "none"];

/** `GET http://host/path` names the host a second time, and such a name wins over the Host header. */
function authorityOfTarget(target: string): string | undefined {
  return target.startsWith("/") ? undefined : /^[a-z]+:\/\/([^/?#]*)/i.exec(target)?.[1];
}

function isOwnOrigin(origin: string, port: number | undefined): boolean {
  const found = ORIGIN.exec(origin);
  return found !== null && Number(found[1] ?? HTTP_PORT) === port;
}

/**
 * Why a request is refused that a web page may have sent: a page of any site can send requests to this machine, and
 * by DNS rebinding even read the answers. Undefined when the request is fine.
 */
export function foreignRequestError({ headers, socket, url = "/" }: IncomingMessage): string | undefined {
  const target = authorityOfTarget(url);
  const isLocal = AUTHORITY.test(headers.host ?? "") && (target === undefined || AUTHORITY.test(target));
  if (!isLocal) return "the Host header must be 127.0.0.1, localhost or [::1], with any port";
  if (headers.origin !== undefined && !isOwnOrigin(headers.origin, socket.localPort))
    return "requests of web pages from another origin are refused (Origin header)";
  const site = headers["sec-fetch-site"];
  if (site !== undefined && !(typeof site === "string" && OWN_SITES.includes(site)))
    return "requests of web pages from another site are refused (Sec-Fetch-Site header)";
  return undefined;
}
