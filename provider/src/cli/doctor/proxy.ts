import { BlockList, connect, isIPv4 } from "node:net";
import { getProxyForUrl } from "proxy-from-env";
import { isLoopback } from "../../settings/loopback";
import { failed, ok, warning, type DoctorFinding } from "./finding";
import { credentialsOf, withoutCredentials } from "./shown-url";

const CHECK = "proxy";
/** The host of the connections between the Pulumi CLI, the program and its plugins. */
const ENGINE_HOST = "127.0.0.1";

/** The variables that gRPC of Node reads, in its order: in lower case only, unlike most tools. */
const GRPC_VARIABLES = ["grpc_proxy", "https_proxy", "http_proxy"];
const GRPC_EXCLUSIONS = ["no_grpc_proxy", "no_proxy"];
const VARIABLES = [...GRPC_VARIABLES, "HTTPS_PROXY", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];

const read = (name: string): string => process.env[name] ?? "";
const firstSet = (names: readonly string[]): string | undefined => names.find((name) => read(name) !== "");

export const proxySecrets = (): readonly string[] => VARIABLES.flatMap((name) => credentialsOf(read(name)));

/** Checks the proxy of the environment, which must not carry traffic of this machine. */
export async function checkProxy(baseUrl: string | undefined): Promise<readonly DoctorFinding[]> {
  const variables = VARIABLES.filter((name) => read(name) !== "").join(", ");
  if (variables === "") return [];
  const engine = await engineTraffic(baseUrl);
  if (baseUrl === undefined) return engine;
  return isLoopback(baseUrl)
    ? engine.length > 0
      ? engine
      : loopback(baseUrl, variables)
    : [...engine, remote(baseUrl, variables)];
}

/** With a proxy that cannot reach this machine, every run of the Pulumi CLI fails. */
async function engineTraffic(baseUrl: string | undefined): Promise<readonly DoctorFinding[]> {
  const name = firstSet(GRPC_VARIABLES);
  const proxy = name === undefined ? "" : read(name);
  if (name === undefined || !URL.canParse(proxy) || new URL(proxy).protocol !== "http:") return [];
  const exclusions = firstSet(GRPC_EXCLUSIONS);
  if (exclusions !== undefined && read(exclusions).split(",").some(excludesEngine)) return [];
  const isHere = isLoopback(proxy);
  const answers = isHere && (await listens(proxy));
  const defect = isHere ? "which does not answer" : "which cannot reach this machine";
  const message =
    `The environment sets ${name}, and no_proxy (in lower case) does not list ${ENGINE_HOST}: the Pulumi SDK connects to the Pulumi CLI ` +
    `through the proxy ${withoutCredentials(proxy)}${answers ? "" : `, ${defect}`}.`;
  const hosts = baseUrl !== undefined && isLoopback(baseUrl) ? [ENGINE_HOST, hostOf(baseUrl)] : [ENGINE_HOST];
  return [(answers ? warning : failed)(CHECK, message, exclusionOf(exclusions ?? "no_proxy", hosts))];
}

/** How long a proxy of this machine may take to accept a connection. */
const LISTEN_TIMEOUT_MS = 1000;

/** Whether something accepts connections at the address of a proxy. */
function listens(proxy: string): Promise<boolean> {
  const { hostname, port } = new URL(proxy);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || "80") });
  return new Promise((resolve) => {
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(LISTEN_TIMEOUT_MS, () => {
      end(false);
    });
    socket.on("connect", () => {
      end(true);
    });
    socket.on("error", () => {
      end(false);
    });
  });
}

function excludesEngine(entry: string): boolean {
  const [address = "", bits = ""] = entry.split("/");
  if (!isIPv4(address) || !/^([12]?\d|3[0-2])$/.test(bits)) return ENGINE_HOST.endsWith(entry);
  const network = new BlockList();
  network.addSubnet(address, Number(bits));
  return network.check(ENGINE_HOST);
}

function remote(baseUrl: string, variables: string): DoctorFinding {
  const { origin } = new URL(baseUrl);
  const proxy = getProxyForUrl(baseUrl);
  return proxy === ""
    ? ok(CHECK, `The provider reaches ${origin} without a proxy, although the environment sets ${variables}.`)
    : ok(CHECK, `The provider reaches ${origin} through the proxy ${withoutCredentials(proxy)}.`);
}

/** What a failed connection to a remote API means where it goes through a proxy: its error is that of the connection to the proxy. */
export function proxyFailure(baseUrl: string): { readonly why: string; readonly fix: string } | undefined {
  const proxy = isLoopback(baseUrl) ? "" : getProxyForUrl(baseUrl);
  if (proxy === "") return undefined;
  const scheme = new URL(baseUrl).protocol.replace(":", "_proxy");
  const name = firstSet([scheme, "all_proxy"].flatMap((each) => [each, each.toUpperCase()])) ?? scheme;
  const exclusion = exclusionOf(firstSet(["no_proxy"]) ?? "NO_PROXY", [hostOf(baseUrl)]);
  return {
    why: `The request goes through the proxy ${withoutCredentials(proxy)}, which ${name} names.`,
    fix: `Check that the proxy runs. Correct ${name}, or, if the API needs no proxy, run \`${exclusion}\`.`,
  };
}

function loopback(baseUrl: string, variables: string): readonly DoctorFinding[] {
  const host = hostOf(baseUrl);
  const isProxied = ["http", "https"].some((scheme) => getProxyForUrl(`${scheme}://${host}`) !== "");
  if (!isProxied) return [ok(CHECK, `The environment sets ${variables}, but not for ${host}.`)];
  const message = `The environment sets ${variables}, and NO_PROXY does not list ${host}. The provider never uses a proxy for it, but other tools do.`;
  return [warning(CHECK, message, exclusionOf(firstSet(["no_proxy"]) ?? "NO_PROXY", [host]))];
}

const hostOf = (baseUrl: string): string => new URL(baseUrl).hostname;

/** The command that adds hosts to a list. The name in lower case hides the other one, so it takes over its hosts. */
function exclusionOf(name: string, hosts: readonly string[]): string {
  const former = firstSet([name, "no_proxy", "NO_PROXY"]);
  const list = [...(former === undefined ? [] : [`$${former}`]), ...new Set(hosts)].join(",");
  return former === undefined ? `export ${name}=${list}` : `export ${name}="${list}"`;
}
