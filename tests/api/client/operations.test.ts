import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import type { Simulator } from "../../../simulator/src/index";
import { complete, creationBody, type SourceKind } from "../../../testkit/pipes";
import { newSimulator } from "../../../testkit/simulator";
import { InstantClock } from "../../../testkit/instant-clock";
import { answer, connect, counts, failureOf, latest, PIPE, type Connected } from "../../../testkit/connected";
import { endpointsOf } from "../../../testkit/endpoints";
import { rendered } from "../../../testkit/rendered";

let simulator: Simulator;
let api: Connected;

beforeEach(async () => {
  simulator = await newSimulator();
  api = connect(simulator);
});
const servicePath = (): string =>
  `/v1/organizations/${api.scope.organizationId}/services/${api.scope.serviceId}`;

const endpoint = { description: "to a service", type: "VPC_ENDPOINT_SERVICE" };

function seeded(name = "seeded"): string {
  const [pipe] = simulator.control.seedPipes([{ ...PIPE, name, settings: {} }]);
  return pipe?.id ?? "";
}

test("createPipe sends settings in snake_case and returns them in camelCase", async () => {
  const pipe = await createPipe(api.client, api.scope, PIPE);
  expect(latest(simulator)).toMatchObject({
    method: "POST",
    path: `${servicePath()}/pipes`,
    status: 200,
    body: { ...PIPE, settings: { dbms_max_threads: 4, object_storage_use_cluster_function: true } },
  });
  expect(pipe).toMatchObject({
    name: "orders",
    settings: { dbmsMaxThreads: 4 },
    serviceId: api.scope.serviceId,
  });
  expect(JSON.stringify(pipe)).not.toContain("dbms_max_threads");
  expect(simulator.control.state().pipes.map(({ id }) => id)).toEqual([pipe.id]);
});

test.each(["kafka", "objectStorage", "kinesis", "postgres"] satisfies SourceKind[])(
  "createPipe sends a complete %s pipe to the last field",
  async (kind) => {
    await createPipe(api.client, api.scope, { name: kind, ...complete[kind] });
    expect(latest(simulator).body).toEqual(creationBody(kind, complete[kind]));
  },
);

test("updatePipe patches the pipe with the body and nothing else", async () => {
  const id = seeded();
  const pipe = await api.client.updatePipe(api.scope, id, {
    name: "renamed",
    settings: { dbmsMaxThreads: 2 },
  });
  expect(latest(simulator)).toMatchObject({
    method: "PATCH",
    path: `${servicePath()}/pipes/${id}`,
    body: { name: "renamed", settings: { dbms_max_threads: 2 } },
  });
  expect(pipe).toMatchObject({ id, name: "renamed", settings: { dbmsMaxThreads: 2 } });
});

