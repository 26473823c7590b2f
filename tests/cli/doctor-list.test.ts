import { canary, leaks } from "../kit/canary";
import type { Diagnosis } from "../kit/doctor";
import { accountOf, answer, newSimulator, type Simulator } from "../kit/simulator";
import { expectBad, newFolder } from "./doctor";

const secret = canary("key-secret");
const account = { ...accountOf(1), apiKeyId: "key-id-1234", apiKeySecret: secret };
const otherId = "0a1b2c3d-0000-4000-8000-0000000000ff";

let simulator: Simulator;
let folder: Awaited<ReturnType<typeof newFolder>>;

beforeAll(async () => {
  // One for all tests of this file: `endStarted` runs after the last of them.
  simulator = await newSimulator({ accounts: [account] });
  folder = await newFolder(simulator);
});

beforeEach(() => {
  simulator.control.clearFaults();
  simulator.control.clearRequests();
});

/** The failed list is the only bad finding, after at most one request; no text controls a terminal or has the secret. */
function expectFailedList(diagnosis: Diagnosis, message: RegExp, fix: RegExp): void {
  expectBad(diagnosis, ["listPipes failed", message, fix]);
  expect(simulator.control.requests().length).toBeLessThanOrEqual(1);
  const { output } = diagnosis.run;
  expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
  expect(leaks({ output }, [secret])).toEqual([]);
}

type OfAnyOperation<T> = T extends unknown ? Omit<T, "operationId"> : never;
type Fault = OfAnyOperation<Parameters<Simulator["control"]["fault"]>[0]>;

const EVIL = "\u001b[2J\u001b]0;t\u0007\r\n\u009b\u202e\u2028";
const BASE_URL = /^export DATAPIPES_BASE_URL=<value>$/;
const SECRET = /^read -rs DATAPIPES_API_KEY_SECRET && export DATAPIPES_API_KEY_SECRET$/;
const SERVICE_ID = /^export DATAPIPES_SERVICE_ID=<value>$/;

test.each<[what: string, fault: Fault, message: RegExp, fix: RegExp]>([
  ["a page of a console", { kind: "html", status: 200 }, /an HTML page/, BASE_URL],
  ["null in place of a list", answer(null), /null in place of a list/, /^Run the command again/],
  ["a list of other objects", answer([{ title: "x" }]), /1 of 1 element .* no ID that is a UUID/, BASE_URL],
  ["a refused key", { kind: "status", status: 401 }, /not swapped/, SECRET],
  [
    "a reached rate limit",
    { kind: "rate-limit", resetSeconds: 86_400 },
    /429.* The API asks the provider to wait 86400 s\./,
    /lower datapipes:rateLimit/,
  ],
  [
    "words that control a terminal",
    { kind: "status", status: 400, body: { error: EVIL } },
    /400/,
    /Fix the problem/,
  ],
  ["an echoed key", { kind: "echo", withAuthorization: true }, /400/, /./],
  [
    "an API that does not answer",
    { kind: "hang" },
    /no response within 5 s/,
    /^Raise datapipes:requestTimeoutSeconds/,
  ],
])("%s fails with one finding after one request", async (_, fault, message, fix) => {
  simulator.control.fault({ ...fault, operationId: "listPipes" });
  expectFailedList(await folder.diagnose({ DATAPIPES_REQUEST_TIMEOUT_SECONDS: "5" }), message, fix);
  expect(simulator.control.requests()).toHaveLength(1);
});

test.each<[what: string, setting: string, value: string, message: RegExp, fix: RegExp]>([
  ["TLS where there is none", "BASE_URL", "https://<simulator>", /no response/, /TLS handshake failed/],
  ["an unknown service", "SERVICE_ID", otherId, /organizationId and serviceId/, SERVICE_ID],
  ["a key of another organization", "ORGANIZATION_ID", otherId, /organizationId and serviceId/, SERVICE_ID],
])("%s is named with the setting to change", async (_, setting, value, message, fix) => {
  const text = value.replace("<simulator>", new URL(simulator.url).host);
  expectFailedList(await folder.diagnose({ [`DATAPIPES_${setting}`]: text }), message, fix);
});

test("an unknown key is not shown whole: it may be the secret in the wrong place", async () => {
  const swapped = { DATAPIPES_API_KEY_ID: secret, DATAPIPES_API_KEY_SECRET: account.apiKeyId };
  expectFailedList(await folder.diagnose(swapped), /401.*not swapped/, SECRET);
});
