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
    hostname === "localhost" ||
    hostname.endsWith(".localhost")
  );
}
