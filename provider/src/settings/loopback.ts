/** An IPv4-mapped IPv6 address of 127.0.0.0/8, as `URL` writes it. */
const MAPPED = /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/;

/**
 * Whether a URL has a loopback address: 127.0.0.0/8, ::1, localhost or a name below it. Requests to it may be
 * unencrypted. A proxy of the environment must not forward them: for a proxy on another machine, the address is that
 * machine's, and the proxy would receive the API key.
 */
export function isLoopback(baseUrl: string): boolean {
  const hostname = new URL(baseUrl).hostname.replace(/\.$/, "");
  return (
    /^127(\.\d{1,3}){3}$/.test(hostname) ||
    hostname === "[::1]" ||
    MAPPED.test(hostname) ||
    hostname === "localhost" ||
    hostname.endsWith(".localhost")
  );
}