test("listPipes returns all pipes, with their settings in camelCase", async () => {
  const ids = [seeded("a"), seeded("b")];
  const pipes = await api.client.listPipes(api.scope);
  expect(latest(simulator)).toMatchObject({ method: "GET", path: `${servicePath()}/pipes`, body: null });
  expect(pipes.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(pipes[0]).toHaveProperty("settings.dbmsMaxThreads");
});

test("getPipeSettings returns the settings in camelCase", async () => {
  const id = seeded();
  const settings = await api.client.getPipeSettings(api.scope, id);
  expect(latest(simulator)).toMatchObject({
    method: "GET",
    path: `${servicePath()}/pipes/${id}/settings`,
    body: null,
  });
  expect(settings).toHaveProperty("streamingMaxInsertWaitMs");
  expect(JSON.stringify(settings)).not.toContain("_");
});

test("getPipeSettings returns undefined for a pipe without settings", async () => {
  const pipe = await createPipe(api.client, api.scope, { name: "p", ...complete.postgres });
  expect(await api.client.getPipeSettings(api.scope, pipe.id)).toBeUndefined();
});

test("deletePipe deletes the pipe", async () => {
  const id = seeded();
  await api.client.deletePipe(api.scope, id);
  expect(latest(simulator)).toMatchObject({
    method: "DELETE",
    path: `${servicePath()}/pipes/${id}`,
    body: null,
  });
  expect(simulator.control.state().pipes).toEqual([]);
});

test.each(["", "{}", '{"status":200,"requestId":"r"}'])(
  "deletePipe accepts the body %j as a success",
  async (body) => {
    simulator.control.fault({ operationId: "deletePipe", kind: "status", status: 200, body });
    await expect(api.client.deletePipe(api.scope, seeded())).resolves.toBeUndefined();
  },
);

test("every request sends Accept and User-Agent, and a content type only with a body", async () => {
  await api.client.listPipes(api.scope);
  expect(latest(simulator).headers).toMatchObject({
    accept: "application/json",
    "user-agent": "pulumi-datapipes/test",
  });
  expect(latest(simulator).headers).not.toHaveProperty("content-type");
  await createPipe(api.client, api.scope, PIPE);
  expect(latest(simulator).contentType).toBe("application/json");
});

test("the credential encodes key id and secret, whatever characters the secret has", async () => {
  const apiKeySecret = 'p:ss "wörd"/+=%';
  const strict = await newSimulator({ accounts: [{ ...simulator.account, apiKeySecret }] });
  const { client, scope } = connect(strict);
  await expect(client.listPipes(scope)).resolves.toEqual([]);
  const wrong = connect(strict, { apiKeySecret: `${apiKeySecret}x` });
  await expect(wrong.client.listPipes(scope)).rejects.toThrow(/returned 401/);
});

test("a base URL may have a path", async () => {
  const { client, scope } = connect(simulator, { baseUrl: `${simulator.url}/under/here` });
  await expect(client.listPipes(scope)).rejects.toThrow();
  expect(latest(simulator).path).toBe(`/under/here${servicePath()}/pipes`);
});

describe("a successful answer", () => {
  const answering = (result: unknown, status?: number): void => {
    simulator.control.fault({ operationId: "listPipes", ...answer(result, status) });
  };

  test("may hold null instead of an empty list", async () => {
    answering(null);
    expect(await api.client.listPipes(api.scope)).toEqual([]);
  });

  test("may hold unknown fields, values and nulls", async () => {
    const pipe = { id: "x", state: "Dreaming", source: null, settings: null, novelty: { a: [1] } };
    answering([pipe]);
    expect(await api.client.listPipes(api.scope)).toEqual([pipe]);
  });

  test.each<[what: string, element: unknown, says?: string]>([
    ["nothing", null],
    ["a text", "noise"],
    ["an object without an id", { name: "orders" }],
    ["an empty id", { id: "" }, "succeeded, but the result is an object without an id"],
    ["a pipe of another service", { id: "y", serviceId: "0a1b2c3d-0000-4000-8000-00000000beef" }],
  ])("is refused when it lists %s: leaving that out would hide a pipe", async (...[, element, says = ""]) => {
    answering([{ id: "x" }, element]);
    const { code, message } = await failureOf(api.client.listPipes(api.scope));
    expect(code).toBe("invalid-response");
    expect(message).toContain(says);
  });

  test("may come as another content type", async () => {
    seeded();
    const contentType = "text/html";
    simulator.control.fault({ operationId: "listPipes", kind: "wrong-content-type", contentType });
    expect(await api.client.listPipes(api.scope)).toHaveLength(1);
  });

  test("may arrive in small parts", async () => {
    seeded();
    simulator.control.fault({ operationId: "listPipes", kind: "slow-body", ms: 30 });
    expect(await api.client.listPipes(api.scope)).toHaveLength(1);
  });

  test("may have another status of success", async () => {
    answering([], 201);
    expect(await api.client.listPipes(api.scope)).toEqual([]);
  });
});

test("an id is encoded into its place in the path", async () => {
  await expect(api.client.updatePipe(api.scope, "../../x?y#z", {})).rejects.toThrow();
  expect(latest(simulator).path).toBe(`${servicePath()}/pipes/..%2F..%2Fx%3Fy%23z`);
  await expect(api.client.updatePipe(api.scope, "..", {})).rejects.toMatchObject({
    code: "invalid-argument",
  });
  expect(counts(simulator)).toEqual({ updatePipe: 1 });
});

test("getPipeSettings fails for every error but 404", async () => {
  simulator.control.fault({ operationId: "getPipeSettings", kind: "status", status: 500 });
  await expect(api.client.getPipeSettings(api.scope, seeded())).rejects.toThrow(/returned 500/);
});

test.each(["", "x y", "../x", "a_b", "x".repeat(65), "\u00e9"])(
  "createPipe refuses the id %j, and looks for the pipe in the list",
  async (id) => {
    simulator.control.fault({ operationId: "createPipe", ...answer({ ...PIPE, id }), processed: true });
    const pipe = await createPipe(connect(simulator, { clock: new InstantClock() }).client, api.scope, PIPE);
    expect(simulator.control.state().pipes.map((present) => present.id)).toEqual([pipe.id]);
  },
);

test("an error of updatePipe and of deletePipe names the pipe where its name is known", async () => {
  for (const operationId of ["updatePipe", "deletePipe"] as const)
    simulator.control.fault({ operationId, kind: "status", status: 400 });
  await expect(api.client.updatePipe(api.scope, "a1", { name: "new" }, "orders")).rejects.toThrow(
    /^update pipe "orders" \(a1\) failed: PATCH …\/services\/\S+\/pipes\/… returned 400/,
  );
  await expect(api.client.deletePipe(api.scope, "a1", "orders")).rejects.toThrow(
    /^delete pipe "orders" \(a1\) failed: DELETE …\/services\/\S+\/pipes\/… returned 400/,
  );
});

test("listBackups makes the texts of the server printable, at every depth", async () => {
  const backup = {
    id: "b\r\n1",
    backupName: "night\tly\u001b[31m",
    bucket: { bucketPath: "a\nb" },
    sizeInBytes: 7,
  };
  simulator.control.fault({ operationId: "listBackups", ...answer([backup]) });
  expect(await api.client.listBackups(api.scope)).toEqual([
    { id: "b 1", backupName: "night ly [31m", bucket: { bucketPath: "a b" }, sizeInBytes: 7 },
  ]);
});

test("deleteReversePrivateEndpoint deletes the endpoint", async () => {
  const { id } = await endpointsOf(api).create(endpoint.description);
  await endpointsOf(api).delete(id);
  expect(simulator.control.state().endpoints).toEqual([]);
});

test("deleteReversePrivateEndpoint says that the endpoint may be gone and what to do when the answer is lost", async () => {
  const { id } = await endpointsOf(api).create(endpoint.description);
  simulator.control.fault({ operationId: "deleteReversePrivateEndpoint", kind: "reset-after" });
  await expect(rendered(endpointsOf(api).delete(id))).rejects.toThrow(
    "The API may have deleted it, but has no operation that reads endpoints. The next run repeats the request.",
  );
});

test("deleteReversePrivateEndpoint reports only the refusal when the service refuses it", async () => {
  simulator.control.fault({ operationId: "deleteReversePrivateEndpoint", kind: "status", status: 403 });
  const deletion = rendered(endpointsOf(api).delete("e"));
  await expect(deletion).rejects.toThrow(/returned 403/);
  await expect(deletion).rejects.not.toThrow(/may have deleted/);
});
