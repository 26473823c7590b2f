import type { Simulator } from "../../../simulator/src/index";
import { answer, connect, type Connected } from "../../../testkit/connected";
import { newSimulator } from "../../../testkit/simulator";
import { CLIENT_OPERATIONS, existing, PIPE_ID } from "./every-operation";

let simulator: Simulator;
let api: Connected;

beforeAll(async () => {
  simulator = await newSimulator();
});
beforeEach(() => {
  simulator.control.reset();
  api = connect(simulator);
});

/** What an id of an answer cannot be. The last one is a mark of the engine. */
const NO_IDS = ["", 7, "=1/*xxxx", "$(id)", "../x", `${PIPE_ID}\n`, "04da6b54-80e4-46f7-96ec-b56ff0331ba9"];

/** All operations whose result has ids. That of a service is compared with the one that the request has. */
const rows = Object.entries(CLIENT_OPERATIONS).filter(
  ([, { operationId, result }]) =>
    result !== undefined && operationId !== "getPipeSettings" && operationId !== "updateService",
);

test.each(rows)(
  "%s takes no object whose id is not a UUID, and shows neither the id nor a secret",
  async (method, row) => {
    const { operationId, call, attempt, result } = row;
    const { apiKeySecret } = simulator.account;
    for (const wrong of NO_IDS) {
      const id = await existing(api, simulator, row);
      api.lines.length = 0;
      const unusable = { id: wrong, name: `${apiKeySecret} x`, backupName: apiKeySecret };
      const anyId: unknown = expect.any(typeof wrong === "string" ? String : Number);
      const returned = result === "a list" ? [{ id }, unusable] : unusable;
      simulator.control.fault({ operationId, ...answer(returned) });
      const outcome = await call(api, id).catch((error: unknown) => error as Error);
      const said = [...api.lines, outcome instanceof Error ? outcome.message : ""].join("\n");
      const hidden = [apiKeySecret, String(wrong)].filter((text) => text.length > 1);
      for (const text of hidden) expect(said).not.toContain(text);
      if (method === "listBackups") {
        expect(outcome).toEqual([{ id }]);
        expect(said).toContain(
          `${attempt}: left out what has an id that is not a UUID: "[left out: it repeats a secret]".`,
        );
      } else if (method === "listPipesWithIds")
        expect(outcome).toEqual({ pipes: [{ id }], others: [{ ...unusable, id: anyId }] });
      else
        expect(said).toMatch(
          /the result is an object (without an id|whose id is not a UUID): "\[left out: it repeats a secret\]"/,
        );
    }
  },
);

test("listBackups names three of the backups that it leaves out", async () => {
  const backups = [{}, ...["b", "c", "d", "e"].map((backupName) => ({ id: "x", backupName }))];
  simulator.control.fault({ operationId: "listBackups", ...answer(backups) });
  expect(await api.client.listBackups(api.scope)).toEqual([]);
  expect(api.lines).toEqual([
    expect.stringMatching(/an id that is not a UUID: one without a name, "b", "c" and 2 more\.$/),
  ]);
});
