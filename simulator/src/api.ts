import type { Account } from "./account";
import { accountOf } from "./account";
import { ApiError } from "./api-error";
import type { Route } from "./contract";
import { contract } from "./contract";
import { withNulls } from "./fill";
import type { Context, Outcome } from "./handlers";
import { HANDLERS, refuse } from "./handlers";
import type { Json, JsonObject } from "./json";
import { parseBody, requireJsonType } from "./json-body";
import type { OperationId } from "./models";
import type { RateLimiter } from "./rate-limit";
import { variantOf } from "./response-variant";
import type { StoredService } from "./service";

/** A request with its whole body. */
export interface ApiRequest {
  method: string;
  path: string;
  authorization: string | undefined;
  contentType: string | undefined;
  /** Undefined when it is over the limit, or the key is unknown. */
  body: string | undefined;
}

/** An answer. */
export interface ApiAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  requestId: string;
}

/** Options of the API. */
export interface ApiOptions {
  accounts: readonly Account[];
  deletes: boolean;
  nulls: boolean;
  rateLimitHeaders: boolean;
}

/** The management API without a socket. */
export class Api {
  constructor(
    private readonly context: Context,
    private readonly limiter: RateLimiter,
    private readonly options: ApiOptions,
  ) {}

  route(method: string, path: string): Route {
    const isDeletion = (operation: OperationId): boolean => operation.startsWith("delete");
    return contract.route(method, path, (operation) => this.options.deletes || !isDeletion(operation));
  }

  /** Whether the header names an account. The body of any other request is not kept. */
  isAuthorized(authorization: string | undefined): boolean {
    return accountOf(this.options.accounts, authorization) !== undefined;
  }

  answer(request: ApiRequest, requestId: string): ApiAnswer {
    try {
      return answer({ status: 200, requestId, result: this.perform(request, requestId) });
    } catch (error) {
      if (error instanceof ApiError) return failure(error, requestId);
      const text = error instanceof Error ? error.message : String(error);
      return failure(new ApiError(500, `simulator defect: ${text}`), requestId);
    }
  }

  private perform(request: ApiRequest, requestId: string): unknown {
    const route = this.route(request.method, request.path);
    if (route.found === "no such path") throw new ApiError(404, "there is no such path");
    if (route.found === "no such method") throw new ApiError(405, "the path does not know this method");
    const account = this.authenticate(request);
    const { operationId, params } = route;
    refuse(contract.checkPath(params));
    const service = this.findService(account, params);
    const body = contract.operation(operationId).body ? this.readBody(operationId, request) : {};
    const outcome = HANDLERS[operationId](this.context, { service, params, body });
    const variant = variantOf(this.context.behaviour.of(service.service.id));
    this.checkOutcome(operationId, outcome, variant, requestId);
    if (!this.options.nulls) return outcome.result;
    return withNulls(outcome.result as Json, contract.operation(operationId, variant).result);
  }

  private authenticate({ authorization }: ApiRequest): Account {
    const account = accountOf(this.options.accounts, authorization);
    if (!account)
      throw new ApiError(401, "the API key is missing or wrong", {
        "www-authenticate": 'Basic realm="datapipes"',
      });
    const seconds = this.limiter.take(account.apiKeyId, this.context.clock.now());
    if (seconds !== undefined)
      throw this.options.rateLimitHeaders
        ? rateLimitError(String(seconds))
        : new ApiError(429, "the rate limit is reached");
    return account;
  }

  /** Services of others answer like services that do not exist, so that no answer shows which ids are taken. */
  private findService(account: Account, params: Readonly<Record<string, string>>): StoredService {
    const organizationId = params["organizationId"]?.toLowerCase();
    const serviceId = params["serviceId"]?.toLowerCase() ?? "";
    if (account.organizationId.toLowerCase() !== organizationId)
      throw new ApiError(404, "there is no organization with this organizationId");
    const service = this.context.store.services.get(serviceId);
    if (
      service?.organizationId !== account.organizationId ||
      !account.serviceIds.includes(service.service.id)
    )
      throw new ApiError(404, "the organization has no service with this serviceId");
    return service;
  }

  private readBody(operationId: OperationId, request: ApiRequest): JsonObject {
    requireJsonType(request.contentType);
    const body = parseBody(request.body);
    refuse(contract.checkBody(operationId, body));
    return body;
  }

  /** An answer that breaks the contract is a defect of the simulator. */
  private checkOutcome(
    operationId: OperationId,
    { documented, formatted }: Outcome,
    variant: string | undefined,
    requestId: string,
  ): void {
    if (documented === undefined) return;
    const check = (result: unknown, shape?: string): string[] =>
      contract.checkResponse(operationId, { status: 200, requestId, result }, shape);
    const [error] = [...check(documented), ...(formatted === undefined ? [] : check(formatted, variant))];
    if (error !== undefined) throw new Error(`the answer of ${operationId} breaks the contract: ${error}`);
  }
}

const rateLimitError = (seconds: string): ApiError =>
  new ApiError(429, `the rate limit is reached, try again in ${seconds} s`, {
    "x-ratelimit-reset": seconds,
    "retry-after": seconds,
  });

interface Envelope {
  status: number;
  requestId: string;
  result?: unknown;
  error?: string;
}

function answer(envelope: Envelope): ApiAnswer {
  const { status, requestId } = envelope;
  const headers = { "content-type": "application/json" };
  return { status, headers, body: JSON.stringify(envelope), requestId };
}

/** An answer with the error envelope. */
export function failure({ status, message, headers }: ApiError, requestId: string): ApiAnswer {
  const failed = answer({ status, error: message, requestId });
  return { ...failed, headers: { ...failed.headers, ...headers } };
}
