import { expectNoChanges } from "./expectations";
import type { JsonObject } from "../kit/json";
import { pipeInOwnTable } from "../kit/pipes";
import { type Simulator, pipeNamed, takeWrites } from "../kit/simulator";
import { type TestStack, deployStack } from "../kit/stack";

const topics = "source.kafka.topics";
const allowAndDelete = { replacementPolicy: "allow", deletionPolicy: "delete" };

const differing = (service: string, program: string): string =>
  `${topics} cannot be changed in place: the service has "${service}", the program declares "${program}".`;

/** A program of pipes, each with the values and options of its changes. */
function programOf(changes: Record<string, [values: JsonObject, options?: string]> = {}): string {
  const deletionPolicy = "delete";
  const unchanged = { orders: { deletionPolicy }, renamed: {}, leader: allowAndDelete, follower: {} };
  return Object.entries<JsonObject>(unchanged)
    .map(([name, values]) => {
      const [changed = {}, options] = changes[name] ?? [];
      return `const ${name} = ${pipeInOwnTable(name, { ...values, ...changed }, options)}`;
    })
    .join("");
}

const other = { [topics]: "other" };

describe("without replacementPolicy", () => {
  let simulator: Simulator;
  let stack: TestStack;

  beforeAll(async () => {
    ({ simulator, stack } = await deployStack(programOf()));
    takeWrites(simulator);
  });

  // Each in a program of its own, because the engine stops at the first failure. `unit/pipe/replacement` has all fields.
  test.each<[what: string, changes: Parameters<typeof programOf>[0], refusal: string | RegExp]>([
    ["of a field", { orders: [other] }, differing("orders", "other")],
    [
      "with replaceOnChanges",
      { renamed: [{ name: "renamed 2" }, '{ replaceOnChanges: ["name"] }'] },
      /name changed, so Pulumi would replace the pipe \(replaceOnChanges, or a replacement /,
    ],
    [
      "with replaceWith",
      { leader: [other], follower: [{}, "{ replaceWith: [leader] }"] },
      /would replace the pipe, because of .*replaceWith, /,
    ],
  ])("a preview refuses a change %s, and names the remedy", async (_, changes, refusal) => {
    await stack.write(programOf(changes));
    const { output } = await stack.preview({ expectFailure: true });
    expect(output).toMatch(refusal);
    expect(output).toContain('replacementPolicy: "allow"');
  });

  test("a preview refuses another service in the configuration", async () => {
    // The others may be replaced: which of the errors the engine shows first is not certain.
    await stack.write(pipeInOwnTable("orders", { deletionPolicy: "delete" }));
    await stack.setConfig({ serviceId: "0a1b2c3d-0000-4000-8000-0000000000dd" });
    const { output } = await stack.preview({ expectFailure: "either" });
    await stack.setConfig({ serviceId: simulator.account.serviceIds[0] ?? "" });
    expect(output).toContain("serviceId cannot be changed in place");
  });

  test("`up` without a preview refuses a change, and sends nothing", async () => {
    await stack.write(programOf({ orders: [other] }));
    const { output } = await stack.up({ expectFailure: true });
    expect(output).toContain(differing("orders", "other"));
    expect(takeWrites(simulator)).toEqual([]);
  });

  test("drift is refused with both values, and the remedies of the errors work", async () => {
    await stack.write(programOf());
    // The first read after a write shows how the service writes the values; what comes after it is drift.
    await stack.refresh({ flags: ["--expect-no-changes"] });
    simulator.control.editPipe(pipeNamed(simulator, "orders").id, {
      source: { kafka: { topics: "theirs" } },
    });
    const { output } = await stack.up({ expectFailure: true, flags: ["--refresh"] });
    expect(output).toContain(differing("theirs", "orders"));
    expect(output).toMatch(/Declare what the service has.* or set replacementPolicy: "allow"/);
    expect(takeWrites(simulator)).toEqual([]);

    await stack.write(programOf({ orders: [{ [topics]: "theirs" }], renamed: [{ name: "renamed 2" }] }));
    await stack.up({ flags: ["--refresh"] });
    const path = `/pipes/${pipeNamed(simulator, "renamed 2").id}`;
    expect(takeWrites(simulator)).toEqual([{ method: "PATCH", path, body: { name: "renamed 2" } }]);
    await expectNoChanges(stack);
  });
});
