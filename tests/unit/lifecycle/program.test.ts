import { Program, type PolicyInputs } from "../../../provider/src/lifecycle/program/program";
import { PRIVATE_STATE, type PrivateState } from "../../../provider/src/lifecycle/state/private-state";

const ID = "0a1b2c3d-0000-4000-8000-00000000aaaa";
const OTHER = "0a1b2c3d-0000-4000-8000-00000000bbbb";
const KEY = "Pipe::a";

/** A program whose resources the engine has checked and compared, as it does for those of the stack. */
class Checked extends Program {
  declarePipe = (key: string, inputs: PolicyInputs = {}, oldInputs?: PolicyInputs) =>
    this.declare({ key, type: "Pipe", inputs }, oldInputs);

  existing(key: string, id: string, inputs: PolicyInputs = {}, privateState: PrivateState = {}): void {
    this.declarePipe(key, inputs, {});
    const state = { [PRIVATE_STATE]: { ...privateState } };
    this.compare(key, { id, state, inputs, changes: [] }, false);
  }

  /** The engine compares a resource, and checks it again as a new one. */
  replaced(key: string, id: string, inputs: PolicyInputs = {}): void {
    this.declarePipe(key, inputs, {});
    this.compare(key, { id, state: {}, inputs, changes: [] }, true);
    this.declarePipe(key, inputs);
  }

  created(key: string, id: string): void {
    this.declarePipe(key);
    this.recordWrite(key, { id, isNew: true, current: {} });
  }
}

describe("the step of a resource", () => {
  test.each<[step: string, inputs: PolicyInputs, oldInputs: PolicyInputs | undefined]>([
    ["create", {}, undefined],
    ["adopt", { adopt: ID }, undefined],
    ["update", { adopt: ID }, {}],
  ])("is %s at its first check", (step, inputs, oldInputs) => {
    expect(new Checked().declarePipe(KEY, inputs, oldInputs).step).toBe(step);
  });

  test("is replace at the check after its first one, and at its create", () => {
    const program = new Checked();
    program.existing(KEY, ID, { adopt: ID });
    expect(program.of(KEY)?.step).toBe("update");
    expect(program.declarePipe(KEY, { adopt: ID }).step).toBe("replace");
    expect(program.declarePipe(KEY, { adopt: ID }).step).toBe("replace");
  });
});

test("a create has its own inputs, which a policy may have changed after the check", () => {
  const program = new Checked();
  program.declarePipe(KEY, { replacementPolicy: "allow" });
  program.declarePipe(KEY, { replacementPolicy: "refuse" });
  expect(program.of(KEY)?.inputs.replacementPolicy).toBe("refuse");
});

test("a create keeps what the check has told of other provider instances", () => {
  const program = new Checked();
  program.declare({ key: KEY, type: "Pipe", inputs: {}, isAlone: true });
  expect(program.declarePipe(KEY).isAlone).toBe(true);
});

describe("another resource", () => {
  const other = (program: Program): string | undefined =>
    program.otherHolder("Pipe", ID.toUpperCase(), "Pipe::b")?.key;

  test("has the ID that it has in the stack", () => {
    const program = new Checked();
    program.existing(KEY, ID);
    expect(other(program)).toBe(KEY);
    expect(program.otherHolder("Pipe", ID, KEY)).toBeUndefined();
    expect(program.otherHolder("ReversePrivateEndpoint", ID, "Pipe::b")).toBeUndefined();
  });

  test("has the ID that it adopts", () => {
    const program = new Checked();
    program.declarePipe(KEY, { adopt: ID });
    expect(other(program)).toBe(KEY);
  });

  test("does not have the ID that its refused adoption names", () => {
    const program = new Checked();
    program.declarePipe(KEY, { adopt: ID });
    program.edit(KEY, { status: "refused" });
    expect(other(program)).toBeUndefined();
  });

  test("has the ID that it has created in this run, also after another check", () => {
    const program = new Checked();
    program.created(KEY, ID);
    program.declarePipe(KEY);
    expect(other(program)).toBe(KEY);
  });

  test("does not have the ID that its replacement leaves", () => {
    const program = new Checked();
    program.replaced(KEY, ID, { deletionPolicy: "retain" });
    expect(other(program)).toBeUndefined();
  });

  test("has the ID that its replacement deletes", () => {
    const program = new Checked();
    program.replaced(KEY, ID, { deletionPolicy: "delete" });
    expect(other(program)).toBe(KEY);
  });
});

describe("an ID that is to be deleted", () => {
  const holders = (program: Program): string[] =>
    program.holders("Pipe", ID.toUpperCase()).map(({ key }) => key);

  test("belongs to the resource that has it", () => {
    const program = new Checked();
    program.existing("Pipe::b", ID);
    expect(holders(program)).toEqual(["Pipe::b"]);
  });

  test("does not belong to the resource that --replace names, although it has adopted it", () => {
    const program = new Checked();
    program.declarePipe(KEY, { adopt: ID });
    expect(holders(program)).toEqual([KEY]);
    program.edit(KEY, { step: "replace" });
    expect(holders(program)).toEqual([]);
  });

  test("belongs to the resource that has created it in this run", () => {
    const program = new Checked();
    program.created(KEY, ID);
    expect(holders(program)).toEqual([KEY]);
    expect(program.isMade("Pipe", ID)).toBe(true);
    expect(program.isMade("Pipe", OTHER)).toBe(false);
  });

  test("is not new because of a change", () => {
    const program = new Checked();
    program.existing(KEY, ID);
    program.recordWrite(KEY, { id: ID, isNew: false, current: {} });
    expect(program.isMade("Pipe", ID)).toBe(false);
  });

  test("is deleted once, in any format", () => {
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
  const program = new Checked();
  program.existing("first", "0A", { deletionPolicy: "delete" });
  program.existing("second", "0a", { deletionPolicy: "retain" }, { key: "former" });
  program.declarePipe("deleting", { deletionPolicy: "delete" });
  program.declarePipe("retaining", { deletionPolicy: "retain" });

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
    replaced.declarePipe(KEY, { deletionPolicy: "delete" }, {});
    const inputs = { deletionPolicy: "retain" };
    replaced.compare(KEY, { id: ID, state: {}, inputs, changes: [] }, true);
    replaced.declarePipe(KEY, { deletionPolicy: "delete" });
    expect(replaced.deletionPolicyOf("Pipe", ID, KEY, "delete")).toBe("retain");
  });
});

describe("the token of a resource", () => {
  const stored = (token: string): PolicyInputs => ({ __key: token });

  test("is its key, if the stack does not have it", () => {
    expect(new Checked().declarePipe(KEY).token).toBe(KEY);
  });

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
