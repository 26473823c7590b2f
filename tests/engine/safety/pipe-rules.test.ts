import type { Observation, Preview, Snapshot, Step } from "./observation";
import type { PipeRow } from "./rows";
import { violationsOfPipe } from "./pipe-rules";

const [old, other] = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"];
const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/datapipes:Pipe::row";

const replaced: PipeRow = {
  kind: "Pipe",
  name: "row",
  action: "replaced",
  stored: "delete",
  next: "delete",
  replacement: "allow",
  origin: "created",
};

/** A state and a service; the state has one pipe at most. */
const holding = (held: string | undefined, there: readonly string[]): Snapshot => ({
  holders: held === undefined ? [] : [{ urn, name: "row", id: held }],
  things: there.map((id) => ({ id, owner: "row" })),
  services: new Map(),
});

const nothing: Preview = { steps: [], lines: [] };
const step = (op: string, id: string | undefined, retains = false): Step => ({ op, urn, id, retains });
const announced: Preview = {
  steps: [step("create-replacement", old), step("delete-replaced", old)],
  lines: [],
};

const good: Observation = {
  before: holding(old, [old]),
  preview: announced,
  requests: [],
  errors: new Map(),
  after: holding(other, [other]),
  next: nothing,
};

const steady: PipeRow = { ...replaced, action: "unchanged" };
const quiet: Observation = { ...good, preview: nothing, after: good.before };
const kept: PipeRow = { ...replaced, next: "retain" };
const renamed: PipeRow = { ...replaced, action: "renamed", replacement: "refuse", stored: "retain" };

test.each<[string, PipeRow, Observation]>([
  ["a replacement that was announced", replaced, good],
  ["a row to which nothing happened", steady, quiet],
  [
    "an old pipe that a line says is kept",
    kept,
    {
      ...good,
      preview: { ...announced, lines: [`pipe ${old} goes on running`] },
      after: holding(other, [old, other]),
    },
  ],
])("accepts %s", (_, row, run) => {
  expect(violationsOfPipe(row, run, 2)).toEqual([]);
});

test.each<[string, RegExp, PipeRow, Observation]>([
  [
    "a pipe that the state holds and that is gone",
    /which the state holds/,
    steady,
    { ...quiet, after: holding(old, []) },
  ],
  ["a pipe that was to stay and is gone", /although the policy is "retain"/, kept, good],
  [
    "a pipe that was to go and is there",
    /is there although/,
    replaced,
    { ...good, after: holding(other, [old, other]) },
  ],
  [
    "a pipe that no resource holds",
    /no resource holds/,
    steady,
    { ...quiet, after: holding(old, [old, other]) },
  ],
  [
    "a deletion of another client's pipe",
    /no resource of the row held/,
    steady,
    { ...quiet, before: holding(old, [old, other]) },
  ],
  [
    "a second pipe of a row that refuses it",
    /2 are there/,
    { ...kept, replacement: "refuse" },
    { ...good, after: holding(other, [old, other]) },
  ],
  [
    "a delete that was not announced",
    /did not say that .* is deleted/,
    replaced,
    { ...good, preview: { ...announced, steps: announced.steps.slice(0, 1) } },
  ],
  [
    "a delete that was announced as retained",
    /is deleted/,
    replaced,
    {
      ...good,
      preview: { steps: [step("create-replacement", old), step("delete-replaced", old, true)], lines: [] },
    },
  ],
  [
    "a second pipe that was not announced",
    /is made/,
    renamed,
    {
      ...good,
      preview: { steps: [step("delete", old, true)], lines: [] },
      after: holding(other, [old, other]),
    },
  ],
  ["a replacement that made no pipe", /still holds/, replaced, { ...good, after: good.before }],
  [
    "a preview that is not empty afterwards",
    /next preview shows update/,
    steady,
    { ...quiet, next: { steps: [step("update", old)], lines: [] } },
  ],
  ["an error", /failed: no/, steady, { ...quiet, errors: new Map([["row", "no"]]) }],
])("finds a violation in %s", (_, violation, row, run) => {
  expect(violationsOfPipe(row, run, 2).join("\n")).toMatch(violation);
});
