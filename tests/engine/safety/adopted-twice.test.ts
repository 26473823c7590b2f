import { seed } from "../../../testkit/imported";
import { minimal, withValue, type JsonObject } from "../../../testkit/pipes";
import { newSimulator, takeWrites } from "../../../testkit/simulator";
import { newStack } from "../../../testkit/stack";
import { programOf, type Declaration } from "./program";

const onTable = (table: string): JsonObject => withValue(minimal.kafka, "destination.table", table);

const pipe = (name: string, table: string, more: JsonObject = {}, provided = false): Declaration => ({
  kind: "Pipe",
  name,
  args: { ...onTable(table), name: table, deletionPolicy: "delete", ...more },
  options: { provided },
});

test("a preview refuses two resources that adopt one pipe, and what one of them holds outlives the other", async () => {
  const simulator = await newSimulator();
  const tables = ["adopted", "free"];
  const seeded = simulator.control.seedPipes(tables.map((table) => seed(table, onTable(table))));
  const [adopted = "", free = ""] = seeded.map(({ id }) => id);
  const held = [pipe("creator", "created"), pipe("adopter", "adopted", { adopt: adopted })];
  const stack = await newStack({ simulator, program: programOf(held) });
  await stack.up();
  const created = (await stack.export()).named("creator").id ?? "";
  takeWrites(simulator);

  const first = pipe("first", "free", { adopt: free });
  const second = { adopt: free.toUpperCase() };
  const pairs: Record<string, Declaration[]> = {
    "two new resources": [first, pipe("second", "free", { ...second, deletionPolicy: "retain" })],
    "resources of two providers": [first, pipe("second", "free", second, true)],
    "a new one beside the one that adopted it": [pipe("first", "adopted", { adopt: adopted.toUpperCase() })],
  };
  const violations: string[] = [];
  for (const [name, adopting] of Object.entries(pairs)) {
    await stack.write(programOf([...adopting, ...held]));
    const { code, output } = await stack.preview({ expectFailure: "either" });
    const [one = "", other = "adopter"] = adopting.map((resource) => resource.name);
    if (code === 0) violations.push(`${name}: the preview accepts it`);
    else if (!output.includes(one) || !output.includes(other))
      violations.push(`${name}: the failure does not name both:\n${output}`);
  }
  expect(violations.join("\n")).toBe("");

  const steady = [pipe("creator", "created"), pipe("adopter", "adopted")];
  const adopting = [
    pipe("second-of-created", "created", { adopt: created }),
    pipe("second-of-adopted", "adopted", { adopt: adopted }),
  ];
  await stack.write(programOf([...steady, ...adopting]));
  const accepted = await stack.up({ expectFailure: "either" });
  // The engine comes to the four resources in any order; the error names both that want the pipe.
  if (accepted.code !== 0) expect(accepted.output).toMatch(/second-of-(created|adopted)/);
  await stack.write(programOf(steady));
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  const left = simulator.control.state().pipes.map(({ id }) => id);
  expect(left.sort()).toEqual([adopted, created, free].sort());
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});
