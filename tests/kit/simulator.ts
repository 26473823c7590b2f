import {
  startSimulator,
  type LoggedRequest,
  type Pipe,
  type Simulator,
  type SimulatorOptions,
} from "../../simulator/src/index";
import { canary } from "./canary";
import { onEnd } from "./cleanup";

export type { LoggedRequest, Pipe, SeedPipe, Simulator, SimulatorOptions } from "../../simulator/src/index";

/** A simulator whose pipes are ready at once, and that `endStarted` ends. */
export async function newSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ stateSeconds: 0, ...options });
  onEnd(() => simulator.close());
  return simulator;
}

/** The plain configuration of the account. The rate limit is off, because it would only make tests wait. */
export const connectionOf = ({ url, account }: Simulator) => ({
  baseUrl: url,
  apiKeyId: account.apiKeyId,
  organizationId: account.organizationId,
  serviceId: account.serviceIds[0] ?? "",
  rateLimit: "off",
});

export const variablesOf = ({ url, account }: Pick<Simulator, "url" | "account">) => ({
  DATAPIPES_BASE_URL: url,
  DATAPIPES_API_KEY_ID: account.apiKeyId,
  DATAPIPES_API_KEY_SECRET: account.apiKeySecret,
  DATAPIPES_ORGANIZATION_ID: account.organizationId,
  DATAPIPES_SERVICE_ID: account.serviceIds[0] ?? "",
});

export function writes(simulator: Simulator): LoggedRequest[] {
  return simulator.control.requests().filter(({ method }) => method !== "GET");
}

export function listReads(simulator: Simulator): LoggedRequest[] {
  return simulator.control.requests().filter(({ operationId }) => operationId === "listPipes");
}

export type Call = Pick<LoggedRequest, "method" | "path" | "body">;

/** The writes since the last call of this function, which forgets all requests: method, path below the service, body. */
export function takeWrites(simulator: Simulator): Call[] {
  const calls = writes(simulator).map(({ method, path, body }) => ({
    method,
    path: path.replace(servicePath(simulator), ""),
    body,
  }));
  simulator.control.clearRequests();
  return calls;
}

/** The bodies of the writes since the last call of `takeWrites` or this function. */
export const takeBodies = (simulator: Simulator): Call["body"][] =>
  takeWrites(simulator).map(({ body }) => body);

/** The methods of the writes since the last call of `takeWrites` or this function. */
export const takeMethods = (simulator: Simulator): string[] =>
  takeWrites(simulator).map(({ method }) => method);

/** Waits for something that happens during a run. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 25));
}

export function servicePath({ account }: Simulator): string {
  return `/v1/organizations/${account.organizationId}/services/${account.serviceIds[0] ?? ""}`;
}

export function pipeNamed(simulator: Simulator, name: string): Pipe {
  const [pipe, ...others] = simulator.control.state().pipes.filter((candidate) => candidate.name === name);
  if (pipe === undefined || others.length > 0)
    throw new Error(`there are ${pipe === undefined ? 0 : others.length + 1} pipes named ${name}`);
  return pipe;
}

/** The fault by which a simulator answers with this result. */
export const answer = (result: unknown, status = 200) =>
  ({ kind: "status", status, body: { status, requestId: "r", result } }) as const;

export function latestRequest(simulator: Simulator): LoggedRequest {
  const request = simulator.control.requests().at(-1);
  if (request === undefined) throw new Error("The simulator has seen no request.");
  return request;
}

export function requestCounts(simulator: Simulator): Record<string, number> {
  const names = simulator.control.requests().map(({ operationId }) => operationId ?? "none");
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]),
  );
}

export const accountOf = (number: number) => ({
  apiKeyId: `key-${number}`,
  apiKeySecret: canary(`secret-of-key-${number}`),
  organizationId: `0a1b2c3d-0000-4000-8000-0000000000a${number}`,
  serviceIds: [`0a1b2c3d-0000-4000-8000-0000000000b${number}`],
});
