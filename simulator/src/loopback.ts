import type { IncomingMessage } from "node:http";

/** The names of this machine. Other names can resolve to it too, if a DNS server says so. */
const AUTHORITY = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
const ORIGIN = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?$/i;
const HTTP_PORT = 80;

/** Values of `Sec-Fetch-Site`; `none` means that the user typed the address. */
const OWN_SITES = ["same-origin", "none"];

/** The host of a request line like `GET http://host/path`, which overrides the Host header. */
function authorityOfTarget(target: string): string | undefined {
  return target.startsWith("/") ? undefined : /^[a-z]+:\/\/([^/?#]*)/i.exec(target)?.[1];
}

function isOwnOrigin(origin: string, port: number | undefined): boolean {
  const match = ORIGIN.exec(origin);
  return match !== null && Number(match[1] ?? HTTP_PORT) === port;
}

/**
 * The error of a request that a web page may have sent; undefined for other requests. A page of any site can send
 * requests to this machine and, by DNS rebinding, even read the answers.
 */
export function crossSiteError({ headers, socket, url = "/" }: IncomingMessage): string | undefined {
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
