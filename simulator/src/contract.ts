import type { AjvCustomizer, Document, Operation as RoutedOperation } from "openapi-backend";
import { OpenAPIRouter, OpenAPIValidator } from "openapi-backend";
import type { Operation } from "./definition";
import { DEFINITION, operationsOf } from "./definition";
import type { JsonObject } from "./json";
import type { OperationId } from "./models";
import { variantDefinition } from "./response-variant";
import { describeErrors } from "./validation-error";

const SHOWN_DEFECTS = 10;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);

const MINUTE_FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** Accepts a wrong form, which the pattern refuses; refuses dates that do not exist. */
function isRealMinute(text: string): boolean {
  if (!MINUTE_FORM.test(text)) return true;
  const date = new Date(`${text}:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const isDateTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text));

const addFormats: AjvCustomizer = (ajv) => {
  ajv.addFormat("uuid", UUID);
  ajv.addFormat("minute-date-time", isRealMinute);
  ajv.addFormat("date-time", isDateTime);
  return ajv;
};

/** What a method and a path mean. */
export type Route =
  | { found: "operation"; operationId: OperationId; params: Record<string, string> }
  | { found: "no such path" }
  | { found: "no such method" };

interface Compiled {
  operations: Record<OperationId, Operation>;
  validator: OpenAPIValidator;
}

function compile(definition: Document): Compiled {
  const validator = new OpenAPIValidator({
    definition,
    // With `verbose`, an error carries the schema that it comes from.
    ajvOpts: { allErrors: true, strict: false, verbose: true },
    lazyCompileValidators: true,
    customizeAjv: addFormats,
  });
  return { operations: operationsOf(definition), validator };
}

/** `openapi.yaml`: routes requests, checks them, and checks answers. */
class Contract {
  private readonly router = new OpenAPIRouter({ definition: DEFINITION, ignoreTrailingSlashes: false });
  private readonly plain = compile(DEFINITION);
  private readonly variants = new Map<string, Compiled>();

  get operationIds(): OperationId[] {
    return Object.keys(this.plain.operations) as OperationId[];
  }

  /** The schemas of an operation, or of one in a variant of its answers. */
  operation(operationId: OperationId, variant?: string): Operation {
    return this.compiled(variant).operations[operationId];
  }

  /** What a method and a path mean; an operation that is not served is like one that does not exist. */
  route(method: string, path: string, isServed: (operation: OperationId) => boolean): Route {
    const request = { method, path, headers: {} };
    try {
      const operation = this.router.matchOperation(request, true) as RoutedOperation;
      const operationId = operation.operationId as OperationId;
      if (!isServed(operationId)) return { found: "no such method" };
      const params = this.router.parseRequest(request, operation).params as Record<string, string>;
      return { found: "operation", operationId, params };
    } catch (error) {
      // A path with broken percent-encoding ends here too: nothing can be found under it.
      const isMethod = error instanceof Error && error.message.startsWith("405");
      return { found: isMethod ? "no such method" : "no such path" };
    }
  }

  /** The errors of the ids in a path. */
  checkPath(params: Readonly<Record<string, string>>): string[] {
    return Object.entries(params)
      .filter(([, value]) => !isUuid(value))
      .map(([name]) => `${name} must be a UUID`);
  }

  /** All errors of a body. */
  checkBody(operationId: OperationId, body: JsonObject): string[] {
    // The first validator is the body's; calling it saves parsing a request that is parsed already.
    const [validate] = this.plain.validator.getRequestValidatorsForOperation(operationId);
    validate?.({ requestBody: body });
    return describeErrors(validate?.errors ?? []);
  }

  /** The first errors of an answer of status 200, or of one in a variant. */
  checkResponse(operationId: OperationId, envelope: unknown, variant?: string): string[] {
    const { validator } = this.compiled(variant);
    const validate = validator.getStatusBasedResponseValidatorForOperation(operationId)["200"];
    validate?.(envelope);
    const errors = (validate?.errors ?? []).slice(0, SHOWN_DEFECTS);
    return describeErrors(
      errors.map((error) => ({ ...error, instancePath: `/response${error.instancePath}` })),
    );
  }

  private compiled(variant: string | undefined): Compiled {
    if (variant === undefined) return this.plain;
    const compiled = this.variants.get(variant) ?? compile(variantDefinition(variant));
    this.variants.set(variant, compiled);
    return compiled;
  }
}

/** The one contract of this process: compiling it costs more than a whole simulator. */
export const contract = new Contract();
