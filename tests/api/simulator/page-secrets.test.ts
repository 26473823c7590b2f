import { DEFAULT_ACCOUNT, type Fault, type Simulator } from "../../../simulator/src/index";
import { canary, leaks } from "../../../testkit/canary";
import { KAFKA, KINESIS, OBJECT_STORAGE, POSTGRES, basic, call, send, servicePath, start } from "./client";

const SECRET = {
  kafka: canary("kafka"),
  registry: canary("registry"),
  storage: canary("storage"),
  kinesis: canary("kinesis"),
  postgres: canary("postgres"),
  "account-key": canary("account-key"),
  sas: canary("sas"),
  "url-password": canary("url-password"),
  misplaced: canary("misplaced"),
  repeated: canary("repeated"),
  "api-key": canary("api-key"),
  "other-key": canary("other-key"),
};
const CANARIES = Object.values(SECRET);

const user = (name: string, password: string) => ({ username: `${name}-user`, password });

const CONNECTION = `AccountName=demo;AccountKey=${encodeURIComponent(SECRET["account-key"])};Sas=sv=1&sig=${encodeURIComponent(SECRET.sas)}`;
const schemaRegistry = { url: "https://r.example", credentials: user("registry", SECRET.registry) };
const KAFKA_BODY = {
  ...KAFKA,
  source: { kafka: { ...KAFKA.source.kafka, credentials: user("kafka", SECRET.kafka), schemaRegistry } },
};
const STORAGE_BODY = {
  ...OBJECT_STORAGE,
  source: {
    objectStorage: {
      url: `https://u:${encodeURIComponent(SECRET["url-password"])}@bucket.example/*.json`,
      connectionString: CONNECTION,
      accessKey: { accessKeyId: "storage-id", secretKey: SECRET.storage },
    },
  },
};
const accessKey = { accessKeyId: "kinesis-id", secretKey: SECRET.kinesis };
const KINESIS_BODY = { ...KINESIS, source: { kinesis: { ...KINESIS.source.kinesis, accessKey } } };
const POSTGRES_BODY = {
  ...POSTGRES,
  source: { postgres: { ...POSTGRES.source.postgres, credentials: user("pg", SECRET.postgres) } },
};

/** Every text that the page can load. */
async function pageTexts(simulator: Simulator): Promise<Record<string, string>> {
  const load = async (path: string): Promise<string> =>
    (await fetch(`${simulator.url}/ui/data${path}`)).text();
  const { pipes, endpoints, services } = simulator.control.state();
  const paths = [
    "",
    ...pipes.map(({ id }) => `/pipes/${id}`),
    ...endpoints.map(({ id }) => `/endpoints/${id}`),
    ...services.map(({ id }) => `/services/${id}`),
    ...simulator.control.requests().map(({ sequence }) => `/requests/${sequence}`),
  ];
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await load(path)] as const)));
}

const startWithKey = (): Promise<Simulator> =>
  start({
    ui: true,
    accounts: [{ ...DEFAULT_ACCOUNT, apiKeyId: "key-id", apiKeySecret: SECRET["api-key"] }],
  });

test("shows no secret of a request, a pipe or a credential in any encoding", async () => {
  const simulator = await startWithKey();
  for (const body of [KAFKA_BODY, STORAGE_BODY, KINESIS_BODY, POSTGRES_BODY])
    await call(simulator, "POST", "/pipes", body);
  expect(simulator.control.state().pipes).toHaveLength(4);
  await call(simulator, "GET", "/pipes");
  const texts = await pageTexts(simulator);
  expect(leaks(texts, [...CANARIES, basic("key-id", SECRET["api-key"])])).toEqual([]);
  expect(JSON.parse(texts["/requests/1"] ?? "")).toMatchObject({
    body: { source: { kafka: { topics: "orders", credentials: "[secret]" } } },
  });
  expect(Object.values(texts).join("")).not.toMatch(/loader-role|storage-id|pg-user/);
  expect(texts["/requests/2"]).toContain('"connectionString":"[secret]"');
});

