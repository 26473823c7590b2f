import {
  Program,
  type Declaration,
  type PolicyInputs,
} from "../../../provider/src/lifecycle/program/program";
import { PRIVATE_STATE, type PrivateState } from "../../../provider/src/lifecycle/state/private-state";

const ID = "0a1b2c3d-0000-4000-8000-00000000aaaa";
const OTHER = "0a1b2c3d-0000-4000-8000-00000000bbbb";
const KEY = "Pipe::a";

/** A program whose resources the engine has checked and compared, as it does for those of the stack. */
class Checked extends Program {
  declarePipe = (key: string, inputs: PolicyInputs = {}, oldInputs?: PolicyInputs) =>
    this.declare({ key, type: "Pipe", inputs }, oldInputs);

  declared(key: string, inputs: PolicyInputs = {}, more: Partial<Declaration> = {}): this {
    this.declarePipe(key, inputs);
    this.edit(key, more);
    return this;
  }

  existing(key: string, id: string, inputs: PolicyInputs = {}, privateState: PrivateState = {}): this {
    this.declarePipe(key, inputs, {});
    const state = { [PRIVATE_STATE]: { ...privateState } };
    this.compare(key, { id, state, inputs, changes: [] }, false);
    return this;
  }

  /** The engine compares a resource, and checks it again as a new one. */
  replaced(key: string, id: string, inputs: PolicyInputs = {}): this {
    this.declarePipe(key, inputs, {});
    this.compare(key, { id, state: {}, inputs, changes: [] }, true);
    return this.declared(key, inputs);
  }

  created(key: string, id: string): this {
    this.declarePipe(key);
    this.recordWrite(key, { id, isNew: true, current: {} });
    return this;
  }
}

const ADOPT = { adopt: ID };
const DELETE = { deletionPolicy: "delete" };
const RETAIN = { deletionPolicy: "retain" };
const REFUSED = { status: "refused" } as const;

test("a new resource has the inputs of its last check, which a policy pack may have changed", () => {
  const program = new Checked();
  program.declarePipe(KEY, { replacementPolicy: "allow" });
  program.declarePipe(KEY, { replacementPolicy: "refuse" });
  expect(program.of(KEY)?.inputs.replacementPolicy).toBe("refuse");
});

test("a changed resource has the inputs of its diff, which a policy pack may have changed", () => {
  const program = new Checked();
  program.declarePipe(KEY, { name: "checked" }, {});
  program.compare(KEY, { id: ID, state: {}, inputs: { name: "changed" }, changes: [] }, false);
  expect(program.of(KEY)?.inputs["name"]).toBe("changed");
});

test("a new resource stays the only one of its provider instance after another check", () => {
  const program = new Checked();
  program.declare({ key: KEY, type: "Pipe", inputs: {}, isAlone: true });
  expect(program.declarePipe(KEY).isAlone).toBe(true);
});

test.each<[what: string, program: Program, holder: string | undefined]>([
  ["has the ID that it has in the stack", new Checked().existing(KEY, ID), KEY],
  ["has the ID that it adopts", new Checked().declared(KEY, ADOPT), KEY],
  ["does not have an ID that it may not adopt", new Checked().declared(KEY, ADOPT, REFUSED), undefined],
  ["has the ID that it has created, after a check", new Checked().created(KEY, ID).declared(KEY), KEY],
  ["does not have the ID that its replacement leaves", new Checked().replaced(KEY, ID), undefined],
  ["has the ID that its replacement deletes", new Checked().replaced(KEY, ID, DELETE), KEY],
])("another resource %s", (_, program, holder) => {
  expect(program.otherHolder("Pipe", ID.toUpperCase(), "Pipe::b")?.key).toBe(holder);
  expect(program.otherHolder("Pipe", ID, KEY)).toBeUndefined();
  expect(program.otherHolder("ReversePrivateEndpoint", ID, "Pipe::b")).toBeUndefined();
});

