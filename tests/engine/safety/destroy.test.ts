import { DEFAULT_ACCOUNT } from "../../../simulator/src/index";
import { mapValues, withValue, type JsonObject } from "../../kit/json";
import { minimal, pipesProgram } from "../../kit/pipes";
import { errorsOf } from "../messages";
import { nameIn, previewOf } from "../plan";
import { newSimulator, takeWrites, writes, type Simulator } from "../../kit/simulator";
import { isNative } from "../../kit/program";
import { deployStack } from "../../kit/stack";

const serviceAt = (index: number): string =>
  `0a1b2c3d-0000-4000-8000-${index.toString(16).padStart(12, "0")}`;

/** Pipes to delete, each in a service of its own; with a status where the API answers the DELETE with it, though the pipe exists. */
const deletable: Record<string, number | undefined> = {
  deleted: undefined,
  gone: undefined,
  "gone-with-service": undefined,
  "not-found": 404,
  "not-allowed": 405,
  forbidden: 403,
};
const names = Object.keys(deletable);
const refused = names.filter((name) => deletable[name] !== undefined);
const serviceOf = (name: string): string => serviceAt(0x2001 + names.indexOf(name));

const pipe = (name: string, deletionPolicy: string): JsonObject => ({
  ...minimal.kafka,
  serviceId: serviceOf(name),
  deletionPolicy,
});

/** The policy of the first is the default, and that of the second is known only when the program runs. */
const kept = ["kept", "unknown-policy"];
const program = `
  ${pipesProgram({ kept: minimal.kafka, ...mapValues(deletable, (_, name) => pipe(name, "delete")) })}
  const deletionPolicy = pulumi.output("retain");
  const unknown = ${JSON.stringify(withValue(minimal.kafka, "destination.table", "unknown"))};
  new datapipes.Pipe("unknown-policy", { ...unknown, deletionPolicy });`;

const present = ({ control }: Simulator): string[] =>
  control
    .state()
    .pipes.map(({ name }) => name)
    .sort();

/** A stack whose pipes, services and permissions other clients have changed since the first run. */
async function deployDeletable() {
  const serviceIds = [serviceAt(1), ...names.map(serviceOf)];
  const simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
  const { control } = simulator;
  const { stack } = await deployStack(program, { simulator, config: { maxRetries: "0" } });
  const state = await stack.export();
  const idOf = (name: string): string => state.named(name).id ?? "";
  // A list needs some time after a create to show a pipe.
  control.advance(120);
  control.deletePipe(idOf("gone"));
  control.deleteService(serviceOf("gone-with-service"));
  for (const name of refused) {
    const answer = { kind: "status", status: deletable[name] ?? 0, times: "always" } as const;
    control.fault({ operationId: "deletePipe", serviceId: serviceOf(name), ...answer });
  }
  return { simulator, stack, idOf };
}

test("destroy deletes only what it may and keeps in state what it could not delete", async () => {
  const { simulator, stack, idOf } = await deployDeletable();
  const { steps } = previewOf(await stack.pulumi(["destroy", "--preview-only", "--json"]));
  for (const name of [...kept, ...names]) {
    const { op, retains } = steps.find(({ urn }) => nameIn(urn) === name) ?? {};
    expect({ name, op }).toEqual({ name, op: "delete" });
    // Only the classes of dynamic resources tell the engine.
    expect({ name, retains }).toEqual({ name, retains: isNative ? undefined : name === "kept" });
  }
  simulator.control.clearRequests();
  const run = await stack.destroy({ flags: ["--continue-on-error"], expectFailure: true });
  const sent = writes(simulator).map(({ method, path }) => `${method} ${path.split("/").at(-1)}`);
  expect(sent.sort()).toEqual(names.map((name) => `DELETE ${idOf(name)}`).sort());
  const errors = errorsOf(run);
  expect([...kept, ...names].filter((name) => errors.has(name))).toEqual(refused);
  for (const name of refused) {
    expect(errors.get(name)).toContain(idOf(name));
    expect(errors.get(name)).toContain('"retain"');
    expect(errors.get(name)).toMatch(new RegExp(`returned ${deletable[name]}\\b`));
  }
  expect(present(simulator)).toEqual([...kept, ...refused].sort());
  const held = (await stack.export()).ofType("Pipe").map(({ urn }) => nameIn(urn));
  expect(held.sort()).toEqual(refused.toSorted());
  expect(run.output).toMatch(new RegExp(`${idOf("unknown-policy")}.*keeps running`));

  // The next steps that the errors name: retain the pipe, or run it again when the service has recovered.
  const next = { "not-found": "retain", "not-allowed": "delete", forbidden: "retain" };
  await stack.write(pipesProgram(mapValues(next, (policy, name) => pipe(name, policy))));
  takeWrites(simulator);
  await stack.up();
  simulator.control.clearFaults();
  await stack.destroy();
  expect((await stack.export()).ofType("Pipe")).toEqual([]);
  expect(present(simulator)).toEqual([...kept, "not-found", "forbidden"].sort());
  expect(takeWrites(simulator)).toHaveLength(1);
});
