import fc from "fast-check";
import { codeOf, connectionProblem, NOT_RECEIVED, PERMANENT } from "../../../provider/src/api/error-codes";
import { isLoopback } from "../../../provider/src/api/loopback";
import * as operations from "../../../provider/src/api/operations";
import type { Operation } from "../../../provider/src/api/operations";
import { path } from "../../../provider/src/api/path";
import type { ConnectionProblem } from "../../../provider/src/errors";

const scope = { organizationId: "org", serviceId: "ser/vice" };
const service = "/v1/organizations/org/services/ser%2Fvice";
const edit = { ipAccessList: { add: [] } };

const PIPES = `${service}/pipes`;
const ENDPOINTS = `${service}/pipesReversePrivateEndpoints`;
const ANY = "any-failure";
const RATE_LIMIT = "rate-limit";
const UNRECEIVED = "not-received";
const LISTS = "list the pipes of service ser/vice";
const BACKUPS = "list the backups of service ser/vice";
const SETTINGS = "read the settings of pipe a/b";
const ENDPOINT = "reverse private endpoint";
const NAMED = { name: 'o"p' };
const {
  createPipe,
  createReversePrivateEndpoint: createEndpoint,
  deleteReversePrivateEndpoint: deleteEndpoint,
} = operations;
const endpoint = createEndpoint(scope, { description: undefined, ...edit });

type Row = [Operation, name: string, attempt: string, request: string, retryOn: string, body?: object];

const requests: readonly Row[] = [
  [createPipe(scope, NAMED), "createPipe", 'create pipe "o\\"p"', `POST ${PIPES}`, UNRECEIVED, NAMED],
  [createPipe(scope, {}), "createPipe", "create pipe", `POST ${PIPES}`, UNRECEIVED, {}],
  [
    operations.updatePipe(scope, "a/b", NAMED),
    "updatePipe",
    "update pipe a/b",
    `PATCH ${PIPES}/a%2Fb`,
    ANY,
    NAMED,
  ],
  [operations.listPipes(scope), "listPipes", LISTS, `GET ${PIPES}`, ANY],
  [operations.getPipeSettings(scope, "a/b"), "getPipeSettings", SETTINGS, `GET ${PIPES}/a%2Fb/settings`, ANY],
  [
    operations.updateService(scope, edit),
    "updateService",
    "update service ser/vice",
    `PATCH ${service}`,
    RATE_LIMIT,
    edit,
  ],
  [operations.listBackups(scope), "listBackups", BACKUPS, `GET ${service}/backups`, ANY],
  [operations.deletePipe(scope, "a/b"), "deletePipe", "delete pipe a/b", `DELETE ${PIPES}/a%2Fb`, ANY],
  [endpoint, "createReversePrivateEndpoint", `create ${ENDPOINT}`, `POST ${ENDPOINTS}`, RATE_LIMIT, edit],
  [
    deleteEndpoint(scope, "a/b"),
    "deleteReversePrivateEndpoint",
    `delete ${ENDPOINT} a/b`,
    `DELETE ${ENDPOINTS}/a%2Fb`,
    ANY,
  ],
];

test.each(requests.map((row) => ({ attempt: row[2], row })))("sends this request to $attempt", ({ row }) => {
  const [operation, name, attempt, request, retryOn, body] = row;
  const [method, address] = request.split(" ");
  expect(operation).toEqual({ name, attempt, method, path: address, retryOn, ...(body && { body }) });
});

test.each<[unknown, retryOn: Operation["retryOn"]]>([
  [{}, ANY],
  [{ name: "add", source: { kafka: null, list: ["remove"] } }, ANY],
  [undefined, ANY],
  [{ ipAccessList: { remove: [] }, name: "x" }, RATE_LIMIT],
  [{ ipAccessList: { add: [] }, name: "x" }, RATE_LIMIT],
  [{ source: { postgres: { tableMappingsToAdd: [], host: "h" } } }, RATE_LIMIT],
  [{ source: { postgres: { tableMappingsToRemove: [], host: "h" } } }, RATE_LIMIT],
  [{ transparentDataEncryptionKeyId: "k", name: "x" }, RATE_LIMIT],
])("retries an update of %j on %s", (body, retryOn) => {
  expect(operations.updatePipe(scope, "p", body).retryOn).toBe(retryOn);
  expect(operations.updateService(scope, body).retryOn).toBe(retryOn);
});

const [PIPE, OTHERS] = ["pipes/…", "pipesReversePrivateEndpoints"].map(
  (name) => `…/services/ser%2Fvice/${name}`,
);
const LONG = { description: "d".repeat(41) };

