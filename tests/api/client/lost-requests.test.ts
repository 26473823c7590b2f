import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import type { Simulator } from "../../../simulator/src/index";
import { newSimulator } from "../../../testkit/simulator";
import { InstantClock } from "../../../testkit/instant-clock";
import { connect, counts, failureOf, PIPE, type Connected } from "../../../testkit/connected";

let simulator: Simulator;
let api: Connected;

beforeEach(async () => {
  simulator = await newSimulator();
  api = connect(simulator, { clock: new InstantClock(), maxRetries: 2 });
});
const create = (name = "orders") => createPipe(api.client, api.scope, { ...PIPE, name });
const posts = (): number => counts(simulator)["createPipe"] ?? 0;
const ids = (): string[] => simulator.control.state().pipes.map(({ id }) => id);

describe("a create whose request is lost again and again", () => {
  test("is not sent without end", async () => {
    simulator.control.fault({ operationId: "createPipe", kind: "reset-before", times: 99 });
    expect((await failureOf(create())).code).toBe("connection");
    expect(posts()).toBe(3);
    expect(ids()).toEqual([]);
  });

  test("never takes a pipe that was there before", async () => {
    const [old] = simulator.control.seedPipes([{ ...PIPE, settings: {} }]);
    simulator.control.fault({ operationId: "createPipe", kind: "reset-before" });
    const { id } = await create();
    expect(id).not.toBe(old?.id);
    expect(ids().sort()).toEqual([old?.id, id].sort());
  });
});