test("masks a secret that a mistake put into the wrong place, and the same value elsewhere", async () => {
  const simulator = await startWithKey();
  await call(simulator, "POST", "/pipes", { ...KAFKA_BODY, Credentials: user("x", SECRET.misplaced) });
  await send(simulator, "POST", "/nowhere", { list: [{ secret_key: SECRET.repeated }] });
  await call(simulator, "POST", "/pipes", {
    ...POSTGRES_BODY,
    name: `name ${SECRET.repeated}`,
    destination: { database: Buffer.from(SECRET.repeated).toString("base64") },
  });
  const path = `${servicePath(simulator)}/pipes/${encodeURIComponent(SECRET.repeated)}`;
  await send(simulator, "GET", path);
  simulator.control.seedPipes([{ ...POSTGRES_BODY, name: SECRET.postgres }]);
  const texts = await pageTexts(simulator);
  expect(leaks(texts, CANARIES)).toEqual([]);
  expect(texts[""]).toContain('"name":"name [secret]"');
});

test("shows no secret in an answer of a fault, nor the credential of a wrong key", async () => {
  const simulator = await startWithKey();
  const headers = { authorization: basic("key-id", SECRET["other-key"]) };
  const faults: Fault[] = [
    { operationId: "*", kind: "echo", withAuthorization: true },
    { operationId: "*", kind: "bad-json", processed: true },
    { operationId: "*", kind: "status", status: 400, body: `text with ${SECRET.storage}` },
    { operationId: "*", kind: "status", status: 400, body: { error: JSON.stringify(STORAGE_BODY) } },
    { operationId: "*", kind: "html", processed: true },
  ];
  for (const fault of faults) {
    simulator.control.fault(fault);
    await call(simulator, "POST", "/pipes", STORAGE_BODY, fault.kind === "echo" ? { headers } : {});
  }
  simulator.control.fault({ operationId: "*", kind: "echo", withAuthorization: true });
  await call(simulator, "POST", "/pipes", undefined, { headers, raw: `{"password": "${SECRET.misplaced}` });
  await call(simulator, "GET", "/pipes", undefined, { headers });
  const pending = { error: SECRET.storage, headers: { authorization: SECRET["other-key"] } };
  simulator.control.fault({ operationId: "*", kind: "status", status: 500, body: pending });
  const texts = await pageTexts(simulator);
  const wrong = [basic("key-id", SECRET["other-key"]).slice("Basic ".length)];
  expect(leaks(texts, [...CANARIES, ...wrong])).toEqual([]);
  expect(Object.values(texts).join("")).not.toContain("Basic ");
  expect(texts["/requests/1"]).toContain("(not shown: the text repeats the request)");
  expect(texts["/requests/5"]).toContain("Gateway Time-out");
});

test("masks what control has edited", async () => {
  const simulator = await startWithKey();
  const [pipe] = simulator.control.seedPipes([KAFKA_BODY]);
  simulator.control.editPipe(pipe?.id ?? "", {
    source: { kafka: { credentials: user("x", SECRET.kafka), apiToken: SECRET.repeated } },
    note: SECRET.repeated,
  });
  simulator.control.editService(simulator.account.serviceIds[0] ?? "", {
    connection: { connection_string: CONNECTION },
  });
  expect(leaks(await pageTexts(simulator), CANARIES)).toEqual([]);
});

test("masks the secrets of a fault's body in its texts, while the fault is pending and in the answer", async () => {
  const secret = canary("fault-body");
  const simulator = await start({ ui: true });
  const body = { status: 500, password: secret, error: `it said ${secret}` };
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, body });
  const shown = async (path: string): Promise<string> =>
    (await fetch(`${simulator.url}/ui/data${path}`)).text();
  const pending = await shown("");
  expect(pending).toContain("it said [secret]");
  await call(simulator, "GET", "/pipes");
  const answer = await shown("/requests/1");
  expect(answer).toContain("it said [secret]");
  expect(leaks({ pending, answer }, [secret])).toEqual([]);
});
