import { systemClock } from "../../../provider/src/api/http/clock";
import { reversePrivateEndpointDefinition } from "../../../provider/src/resources/reverse-private-endpoint/definition";
import type { FaultKind, Simulator } from "../../../simulator/src/index";
import { answer, newSimulator } from "../../kit/simulator";
import { connect, failureOf, type Connection } from "../../kit/client";
import { Runs, up } from "../../kit/run";
import { minimal } from "../../kit/pipes";
import { CLIENT_OPERATIONS, existing, PIPE_ID, type ClientOperation } from "./every-operation";

let simulator: Simulator;
let api: Connection;

beforeAll(async () => {
  simulator = await newSimulator();
});
beforeEach(() => {
  simulator.control.reset();
  api = connect(simulator);
});

const ALL = Object.values(CLIENT_OPERATIONS);
/** The operations whose results have these members. */
const returning = (...members: string[]) =>
  ALL.filter(({ returns = {} }) => members.every((member) => member in returns));
const LISTS = returning("items");
const OBJECTS = ALL.filter((row) => row.returns !== undefined && !LISTS.includes(row));
const WITH_ID = returning("id", "serviceId");
const OF_A_SERVICE = [...LISTS, ...returning("id")];

const OTHER = "0a1b2c3d-0000-4000-8000-00000000beef";
/** What an id of an answer cannot be. The last one is a mark of the engine. */
const NO_IDS = ["", 7, "=1/*xxxx", "$(id)", "../x", `${PIPE_ID}\n`];

/** The message of a call whose answer has this result. */
async function messageAfter(returned: unknown, row: ClientOperation): Promise<string> {
  const id = await existing(api, simulator, row);
  simulator.control.fault({ operationId: row.operationId, ...answer(returned) });
  const { code, message } = await failureOf(row.call(api, id));
  expect(code).toBe("invalid-response");
  return message.replace(row.attempt.replace("{id}", id), "");
}

const invalid = (what: string) =>
  ` failed: the server returned 200 (request r), but the result ${what}. Check that datapipes:baseUrl is the address of the API itself.`;

describe.each(LISTS)("$operationId", (row) => {
  test.each([{}, "text"])("refuses %j, which is no list", async (returned) => {
    expect(await messageAfter(returned, row)).toBe(invalid("is not a list"));
  });

  test.each(NO_IDS)("leaves out an object with the ID %j, and shows neither it nor a secret", async (id) => {
    const { apiKeySecret } = simulator.account;
    const unusable = { id, name: `${apiKeySecret} x`, backupName: apiKeySecret };
    simulator.control.fault({ operationId: row.operationId, ...answer([{ id: PIPE_ID }, unusable]) });
    expect(await row.call(api, PIPE_ID)).toEqual({
      items: [{ id: PIPE_ID }],
      leftOut: [{ ...unusable, id: expect.anything() as unknown }],
      isComplete: false,
    });
    expect(api.lines).toEqual([
      expect.stringMatching(
        /^warning: list the \w+ of service \S+: the provider ignores objects whose ID is missing or not a UUID: "\[secret\]( x)?"\.$/,
      ),
    ]);
  });
});

describe.each(OBJECTS)("$operationId", (row) => {
  test.each([[], "text", null])("refuses %j, which is no object", async (returned) => {
    expect(await messageAfter(returned, row)).toBe(invalid("is not an object"));
  });
});

test.each(OF_A_SERVICE)("$operationId refuses an object of another service", async (row) => {
  const other = { id: OTHER, serviceId: OTHER };
  const returned = LISTS.includes(row) ? [other] : other;
  expect(await messageAfter(returned, row)).toBe(invalid("belongs to another service"));
});

describe.each(WITH_ID)("$operationId", (row) => {
  test.each(NO_IDS)("refuses an object with the ID %j, and shows neither it nor a secret", async (id) => {
    const returned = { id, name: simulator.account.apiKeySecret };
    expect(await messageAfter(returned, row)).toBe(invalid("has no ID that is a UUID"));
  });
});

