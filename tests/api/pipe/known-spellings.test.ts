import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import { minimal } from "../../../testkit/pipes";
import { takeWrites } from "../../../testkit/simulator";
import { online, up, type Deployed } from "../resources/online";

test("the state keeps a service's spelling through later updates, also with sparse answers", async () => {
  const run = await online(pipeDefinition, { profiles: ["sparse", "lower-case"] });
  const args = (name: string) => ({
    ...minimal.kafka,
    name,
    destination: { table: "Few", columns: [{ name: "Note", type: "String" }] },
    fieldMappings: [{ sourceField: "$.note", destinationField: "Note" }],
  });
  const refreshed = async ({ id, outputs }: Deployed): Promise<Deployed> => ({
    id,
    outputs: (await run.lifecycle.read(id, outputs))?.outputs ?? {},
  });
  let pipe = await refreshed(await up(run, args("a")));
  // Nothing reads the pipe between the update that meets the spelling and the next one.
  pipe = await up(run, args("a"), pipe);
  takeWrites(run.simulator);
  for (const name of ["b", "c"]) {
    pipe = await refreshed(await up(run, args(name), pipe));
    pipe = await refreshed(await up(run, args(name), pipe));
    expect(takeWrites(run.simulator).map(({ body }) => body)).toEqual([{ name }]);
  }
});
