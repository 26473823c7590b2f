import { isNative } from "../../testkit/adapter";
import { expectNoChanges, expectNoWrites, expectWrites } from "./expectations";
import { changesOf } from "../../testkit/pipe-field-table";
import { complete, minimal, pipesProgram, withValue, withValues } from "../../testkit/pipes";
import type { JsonObject } from "../../testkit/pipes";
import { pipeNamed, takeWrites } from "../../testkit/simulator";
import { deployed } from "../../testkit/stack";

const topics = "source.kafka.topics";
const deletable: JsonObject = { ...minimal.kafka, deletionPolicy: "delete" };
const leader: JsonObject = { ...deletable, replacementPolicy: "allow" };
const immutable = changesOf("kafka").filter(({ onChange }) => onChange === "replace");
const changedEverywhere = withValues(complete.kafka, {
  ...Object.fromEntries(immutable.map(({ path, to }) => [path, to])),
  "source.validateSamples": undefined,
});

const differing = (service: string, program: string): string =>
  `${topics} cannot be changed in place: the service has "${service}", the program declares "${program}".`;

type Declared = [args: JsonObject, options?: string];

const declared: Record<string, Declared> = {
  complete: [complete.kafka],
  orders: [deletable],
  renamed: [minimal.kafka],
  leader: [leader],
  follower: [minimal.kafka],
};

const replacingRename: Declared = [{ ...minimal.kafka, name: "renamed 2" }, '{ replaceOnChanges: ["name"] }'];

const orders: Declared = [withValue(deletable, topics, "other")];
const replacingWith: Record<string, Declared> = {
  leader: [withValue(leader, topics, "other")],
  follower: [minimal.kafka, "{ replaceWith: [leader] }"],
};

const refusalOf = ({ path }: { readonly path: string }) =>
  new RegExp(`\\b${path.replaceAll(".", "\\.")}\\b.* cannot be changed`);
const REPLACES =
  /name changed, and replaceOnChanges (or an unfinished .* earlier run )?requires a replacement/;
/** Only a class sees options: the native plugin refuses when the option has an effect. */
const REPLACED_WITH = {
  native: "another provider, replaceWith or replacementTrigger requires a replacement",
  class: "the option replaceWith replaces this resource whenever Pulumi replaces the resource that it names",
};

/** Changes that the preview refuses, each in a program of its own, because the engine stops at the first failure. */
const refused: [what: string, changes: Record<string, Declared>, ...says: (string | RegExp)[]][] = [
  ["all immutable fields", { complete: [changedEverywhere] }, ...immutable.map(refusalOf)],
  ["the kind of source", { complete: [complete.kinesis] }, "source.kafka", "source.kinesis"],
  ['a field, under deletionPolicy "delete"', { orders }, differing("orders", "other"), "deletionPolicy"],
  ["a name, with replaceOnChanges", { renamed: replacingRename }, REPLACES],
  ["nothing, with replaceWith", replacingWith, isNative ? REPLACED_WITH.native : REPLACED_WITH.class],
];

const programOf = (changes: Record<string, Declared> = {}): string =>
  Object.entries({ ...declared, ...changes })
    .map(([name, [args, options]]) => `const ${name} = ${pipesProgram({ [name]: args }, options)}`)
    .join("");

test("the preview refuses each change that requires a second pipe, with the path, both values and the remedies, and drift too", async () => {
  const { simulator, stack } = await deployed(programOf());
  takeWrites(simulator);
  for (const [, changes, ...says] of refused) {
    await stack.write(programOf(changes));
    const { output } = await stack.preview({ expectFailure: true });
    for (const text of [...says, "replacementPolicy"]) expect(output).toMatch(text);
    expect(output).not.toMatch(/[a-z]+-password|secret-key|account-key/);
  }
  await stack.write(programOf());
  const serviceId = simulator.account.serviceIds[0] ?? "";
  await stack.setConfig({ serviceId: "0a1b2c3d-0000-4000-8000-0000000000dd" });
  expect((await stack.preview({ expectFailure: true })).output).toMatch(
    /serviceId cannot be changed in place/,
  );
  await stack.setConfig({ serviceId });
  await stack.write(programOf({ orders }));
  expect((await stack.up({ expectFailure: true })).output).toContain(differing("orders", "other"));

  // The first read after a write shows how the service writes the values; what comes after it is drift.
  await stack.write(programOf());
  await stack.refresh({ flags: ["--expect-no-changes"] });
  const { id } = pipeNamed(simulator, "orders");
  simulator.control.editPipe(id, { source: { kafka: { topics: "theirs" } } });
  const refresh = await stack.pulumi(["refresh", "--preview-only", "--diff"]);
  expect(refresh.output).toMatch(/topics *: "orders" => "theirs"/);
  const drifted = await stack.up({ expectFailure: true, flags: ["--refresh"] });
  expect(drifted.output).toContain(differing("theirs", "orders"));
  expect(drifted.output).toMatch(/Declare what the service has.* or set replacementPolicy: "allow"/);
  expectNoWrites(simulator);

  // The remedies: what the service has, and no replaceOnChanges.
  const renamed = `PATCH /pipes/${pipeNamed(simulator, "renamed").id}`;
  const theirs: Declared = [withValue(deletable, topics, "theirs")];
  await stack.write(programOf({ orders: theirs, renamed: [replacingRename[0]] }));
  await stack.up({ flags: ["--refresh"] });
  expectWrites(simulator, [renamed, { name: "renamed 2" }]);
  await expectNoChanges(stack);
});
