/** An IPv4-mapped IPv6 address of 127.0.0.0/8, as `URL` writes it. */
const MAPPED = /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/;

/**
 * Whether an address names this machine: 127.0.0.0/8, ::1, localhost and names below it. A proxy of the environment must not carry
 * such requests: it is another machine, or means another one by the same name, and the API key would travel with them.
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
