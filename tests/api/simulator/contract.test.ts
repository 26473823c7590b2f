import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { contract } from "../../../simulator/src/contract";
import { DEFINITION, operationsOf } from "../../../simulator/src/definition";
import { HANDLERS } from "../../../simulator/src/handlers";
import { call, start, KAFKA } from "./client";

const TEXT = readFileSync(join(__dirname, "../../../simulator/openapi.yaml"), "utf8");

interface Operation {
  operationId: string;
  "x-outside-document"?: boolean;
  responses: Record<string, unknown>;
}

interface Definition {
  paths: Record<string, Record<string, Operation> & { parameters: unknown }>;
  components: Record<string, Record<string, object>>;
}

const { paths, components } = parse(TEXT) as Definition;

const operations = Object.values(paths).flatMap(({ parameters: _, ...path }) => Object.values(path));

/** Every object in a value, by its path. */
const objectsIn = (value: unknown, at = ""): [path: string, schema: Readonly<Record<string, unknown>>][] =>
  typeof value !== "object" || value === null
    ? []
    : [
        [at, value as Readonly<Record<string, unknown>>],
        ...Object.entries(value).flatMap(([name, inner]) => objectsIn(inner, `${at}/${name}`)),
      ];

describe("openapi.yaml", () => {
  test("describes every operation that is served, what each answers, and which the API's document lacks", () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(HANDLERS).sort());
    for (const { responses } of operations) expect(Object.keys(responses)).toEqual(["200", "default"]);
    const outside = operations.filter((operation) => operation["x-outside-document"] === true);
    expect(outside.map(({ operationId }) => operationId)).toEqual([
      "deletePipe",
      "deleteReversePrivateEndpoint",
    ]);
  });

  test("declares the parameters of every path, and has no missing and no unused component", () => {
    for (const [path, { parameters }] of Object.entries(paths))
      expect(parameters).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
          $ref: `#/components/parameters/${name}`,
        })),
      );
    const refs = [...TEXT.matchAll(/\$ref: "([^"]+)"/g)].map(([, ref]) => ref);
    const named = ["parameters", "responses", "schemas"].flatMap((kind) =>
      Object.keys(components[kind] ?? {}).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...new Set(refs)].sort()).toEqual(named.sort());
  });

  test("allows only the listed fields in every object that requests and answers carry", () => {
    const open = objectsIn(DEFINITION).filter(
      ([, schema]) => schema["type"] === "object" && schema["additionalProperties"] !== false,
    );
    expect(open).toEqual([]);
  });

  test("has no read-only field in a body, and no write-only field in an answer", () => {
    const having = (value: unknown, keyword: string): string[] =>
      objectsIn(value).flatMap(([path, schema]) => (keyword in schema ? [path] : []));
    expect(having(components, "writeOnly")).toContainEqual(expect.stringMatching("/validateSamples$"));
    for (const { body = {}, result } of Object.values(operationsOf(DEFINITION)))
      expect([having(body, "readOnly"), having(result, "writeOnly")]).toEqual([[], []]);
  });
});

test.each([
  [
    "the plain form",
    undefined,
    { source: { kafka: { credentials: {} } } },
    "source.kafka.credentials is not a field",
  ],
  ["the plain form", undefined, { destination: { roles: [] } }, "destination.roles is not a field"],
  ["the plain form", undefined, { extra: 1 }, "extra is not a field"],
  ["the plain form", undefined, { name: 1 }, "name must be string"],
  ["quantity", "quantity", { scaling: { replicaMemoryGb: 1 } }, "scaling.replicaMemoryGb must be string"],
  ["sparse", "sparse", {}, "source is not a field"],
  ["omit", "omit", { destination: { managedTable: null } }, "destination.managedTable must be boolean"],
] as const)("an answer in %s is checked, and a field that breaks its form is named", async (...row) => {
  const [, variant, change, named] = row;
  const simulator = await start();
  const [pipe] = simulator.control.seedPipes([KAFKA]);
  const envelope = { status: 200, requestId: simulator.account.organizationId };
  const check = (result: object, form?: string) =>
    contract.checkResponse(form === "sparse" ? "createPipe" : "updatePipe", { ...envelope, result }, form);
  expect(check({ ...pipe })).toEqual([]);
  expect(check({ ...pipe, ...change }, variant).join()).toContain(`result.${named}`);
});

test("a simulator that breaks the contract answers 500 and names the field", async () => {
  const simulator = await start();
  // No request can bring this about; a backup seeded by control is not marked as edited.
  simulator.control.seedBackups([{ sizeInBytes: "large" as unknown as number }]);
  const { status, envelope } = await call(simulator, "GET", "/backups");
  expect(status).toBe(500);
  expect(envelope.error).toContain("simulator defect: the answer of listBackups breaks the contract");
  expect(envelope.error).toContain("result[0].sizeInBytes must be number");
});
