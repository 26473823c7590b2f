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

const PASSWORD = secret("password");
const credentials = { username: "pg-user", password: PASSWORD };

const CONNECTION = `AccountName=demo;AccountKey=${encoded("account-key")};Sas=sv=1&sig=${encoded("sas")}`;
const objectStorage = {
  url: `https://u:${encoded("url-password")}@bucket.example/*.json`,
  connectionString: CONNECTION,
  accessKey: { accessKeyId: "storage-id", secretKey: STORAGE },
};
const STORAGE_BODY = { ...OBJECT_STORAGE, source: { objectStorage } };
const POSTGRES_BODY = { ...POSTGRES, source: { postgres: { ...POSTGRES.source.postgres, credentials } } };

/** The body with a canary of its own for each password and secret key. */
const withCanaries = <T>(body: T): T =>
  JSON.parse(JSON.stringify(body), (name, value: string) =>
    /^(password|secretKey)$/.test(name) ? secret(value) : value,
  ) as T;
const KAFKA_BODY = withCanaries(KAFKA);

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
  for (const body of [KAFKA_BODY, STORAGE_BODY, withCanaries(KINESIS), POSTGRES_BODY]) await create(body);
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
  await create({ ...KAFKA_BODY, Credentials: { password: MISPLACED } });
  await send(simulator, "POST", "/nowhere", { list: [{ secret_key: REPEATED }] });
  const destination = { database: Buffer.from(REPEATED).toString("base64") };
  await create({ ...POSTGRES_BODY, name: `name ${REPEATED}`, destination });
  await send(simulator, "GET", `${servicePath(simulator)}/pipes/${encodeURIComponent(REPEATED)}`);
  simulator.control.seedPipes([{ ...POSTGRES_BODY, name: PASSWORD }]);
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
  const source = { kafka: { credentials, apiToken: REPEATED } };
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
