import { pipeDefinition } from "../../../provider/src/resources/pipe/lifecycle";
import { stopSimulators } from "../../support/simulator";
import { online, up } from "../resources/online";

afterEach(stopSimulators);

const pipe = (topics: string) => ({
  name: "orders",
  source: { kafka: { brokers: "b:9092", topics } },
  destination: { database: "default", table: "orders" },
});

test("a pipe that was adopted once can be replaced: it is deleted, and another one is created in its place", async () => {
  const run = await online(pipeDefinition);
  const { simulator, lifecycle, lines } = run;
  const [seeded] = simulator.control.seedPipes([pipe("old")]);
  const program = (topics: string) => ({
    ...pipe(topics),
    adopt: (seeded?.id ?? "").toUpperCase(),
    deletionPolicy: "delete",
  });
  const before = await up(run, program("old"));
  expect(before.id).toBe(seeded?.id);

  const news = program("new");
  expect(lifecycle.check(before.outputs, news).failures).toEqual([]);
  expect(lifecycle.diff(before.id, before.outputs, news)).toMatchObject({ deleteBeforeReplace: true });
  lines.length = 0;
  await lifecycle.delete(before.id, before.outputs);
  const after = await up(run, news);

  expect(lines).toEqual([]);
  expect(after.id).not.toBe(before.id);
  expect(simulator.control.state().pipes.map(({ id }) => id)).toEqual([after.id]);
});
