import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { contract } from "../../../simulator/src/contract";
import { DEFINITION, operationsOf } from "../../../simulator/src/definition";
import { HANDLERS } from "../../../simulator/src/handlers";
import { KAFKA, call, start } from "./client";

const TEXT = readFileSync(join(__dirname, "../../../simulator/openapi.yaml"), "utf8");
const METHODS = ["get", "post", "patch", "delete"];

interface Operation {
  operationId: string;
  "x-outside-document"?: boolean;
  responses: Record<string, unknown>;
}

interface Definition {
  openapi: string;
  paths: Record<string, Record<string, unknown> & { parameters: { $ref: string }[] }>;
}

const definition = parse(TEXT) as Definition;

const operations = Object.values(definition.paths).flatMap((path) =>
  Object.entries(path)
    .filter(([method]) => METHODS.includes(method))
    .map(([, operation]) => operation as Operation),
);

function target(ref: string): unknown {
  return ref
    .slice("#/".length)
    .split("/")
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], definition);
}

describe("openapi.yaml", () => {
  test("describes every operation that is served, and what each answers", () => {
    expect(definition.openapi).toBe("3.1.0");
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(HANDLERS).sort());
    for (const { responses } of operations) expect(Object.keys(responses)).toEqual(["200", "default"]);
  });

  test("marks the operations that the API's document does not show, and only those", () => {
    const outside = operations.filter((operation) => operation["x-outside-document"] === true);
    expect(outside.map(({ operationId }) => operationId)).toEqual([
      "deletePipe",
      "deleteReversePrivateEndpoint",
    ]);
  });

  test("declares the parameters of every path", () => {
    for (const [path, { parameters }] of Object.entries(definition.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(
        ([, name]) => `#/components/parameters/${name ?? ""}`,
      );
      expect(parameters.map(({ $ref }) => $ref)).toEqual(named);
    }
  });

  test("has no missing and no unused component", () => {
    const refs = new Set([...TEXT.matchAll(/\$ref: "([^"]+)"/g)].map(([, ref]) => ref ?? ""));
    for (const ref of refs) expect([ref, typeof target(ref)]).toEqual([ref, "object"]);
    for (const kind of ["parameters", "responses", "schemas"])
      for (const name of Object.keys(target(`#/components/${kind}`) as object))
        expect(refs).toContain(`#/components/${kind}/${name}`);
  });

  test("allows only the listed fields in every object that requests and answers carry", () => {
    const open: string[] = [];
    const visit = (value: unknown, at: string): void => {
      if (typeof value !== "object" || value === null) return;
      const schema = value as Record<string, unknown>;
      if (schema["type"] === "object" && schema["additionalProperties"] !== false) open.push(at);
      for (const [name, inner] of Object.entries(schema)) visit(inner, `${at}/${name}`);
    };
    visit(DEFINITION, "");
    expect(open).toEqual([]);
  });

  test("has no read-only field in a body, and no write-only field in an answer", () => {
    const excluded = (value: object, keyword: string): string[] =>
      Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
        if (typeof inner !== "object" || inner === null) return [];
        return keyword in inner ? [name] : excluded(inner, keyword);
      });
    expect(excluded(definition, "writeOnly")).toContain("validateSamples");
    for (const { body = {}, result } of Object.values(operationsOf(DEFINITION)))
      expect([excluded(body, "readOnly"), excluded(result, "writeOnly")]).toEqual([[], []]);
  });
});

test.each([
  [
    "a credential",
    { source: { kafka: { credentials: {} } } },
    "result.source.kafka.credentials is not a field",
  ],
  ["roles", { destination: { roles: [] } }, "result.destination.roles is not a field"],
  ["an unknown field", { extra: 1 }, "result.extra is not a field"],
  ["a number for a name", { name: 1 }, "result.name must be string"],
])("a response with %s breaks the contract, which names the field", async (_what, change, named) => {
  const simulator = await start();
  const [pipe] = simulator.control.seedPipes([KAFKA]);
  const envelope = { status: 200, requestId: simulator.account.organizationId };
  expect(contract.checkResponse("updatePipe", { ...envelope, result: pipe })).toEqual([]);
  const broken = contract.checkResponse("updatePipe", { ...envelope, result: { ...pipe, ...change } });
  expect(broken.join()).toContain(named);
});

test.each([
  [
    "quantity",
    "updatePipe",
    { scaling: { replicaMemoryGb: 1 } },
    "result.scaling.replicaMemoryGb must be string",
  ],
  ["sparse", "createPipe", {}, "result.source is not a field"],
  [
    "omit",
    "updatePipe",
    { destination: { managedTable: null } },
    "result.destination.managedTable must be boolean",
  ],
] as const)(
  "an answer under the profile %s is checked in its own shape",
  async (variant, operation, change, named) => {
    const simulator = await start();
    const [pipe] = simulator.control.seedPipes([KAFKA]);
    const envelope = {
      status: 200,
      requestId: simulator.account.organizationId,
      result: { ...pipe, ...change },
    };
    expect(contract.checkResponse(operation, envelope, variant).join()).toContain(named);
  },
);

test("a simulator that breaks the contract answers 500 and names the field", async () => {
  const simulator = await start();
  // No request can bring this about; a backup seeded by control is not marked as edited.
  simulator.control.seedBackups([{ sizeInBytes: "large" as unknown as number }]);
  const { status, envelope } = await call(simulator, "GET", "/backups");
  expect(status).toBe(500);
  expect(envelope.error).toContain("simulator defect: the answer of listBackups breaks the contract");
  expect(envelope.error).toContain("result[0].sizeInBytes must be number");
});
