import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AjvCustomizer, Document, Operation } from "openapi-backend";
import { OpenAPIBackend, OpenAPIValidator } from "openapi-backend";
import { parse } from "yaml";
import { complaints } from "./complaint";
import type { JsonObject } from "./json";
import { variantDefinition } from "./response-variant";

const DEFINITION = join(__dirname, "..", "openapi.yaml");

const SHOWN_DEFECTS = 10;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MINUTE_FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** Says nothing of a wrong form, which the pattern complains of; finds dates that do not exist. */
function isRealMinute(text: string): boolean {
  if (!MINUTE_FORM.test(text)) return true;
  const date = new Date(`${text}:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const AJV_OPTIONS = { allErrors: true, strict: false };

const isDateTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text));

const addFormats: AjvCustomizer = (ajv) => {
  ajv.addFormat("uuid", UUID);
  ajv.addFormat("minute-date-time", isRealMinute);
  ajv.addFormat("date-time", isDateTime);
  return ajv;
};

/** The operations of the contract; the last two stand outside the API's document. */
export const OPERATION_IDS = [
  "createPipe",
  "updatePipe",
  "listPipes",
  "getPipeSettings",
  "createReversePrivateEndpoint",
  "updateService",
  "listBackups",
  "deletePipe",
  "deleteReversePrivateEndpoint",
] as const;

/** The `operationId` of an operation in `openapi.yaml`. */
export type OperationId = (typeof OPERATION_IDS)[number];

/** What a method and a path mean. */
export type Route =
  | { found: "operation"; operationId: OperationId; params: Record<string, string>; takesBody: boolean }
  | { found: "no such path" }
  | { found: "no such method" };

/** `openapi.yaml`, compiled: routes requests, checks them, and checks responses. */
export class Contract {
  private readonly variants = new Map<string, OpenAPIValidator>();

  private constructor(private readonly backend: OpenAPIBackend) {}

  static async load(): Promise<Contract> {
    const definition = parse(readFileSync(DEFINITION, "utf8")) as Document;
    const backend = new OpenAPIBackend({
      definition,
      strict: true,
      // The document is ours: that it is valid is tested, not found out at every start.
      quick: true,
      ignoreTrailingSlashes: false,
      ajvOpts: AJV_OPTIONS,
      customizeAjv: addFormats,
    });
    await backend.init();
    return new Contract(backend);
  }

  /** What a method and a path mean; an operation that is not served is as one that does not exist. */
  route(method: string, path: string, served: (operation: OperationId) => boolean): Route {
    const request = { method, path, headers: {} };
    try {
      const operation = this.backend.router.matchOperation(request, true) as Operation;
      const operationId = operation.operationId as OperationId;
      if (!served(operationId)) return { found: "no such method" };
      const parsed = this.backend.router.parseRequest(request, operation);
      const params = parsed.params as Record<string, string>;
      return { found: "operation", operationId, params, takesBody: operation.requestBody !== undefined };
    } catch (error) {
      // A path with broken percent-encoding ends here too: nothing can be found under it.
      const isMethod = error instanceof Error && error.message.startsWith("405");
      return { found: isMethod ? "no such method" : "no such path" };
    }
  }

  /** What is wrong with the ids in a path. */
  checkPath(params: Readonly<Record<string, string>>): string[] {
    return Object.entries(params)
      .filter(([, value]) => !UUID.test(value))
      .map(([name]) => `${name} must be a UUID`);
  }

  /** What is wrong with a body, all of it. */
  checkBody(operationId: OperationId, body: JsonObject): string[] {
    // The first validator is the body's; calling it saves parsing a request that is parsed already.
    const [validate] = this.backend.validator.getRequestValidatorsForOperation(operationId);
    validate?.({ requestBody: body });
    return complaints(validate?.errors ?? []);
  }

  /** What is wrong with an answer of status 200, or with one in the shape of a variant. */
  checkResponse(operationId: OperationId, envelope: unknown, variant?: string): string[] {
    const validator = variant === undefined ? this.backend.validator : this.validatorOf(variant);
    const validate = validator.getStatusBasedResponseValidatorForOperation(operationId)["200"];
    validate?.(envelope);
    const errors = (validate?.errors ?? []).slice(0, SHOWN_DEFECTS);
    return complaints(errors.map((error) => ({ ...error, instancePath: `/response${error.instancePath}` })));
  }

  private validatorOf(variant: string): OpenAPIValidator {
    const known = this.variants.get(variant);
    if (known) return known;
    const validator = new OpenAPIValidator({
      definition: variantDefinition(this.backend.definition, variant),
      ajvOpts: AJV_OPTIONS,
      lazyCompileValidators: true,
      customizeAjv: addFormats,
    });
    this.variants.set(variant, validator);
    return validator;
  }
}

let contract: Promise<Contract> | undefined;

/** The one contract of this process: compiling it costs more than a whole simulator. */
export function loadContract(): Promise<Contract> {
  contract ??= Contract.load();
  return contract;
}
