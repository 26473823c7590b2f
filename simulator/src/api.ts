import { randomUUID } from "node:crypto";
import type { Account } from "./account";
import { accountOf } from "./account";
import { ApiError } from "./api-error";
import type { Contract, OperationId, Route } from "./contract";
import type { Outcome, World } from "./handlers";
import { HANDLERS, refuse } from "./handlers";
import type { Json, JsonObject } from "./json";
import { isObject } from "./json";
import { withNulls } from "./nulls";
import type { RateLimiter } from "./rate-limit";
import { variantOf } from "./response-variant";
import type { StoredService } from "./service";

/** A request, read to its end. */
export interface ApiRequest {
  method: string;
  path: string;
  authorization: string | undefined;
  contentType: string | undefined;
  /** Undefined when it is over the limit. */
  body: string | undefined;
}

/** An answer, ready to be sent. */
export interface ApiAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  requestId: string;
}

/** How the API behaves. */
export interface ApiOptions {
  accounts: readonly Account[];
  deletes: boolean;
  nulls: boolean;
}

type FoundRoute = Extract<Route, { found: "operation" }>;

/** The management API without a socket: a request in, an answer out. */
export class Api {
  constructor(
    private readonly contract: Contract,
    private readonly world: World,
    private readonly limiter: RateLimiter,
    private readonly options: ApiOptions,
  ) {}

  route(method: string, path: string): Route {
    const isDeletion = (operation: OperationId): boolean => operation.startsWith("delete");
    return this.contract.route(method, path, (operation) => this.options.deletes || !isDeletion(operation));
  }

  answer(request: ApiRequest, requestId = randomUUID() as string): ApiAnswer {
    try {
      return this.success(requestId, this.perform(request, requestId));
    } catch (error) {
      if (error instanceof ApiError) return failure(error, requestId);
      const text = error instanceof Error ? error.message : String(error);
      return failure(new ApiError(500, `simulator defect: ${text}`), requestId);
    }
  }

  private success(requestId: string, result: unknown): ApiAnswer {
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ status: 200, requestId, result }),
      requestId,
    };
  }

  private perform(request: ApiRequest, requestId: string): unknown {
    const route = this.route(request.method, request.path);
    if (route.found === "no such path") throw new ApiError(404, "there is no such path");
    if (route.found === "no such method") throw new ApiError(405, "the path does not know this method");
    const account = this.authenticate(request);
    refuse(this.contract.checkPath(route.params));
    const service = this.findService(account, route.params);
    const body = route.takesBody ? this.readBody(route, request) : {};
    const outcome = HANDLERS[route.operationId](this.world, { service, params: route.params, body });
    this.prove(route.operationId, outcome, service.service.id, requestId);
    return this.options.nulls ? withNulls(outcome.result as Json) : outcome.result;
  }

  private authenticate({ authorization }: ApiRequest): Account {
    const account = accountOf(this.options.accounts, authorization);
    if (!account)
      throw new ApiError(401, "the API key is missing or wrong", {
        "www-authenticate": 'Basic realm="datapipes"',
      });
    const seconds = this.limiter.take(account.apiKeyId, this.world.clock.now());
    if (seconds !== undefined)
      throw new ApiError(429, `the rate limit is reached, try again in ${seconds} s`, {
        "x-ratelimit-reset": String(seconds),
        "retry-after": String(seconds),
      });
    return account;
  }

  /** Foreign services are as unknown as those that do not exist: nobody learns which ids are taken. */
  private findService(account: Account, params: Readonly<Record<string, string>>): StoredService {
    const organizationId = params["organizationId"]?.toLowerCase();
    const serviceId = params["serviceId"]?.toLowerCase() ?? "";
    if (account.organizationId.toLowerCase() !== organizationId)
      throw new ApiError(404, "there is no organization of this organizationId");
    const service = this.world.store.services.get(serviceId);
    if (
      service?.organizationId !== account.organizationId ||
      !account.serviceIds.includes(service.service.id)
    )
      throw new ApiError(404, "the organization has no service of this serviceId");
    return service;
  }

  private readBody({ operationId }: FoundRoute, request: ApiRequest): JsonObject {
    if (!/^application\/json\s*(;|$)/i.test(request.contentType ?? ""))
      throw new ApiError(415, "the content type must be application/json");
    if (request.body === undefined) throw new ApiError(413, "the body is over 10 MiB");
    const body = parseJson(request.body);
    if (!isObject(body)) throw new ApiError(400, "the body must be a JSON object");
    refuse(this.contract.checkBody(operationId, body));
    return body;
  }

  /** Every answer keeps the contract, or says where it does not. */
  private prove(
    operationId: OperationId,
    { documented, spelt }: Outcome,
    serviceId: string,
    requestId: string,
  ): void {
    if (documented === undefined) return;
    const envelope = { status: 200, requestId, result: documented };
    const complaints = this.contract.checkResponse(operationId, envelope);
    const behaviour = this.world.behaviour.of(serviceId);
    if (spelt !== undefined && !behaviour.isPlain) {
      const variant = variantOf(behaviour);
      complaints.push(...this.contract.checkResponse(operationId, { ...envelope, result: spelt }, variant));
    }
    const [first] = complaints;
    if (first !== undefined) throw new Error(`the answer of ${operationId} breaks the contract: ${first}`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own text quotes the body, which may hold a secret.
    throw new ApiError(400, "the body is not valid JSON");
  }
}

/** An answer with the error envelope. */
export function failure({ status, message, headers }: ApiError, requestId: string): ApiAnswer {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ status, error: message, requestId }),
    requestId,
  };
}
