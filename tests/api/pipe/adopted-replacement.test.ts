import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import { type SeedPipe } from "../../../testkit/simulator";
import { online, up, type Online } from "../resources/online";

const pipe = (topics: string): SeedPipe => ({
  name: "orders",
  source: { kafka: { brokers: "b:9092", topics } },
  destination: { database: "default", table: "orders" },
});

const pipesOf = ({ simulator }: Online): string[] => simulator.control.state().pipes.map(({ id }) => id);

describe.each([
  ["retain", 3],
  ["delete", 1],
])("with deletionPolicy %s", (deletionPolicy, left) => {
  test("each replacement of an adopted pipe creates a new pipe, without a warning about adopt", async () => {
    const run = await online(pipeDefinition);
    const [seeded] = run.simulator.control.seedPipes([pipe("first")]);
    const adopt = (seeded?.id ?? "").toUpperCase();
    const program = (topics: string) => ({
      ...pipe(topics),
      adopt,
      deletionPolicy,
      replacementPolicy: "allow",
    });
    const adopted = await up(run, program("first"));
    expect(adopted.id).toBe(seeded?.id);

    const second = await up(run, program("second"), adopted);
    expect(pipesOf(run)).toContain(second.id);
    expect(second.id).not.toBe(adopted.id);

    const third = await up(run, program("third"), second);
    expect(new Set([adopted.id, second.id, third.id]).size).toBe(3);
    expect(pipesOf(run)).toHaveLength(left);
    expect(pipesOf(run)).toContain(third.id);

    run.lines.length = 0;
    expect(await up(run, program("third"), third)).toBe(third);
    expect(run.lines).toEqual([]);
  });
});