describe("an ID that is to be deleted", () => {
  test.each<[what: string, program: Program, holder: string | undefined]>([
    ["the resource that has it", new Checked().existing("Pipe::b", ID), "Pipe::b"],
    ["the resource that adopts it", new Checked().declared(KEY, ADOPT), KEY],
    ["the resource that may not adopt it in this run", new Checked().declared(KEY, ADOPT, REFUSED), KEY],
    ["no resource that --replace names", new Checked().declared(KEY, ADOPT, { step: "replace" }), undefined],
    ["the resource that has created it in this run", new Checked().created(KEY, ID), KEY],
  ])("belongs to %s", (_, program, holder) => {
    expect(program.holder("Pipe", ID.toUpperCase())?.key).toBe(holder);
  });

  test("is new only if this run has created it", () => {
    const written = { id: ID, isNew: false, current: {} };
    const programs = [new Checked().created(KEY, ID), new Checked().existing(KEY, ID)];
    for (const program of programs) program.recordWrite(KEY, written);
    expect(programs.map((program) => program.isMade("Pipe", ID))).toEqual([true, false]);
    expect(programs.map((program) => program.isMade("Pipe", OTHER))).toEqual([false, false]);
  });

  test("is done after its deletion, and deleted only if the deletion says so", () => {
    const program = new Checked();
    program.recordDeletion("Pipe", ID, true);
    program.recordDeletion("Pipe", OTHER, false);
    expect(program.isDeletionDone("Pipe", ID.toUpperCase())).toBe(true);
    expect(program.isDeleted("Pipe", ID.toUpperCase())).toBe(true);
    expect(program.isDeletionDone("Pipe", OTHER)).toBe(true);
    expect(program.isDeleted("Pipe", OTHER)).toBe(false);
  });
});

describe("the policy of a deletion", () => {
  const program = new Checked()
    .existing("first", "0A", DELETE)
    .existing("second", "0a", RETAIN, { key: "former" })
    .declared("deleting", DELETE)
    .declared("retaining", RETAIN);

  test.each<[what: string, id: string, key: string | undefined, stored: string, policy: string]>([
    ["of the program, by ID and key", "0a", "first", "retain", "delete"],
    ["of the program, where another resource has the ID", "0a", "second", "delete", "retain"],
    ["of the program, by the key before an alias", "0a", "former", "delete", "retain"],
    ["of the program, by the ID without a key", "0a", undefined, "retain", "delete"],
    ["of the state, if no resource has the ID", "0b", "other", "delete", "delete"],
    ["of the state, if the program deletes what was not compared", "0b", "deleting", "retain", "retain"],
    ["of the program, if it retains what was not compared", "0b", "retaining", "delete", "retain"],
  ])("is that %s", (_, id, key, stored, policy) => {
    expect(program.deletionPolicyOf("Pipe", id, key, stored)).toBe(policy);
  });

  test("is that of the comparison, which a policy pack may have changed after the check", () => {
    const replaced = new Checked();
    replaced.declarePipe(KEY, DELETE, {});
    replaced.compare(KEY, { id: ID, state: {}, inputs: RETAIN, changes: [] }, true);
    replaced.declarePipe(KEY, DELETE);
    expect(replaced.deletionPolicyOf("Pipe", ID, KEY, "delete")).toBe("retain");
  });
});

describe("the token of a resource", () => {
  const stored = (token: string): PolicyInputs => ({ __key: token });

  test("is the former key after a rename with an alias, also when it is replaced", () => {
    const program = new Checked();
    expect(program.declarePipe(KEY, {}, stored("Pipe::former")).token).toBe("Pipe::former");
    expect(program.declarePipe(KEY).token).toBe("Pipe::former");
    expect(program.keyOf("Pipe::former")).toBe(KEY);
  });

  test("is another one, if another resource of the program has that already", () => {
    const program = new Checked();
    program.declarePipe("Pipe::former");
    expect(program.declarePipe(KEY, {}, stored("Pipe::former")).token).toBe(KEY);
    expect(program.keyOf("Pipe::former")).toBe("Pipe::former");
    expect(program.declarePipe("Pipe::b", {}, stored(KEY)).token).toBe("Pipe::b");
  });

  test("differs from the key of a new resource, whose name another one had before", () => {
    const program = new Checked();
    program.declarePipe(KEY, {}, stored("Pipe::former"));
    const { token } = program.declarePipe("Pipe::former");
    expect(token).not.toBe("Pipe::former");
    expect(program.keyOf(token)).toBe("Pipe::former");
  });
});