const named: readonly [Operation, attempt: string, line: string][] = [
  [operations.updatePipe(scope, "a1", {}, "orders"), 'update pipe "orders" (a1)', `PATCH ${PIPE}`],
  [operations.deletePipe(scope, "a1", "orders"), 'delete pipe "orders" (a1)', `DELETE ${PIPE}`],
  [operations.updatePipe(scope, "a1", {}, ""), "update pipe a1", `PATCH ${PIPE}`],
  [createEndpoint(scope, LONG), `create ${ENDPOINT} "${"d".repeat(40)}…"`, `POST ${OTHERS}`],
  [deleteEndpoint(scope, "e1", "to it"), `delete ${ENDPOINT} "to it" (e1)`, `DELETE ${OTHERS}/…`],
];

test.each(named.map(([operation, attempt, line]) => ({ attempt, operation, line })))(
  "messages say $attempt, with the name where the provider knows it",
  ({ operation, attempt, line }) => {
    expect([operation.attempt, operations.requestLine(operation)]).toEqual([attempt, line]);
  },
);

test("the key of a service depends on both ids, and not on their case", () => {
  const keyOf = (organizationId: string, serviceId: string) =>
    operations.scopeKey({ organizationId, serviceId });
  expect(keyOf("A", "b")).toBe(keyOf("a", "B"));
  expect(keyOf("a", "c")).not.toBe(keyOf("a", "b"));
  expect(keyOf("c", "b")).not.toBe(keyOf("a", "b"));
});

test.each(["", ".", "..", "half a pair \ud800"])("%j is refused as an id", (id) => {
  expect(() => path`/a/${id}/b`).toThrow(/is not a valid id: the provider sent nothing/);
});

test("an id with any characters stays one segment of the path", () => {
  // fast-check's own binary strings take seconds.
  const characters = fc.array(fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code)));
  fc.assert(
    fc.property(
      characters.map((list) => list.join("")),
      (id) => {
        fc.pre(id !== "" && id !== "." && id !== ".." && id === Buffer.from(id).toString());
        const { pathname, search, hash } = new URL(path`/v1/x/${id}/y`, "https://api.example.com");
        const [, first, second, third, ...more] = pathname.split("/");
        expect([first, second, more, search, hash]).toEqual(["v1", "x", ["y"], "", ""]);
        expect(decodeURIComponent(third ?? "")).toBe(id);
      },
    ),
  );
});

test.each<[what: string, urls: string, expected: boolean]>([
  [
    "this machine",
    "http://127.0.0.1:8080 http://127.255.0.9/api http://127.1 https://[::1]:8443 http://[::ffff:127.0.0.1] " +
      "http://localhost:1 http://LOCALHOST. https://api.localhost",
    true,
  ],
  [
    "another machine",
    "https://api.example.com http://128.0.0.1 http://127.0.0.1.example.com http://localhost.example.com " +
      "http://mylocalhost http://[::2] http://[::ffff:128.0.0.1]",
    false,
  ],
])("recognizes the addresses of %s", (_, urls, expected) => {
  for (const url of urls.split(" ")) expect([url, isLoopback(url)]).toEqual([url, expected]);
});

test.each<[code: string, ...statuses: number[]]>([
  ["bad-request", 400, 413, 422],
  ["unauthorized", 401],
  ["forbidden", 403],
  ["not-found", 404],
  ["method-not-allowed", 405],
  ["conflict", 409],
  ["service-idle", 424],
  ["rate-limited", 429],
  ["server-error", 500, 599],
  ["unexpected-status", 301, 418],
])("the code %s is that of the status %d", (code, ...statuses) => {
  for (const status of statuses) expect([status, codeOf(status)]).toEqual([status, code]);
});

const UNSENT = { notReceived: true, permanent: false };
const WRONG = { notReceived: false, permanent: true };
const PERHAPS = { notReceived: false, permanent: false };
const CERTIFICATES = [
  "SELF_SIGNED_CERT_IN_CHAIN",
  "CERT_HAS_EXPIRED",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
];

test.each<[problem: ConnectionProblem, known: object, ...codes: string[]]>([
  ["host-not-found", UNSENT, "ENOTFOUND"],
  ["no-name-service", UNSENT, "EAI_AGAIN"],
  ["connection-refused", UNSENT, "ECONNREFUSED"],
  ["unreachable", UNSENT, "EHOSTUNREACH", "ENETUNREACH"],
  ["connection-reset", PERHAPS, "ECONNRESET", "ERR_BAD_RESPONSE"],
  ["not-reached-in-time", PERHAPS, "ETIMEDOUT"],
  ["no-answer-in-time", PERHAPS, "ECONNABORTED", "ERR_CANCELED"],
  ["certificate", { notReceived: true, permanent: true }, ...CERTIFICATES],
  ["tls", WRONG, "EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER"],
  ["not-http", PERHAPS, "HPE_INVALID_CONSTANT"],
  ["other", PERHAPS, "EWHATEVER", ""],
])(
  "the problem %s of a connection says whether the server got the request and a retry can help: %j",
  (...row) => {
    const [problem, known, ...codes] = row;
    for (const code of codes) expect([code, connectionProblem(code)]).toEqual([code, problem]);
    expect({ notReceived: NOT_RECEIVED.has(problem), permanent: PERMANENT.has(problem) }).toEqual(known);
  },
);