test("listBackups names three of the backups that it leaves out", async () => {
  const backups = [{}, ...["b", "c", "d", "e"].map((backupName) => ({ id: "x", backupName }))];
  simulator.control.fault({ operationId: "listBackups", ...answer(backups) });
  expect((await api.client.listBackups(api.scope)).items).toEqual([]);
  expect(api.lines).toEqual([
    expect.stringMatching(/whose ID is missing or not a UUID: one without a name, "b", "c" and 2 more\.$/),
  ]);
});

test("getPipeSettings returns undefined for a pipe without settings", async () => {
  const pipe = await api.client.createPipe(api.scope, { name: "p", ...minimal.postgres });
  expect(await api.client.getPipeSettings(api.scope, pipe.id)).toBeUndefined();
});

test.each<[what: string, fault: FaultKind, says: string]>([
  ["a 500", { kind: "status", status: 500 }, "returned 500"],
  [
    "a gateway's page with 404, which says nothing of the pipe",
    { kind: "html", status: 404 },
    "returned 404",
  ],
])("getPipeSettings fails after %s", async (_, fault, says) => {
  simulator.control.fault({ operationId: "getPipeSettings", ...fault });
  await expect(api.client.getPipeSettings(api.scope, PIPE_ID)).rejects.toThrow(says);
});

test("a result with the id in another case is accepted, and one of another pipe is refused", async () => {
  const update = (result: object) => {
    simulator.control.fault({ operationId: "updatePipe", ...answer(result) });
    return api.client.updatePipe(api.scope, PIPE_ID, { name: "x" });
  };
  const upper = { id: PIPE_ID.toUpperCase(), serviceId: api.scope.serviceId.toUpperCase() };
  expect(await update(upper)).toMatchObject({ id: upper.id });
  const { message } = await failureOf(update({ id: PIPE_ID.replace("ee", "ff") }));
  expect(message).toContain("but the result has another ID.");
});

describe("a successful answer", () => {
  const listing = (fault: FaultKind) => {
    simulator.control.fault({ operationId: "listPipes", ...fault });
    return api.client.listPipes(api.scope);
  };
  const novel = { id: PIPE_ID, state: "Dreaming", source: null, settings: null, novelty: { a: [1] } };

  test("may be null instead of a list", async () => {
    expect(await listing(answer(null))).toEqual({ items: [], leftOut: [], isComplete: false });
  });

  test.each<[what: string, fault: FaultKind, items: object[]]>([
    ["hold unknown fields, values and nulls", answer([novel]), [novel]],
    ["have another status", answer([], 201), []],
    ["have another content type", { kind: "wrong-content-type", contentType: "text/html" }, []],
    ["come slowly", { kind: "slow-body", ms: 30 }, []],
  ])("may %s", async (_, fault, items) => {
    expect(await listing(fault)).toEqual({ items, leftOut: [], isComplete: true });
  });

  test.each([null, "noise"])(
    "is refused when it lists %j: leaving that out would hide a pipe",
    async (element) => {
      expect((await failureOf(listing(answer([{ id: PIPE_ID }, element])))).code).toBe("invalid-response");
    },
  );
});

test("deleteReversePrivateEndpoint whose answer is lost says that the endpoint may be gone", async () => {
  const run = new Runs(reversePrivateEndpointDefinition, simulator, systemClock);
  const endpoint = { description: "to a service", type: "VPC_ENDPOINT_SERVICE", deletionPolicy: "delete" };
  const { id, outputs } = await up(run, endpoint);
  simulator.control.fault({ operationId: "deleteReversePrivateEndpoint", kind: "reset-after" });
  const { message } = await failureOf(run.lifecycle.delete(id, outputs));
  expect(message).toContain(
    "The API may have deleted it. The provider cannot check: the API cannot read endpoints. Run the same command again: it repeats the deletion.",
  );
  expect(simulator.control.state().endpoints).toEqual([]);
});
