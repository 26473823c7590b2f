import { DEFAULT_ACCOUNT, type Fault, type Simulator } from "../../../simulator/src/index";
import { canary, leaks } from "../../../testkit/canary";
import { servicePath } from "../../../testkit/simulator";
import { KAFKA, KINESIS, OBJECT_STORAGE, POSTGRES, basic, call, send, start } from "./client";

const KEY = canary("api-key");
const OTHER_KEY = canary("other-key");
const STORAGE = canary("storage");
const REPEATED = canary("repeated");
const MISPLACED = canary("misplaced");

const SECRETS = [KEY, OTHER_KEY, STORAGE, REPEATED, MISPLACED];
/** A canary that no page may show. */
const secret = (name: string): string => {
  SECRETS.push(canary(name));
  return canary(name);
};
const encoded = (name: string): string => encodeURIComponent(secret(name));

const user = (name: string, password = secret(name)) => ({ username: `${name}-user`, password });

const CONNECTION = `AccountName=demo;AccountKey=${encoded("account-key")};Sas=sv=1&sig=${encoded("sas")}`;
const schemaRegistry = { url: "https://r.example", credentials: user("registry") };
const kafka = { ...KAFKA.source.kafka, credentials: user("kafka"), schemaRegistry };
const objectStorage = {
  url: `https://u:${encoded("url-password")}@bucket.example/*.json`,
  connectionString: CONNECTION,
  accessKey: { accessKeyId: "storage-id", secretKey: STORAGE },
};
const accessKey = { accessKeyId: "kinesis-id", secretKey: secret("kinesis") };
const postgres = { ...POSTGRES.source.postgres, credentials: user("pg") };

const KAFKA_BODY = { ...KAFKA, source: { kafka } };
const STORAGE_BODY = { ...OBJECT_STORAGE, source: { objectStorage } };
const KINESIS_BODY = { ...KINESIS, source: { kinesis: { ...KINESIS.source.kinesis, accessKey } } };
const POSTGRES_BODY = { ...POSTGRES, source: { postgres } };

let simulator: Simulator;
beforeEach(async () => {
  const account = { ...DEFAULT_ACCOUNT, apiKeyId: "key-id", apiKeySecret: KEY };
  simulator = await start({ ui: true, accounts: [account] });
});

const create = (body: unknown, extra = {}) => call(simulator, "POST", "/pipes", body, extra);

/** Every text that the page can load, none of which shows a secret in any encoding. */
async function pageTexts(...more: string[]): Promise<Record<string, string>> {
  const { pipes, endpoints, services } = simulator.control.state();
  const paths = [
    "",
    ...Object.entries({ pipes, endpoints, services }).flatMap(([kind, all]) =>
      all.map(({ id }) => `/${kind}/${id}`),
    ),
    ...simulator.control.requests().map(({ sequence }) => `/requests/${sequence}`),
  ];
  const texts: Record<string, string> = {};
  for (const path of paths) texts[path] = await (await fetch(`${simulator.url}/ui/data${path}`)).text();
  expect(leaks(texts, [...SECRETS, ...more])).toEqual([]);
  return texts;
}

test("shows no secret of a request, a pipe or a credential in any encoding", async () => {
  for (const body of [KAFKA_BODY, STORAGE_BODY, KINESIS_BODY, POSTGRES_BODY]) await create(body);
  expect(simulator.control.state().pipes).toHaveLength(4);
  await call(simulator, "GET", "/pipes");
  const texts = await pageTexts(basic("key-id", KEY));
  expect(JSON.parse(texts["/requests/1"] ?? "")).toMatchObject({
    body: { source: { kafka: { topics: "orders", credentials: "[secret]" } } },
  });
  expect(Object.values(texts).join("")).not.toMatch(/loader-role|storage-id|pg-user/);
  expect(texts["/requests/2"]).toContain('"connectionString":"[secret]"');
});

test("masks a secret that a mistake put into the wrong place, and the same value elsewhere", async () => {
  await create({ ...KAFKA_BODY, Credentials: user("x", MISPLACED) });
  await send(simulator, "POST", "/nowhere", { list: [{ secret_key: REPEATED }] });
  const destination = { database: Buffer.from(REPEATED).toString("base64") };
  await create({ ...POSTGRES_BODY, name: `name ${REPEATED}`, destination });
  await send(simulator, "GET", `${servicePath(simulator)}/pipes/${encodeURIComponent(REPEATED)}`);
  simulator.control.seedPipes([{ ...POSTGRES_BODY, name: postgres.credentials.password }]);
  expect((await pageTexts())[""]).toContain('"name":"name [secret]"');
});

test("shows no secret in an answer of a fault, nor the credential of a wrong key", async () => {
  const headers = { authorization: basic("key-id", OTHER_KEY) };
  const echo: Fault = { operationId: "*", kind: "echo", withAuthorization: true };
  const faults: Fault[] = [
    echo,
    { operationId: "*", kind: "bad-json", processed: true },
    { operationId: "*", kind: "status", status: 400, body: `text with ${STORAGE}` },
    { operationId: "*", kind: "status", status: 400, body: { error: JSON.stringify(STORAGE_BODY) } },
    { operationId: "*", kind: "html", processed: true },
  ];
  for (const fault of faults) {
    simulator.control.fault(fault);
    await create(STORAGE_BODY, fault === echo ? { headers } : {});
  }
  simulator.control.fault(echo);
  await create(undefined, { headers, raw: `{"password": "${MISPLACED}` });
  await call(simulator, "GET", "/pipes", undefined, { headers });
  const pending = { error: STORAGE, headers: { authorization: OTHER_KEY } };
  simulator.control.fault({ operationId: "*", kind: "status", status: 500, body: pending });
  const texts = await pageTexts(basic("key-id", OTHER_KEY).slice("Basic ".length));
  expect(Object.values(texts).join("")).not.toContain("Basic ");
  expect(texts["/requests/1"]).toContain("(not shown: the text repeats the request)");
  expect(texts["/requests/5"]).toContain("Gateway Time-out");
});

test("masks what control has edited", async () => {
  const [pipe] = simulator.control.seedPipes([KAFKA_BODY]);
  const source = { kafka: { credentials: user("kafka"), apiToken: REPEATED } };
  simulator.control.editPipe(pipe?.id ?? "", { source, note: REPEATED });
  const connection = { connection_string: CONNECTION };
  simulator.control.editService(simulator.account.serviceIds[0] ?? "", { connection });
  await pageTexts();
});

test("masks the secrets of a fault's body in its texts, while the fault is pending and in the answer", async () => {
  const body = { status: 500, password: secret("fault-body"), error: `it said ${canary("fault-body")}` };
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, body });
  expect((await pageTexts())[""]).toContain("it said [secret]");
  await call(simulator, "GET", "/pipes");
  expect((await pageTexts())["/requests/1"]).toContain("it said [secret]");
});
