import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import type { Profile } from "../../../simulator/src/index";
import { newSimulator } from "../../../testkit/simulator";
import { connect, counts } from "../../../testkit/connected";

const PIPE = {
  name: "orders",
  source: { objectStorage: { url: "https://account.example", path: "/in//2026/*.json", isContinuous: true } },
  destination: { table: "Orders" },
};

test.each<Profile>(["lower-case", "masked"])(
  "createPipe finds its own pipe after a lost answer of a service with the profile %s",
  async (profile) => {
    const simulator = await newSimulator();
    simulator.control.setBehaviour({ profiles: [profile] });
    const { client, scope } = connect(simulator);
    simulator.control.fault({ kind: "reset-after", operationId: "createPipe" });
    const { id } = await createPipe(client, scope, PIPE);
    expect(simulator.control.state().pipes.map((pipe) => pipe.id)).toEqual([id]);
    expect(counts(simulator)["createPipe"]).toBe(1);
  },
);
