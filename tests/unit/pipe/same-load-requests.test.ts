import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { exportedResource } from "../../kit/deployment";
import { withProperty } from "../../kit/lifecycle";
import {
  ADOPT,
  ALLOWING,
  ID,
  ORDERS,
  OTHER_ID,
  REMOVE,
  UNMANAGED,
  args,
  existingPipe,
  expectRefusal,
  listed,
  newPipe,
  refusalIn,
  refused,
  returning,
  servicePipe,
  stackPipe,
  storage,
  tables,
  type Case,
} from "./same-loads";

const UNDO = "Undo this change, or delete that pipe in an earlier run";
const BESIDE_SERVICE = refused("new", `${ORDERS}, which this stack does not manage`, ADOPT);

const NEW = [newPipe("new")];

test.each<Case>([
  {
    claim: "refuses a new pipe that loads the same, and names its ID",
    program: NEW,
    ...UNMANAGED,
    refusal: BESIDE_SERVICE,
  },
  {
    claim: "refuses a pipe beside one of an incomplete list",
    program: NEW,
    ...UNMANAGED,
    list: "incomplete",
    refusal: BESIDE_SERVICE,
  },
  {
    claim: "refuses a pipe beside one without a readable ID",
    program: NEW,
    unidentified: [servicePipe("orders", { id: "1" })],
    list: "incomplete",
    refusal: refused(
      "new",
      'pipe "orders", which this stack does not manage',
      "Check that pipe in the service's console: the API returns no valid ID for it",
    ),
  },
  {
    claim: "names no owner if the state of the stack cannot be read",
    program: NEW,
    ...UNMANAGED,
    stack: "unread",
    refusal: refused("new", ORDERS, ADOPT),
  },
  {
    claim: "refuses a pipe beside one in a state that the provider does not know",
    program: NEW,
    service: [servicePipe("orders", { state: "Mending" })],
    refusal: BESIDE_SERVICE,
  },
  {
    claim: "refuses a pipe beside the one that a replacement retains",
    program: [existingPipe("orders", returning(), { isReplaced: true, oldInputs: args() }), ...NEW],
    ...UNMANAGED,
    refusal: BESIDE_SERVICE,
  },
  {
    claim: "accepts an adoption of the pipe that loads the same",
    program: [newPipe("orders", args({ adopt: ID }))],
    ...UNMANAGED,
  },
  {
    claim: "accepts a new pipe beside one that another resource adopts and changes",
    program: [newPipe("orders", { ...storage("b"), adopt: ID.toUpperCase() }), newPipe("new", storage("a"))],
    service: [listed(storage("a"))],
  },
  { claim: "accepts a new pipe if the list cannot be read", program: NEW, list: "unread" },
])("beside pipes of the service, a check $claim", expectRefusal);

test.each(["Paused", "Stopped", "stopped", "Completed", "Failed", "InternalError"])(
  "beside a pipe of the service in the state %s, a check accepts a new pipe",
  (state) => {
    expect(refusalIn({ program: NEW, service: [servicePipe("orders", { state })] })).toBeUndefined();
  },
);

test("a pipe that no list shows yet counts, also if its service is encrypted in the state", () => {
  const encrypted = { "4dabf18193072939515e22adb298388d": "secret", ciphertext: "x" };
  const stack = [stackPipe("orders", args({ serviceId: encrypted }))];
  expect(refusalIn({ program: NEW, stack, list: "behind" })).toContain(', resource "orders" of the stack. ');
  expect(refusalIn({ program: NEW, stack })).toBeUndefined();
});

describe("an update", () => {
  const moved = existingPipe("moved", storage("a"), { id: OTHER_ID, oldInputs: storage("b") });
  const own = listed(storage("b"), { id: OTHER_ID, name: "moved" });
  const ownResource = exportedResource("moved", OTHER_ID, { inputs: moved.inputs });

  test.each<Omit<Case, "program">>([
    { claim: "at its check" },
    { claim: "before its request", isRequest: true },
  ])("is refused $claim if it reads what another pipe reads", (others) => {
    const refusal = refused("moved", `${ORDERS}, which this stack does not manage`, UNDO);
    expectRefusal({ ...others, program: [moved], service: [own, listed(storage("a"))], refusal });
  });

  test("is refused if it takes the table mapping of another pipe", () => {
    const program = [
      existingPipe("orders", tables("a")),
      existingPipe("moved", tables("a", "b"), { id: OTHER_ID, oldInputs: tables("b") }),
    ];
    const refusal = refused("moved", `${ORDERS}, resource "orders" of this program`, "Undo this change");
    expectRefusal({ program, service: [listed(tables("a"))], refusal });
  });

  test("is refused by what its request leaves as the service has it", () => {
    const elsewhere = (inputs: PropertyMap): PropertyMap =>
      withProperty(inputs, "source.postgres.host", "new.example");
    const program = [existingPipe("moved", tables("a", "b"), { id: OTHER_ID, oldInputs: tables("a") })];
    const service = [
      listed(elsewhere(tables("a")), { id: OTHER_ID, name: "moved" }),
      listed(elsewhere(tables("b"))),
    ];
    const refusal = refused("moved", `${ORDERS}, which this stack does not manage`, UNDO);
    expectRefusal({ isRequest: true, program, service, refusal });
  });

  test.each<Omit<Case, "program">>([
    { claim: "no other pipe reads the same", service: [own] },
    { claim: "its own pipe reads the same already", service: [listed(storage("a"), { id: OTHER_ID })] },
    { claim: "its pipe does not load", service: [{ ...own, state: "Stopped" }, listed(storage("a"))] },
  ])("is accepted at its check and before its request if $claim", ({ service = [] }) => {
    const given = { program: [moved], stack: [ownResource], service };
    expect(refusalIn(given)).toBeUndefined();
    expect(refusalIn({ ...given, isRequest: true })).toBeUndefined();
  });

  test("is accepted with the listed database, which the program does not declare", () => {
    const analytics = withProperty(storage("b"), "destination.database", "analytics");
    const service = [listed(analytics, { id: OTHER_ID }), listed(storage("a"))];
    expect(refusalIn({ program: [moved], stack: [ownResource], service })).toBeUndefined();
  });

  test("is refused if it takes again what another pipe took after its failed run", () => {
    // The engine keeps the inputs of a failed run; the outputs say what was sent.
    const program = [existingPipe("moved", tables("a", "b"), { id: OTHER_ID })];
    const comparison = { id: OTHER_ID, state: tables("a"), inputs: tables("a", "b"), changes: [] };
    const refusal = refused("moved", `${ORDERS}, which this stack does not manage`, UNDO);
    const service = [listed(tables("a"), { id: OTHER_ID }), listed(tables("b"))];
    expectRefusal({ isRequest: true, program, comparison, service, refusal });
  });

  test("is refused if it first declares the account of another pipe", () => {
    const account = (inputs: PropertyMap, name: string) =>
      withProperty(inputs, "source.objectStorage.connectionString", `AccountName=${name};AccountKey=k`);
    const program = [
      existingPipe("moved", account(storage("a"), "two"), { id: OTHER_ID, oldInputs: storage("a") }),
    ];
    const service = [
      listed(account(storage("a"), "one"), { id: OTHER_ID }),
      listed(account(storage("a"), "two")),
    ];
    const refusal = refused("moved", `${ORDERS}, which this stack does not manage`, UNDO);
    expectRefusal({ program, stack: [ownResource], service, refusal });
    const unnamed = service.map((pipe) => ({ ...pipe, ...storage("a") }));
    expect(refusalIn({ program, stack: [ownResource], service: unnamed })).toBeUndefined();
  });

  test("is accepted for a pipe that loads what another one loads, if it changes something else", () => {
    const program = [existingPipe("a"), existingPipe("b", args({ settings: {} }), { id: OTHER_ID })];
    const service = [servicePipe("a"), servicePipe("b", { id: OTHER_ID })];
    expect(refusalIn({ program, service })).toBeUndefined();
  });

  test("is refused as the change of an adoption", () => {
    const program = [newPipe("adopting", { ...storage("a"), adopt: OTHER_ID })];
    const refusal = refused("adopting", `${ORDERS}, which this stack does not manage`, UNDO);
    expectRefusal({ program, service: [own, listed(storage("a"))], refusal });
  });
});

describe("before the request of a create", () => {
  const isRefused = (program: Case["program"], service: Case["service"] = []): boolean =>
    refusalIn({ isRequest: true, program, service }) !== undefined;
  const service = [listed(storage("a"))];

  test("a pipe counts as it is listed, and not as the program declares it", () => {
    const changed = existingPipe("orders", storage("b"), { oldInputs: storage("a") });
    const program = [changed, newPipe("new", storage("a"))];
    const refusal = refused("new", `${ORDERS}, resource "orders" of this program`, REMOVE);
    expectRefusal({ isRequest: true, program, service, refusal });
    expect(isRefused([changed, newPipe("new", storage("b"))], service)).toBe(false);
  });

  test("a pipe counts as this run has changed it, and not as it was", () => {
    const written = { id: ID, isNew: false, current: listed(storage("b")) };
    const changed = existingPipe("orders", storage("b"), { oldInputs: storage("a"), written });
    expect(isRefused([changed, newPipe("new", storage("b"))], service)).toBe(true);
    expect(isRefused([changed, newPipe("new", storage("a"))], service)).toBe(false);
  });

  test.each(["a", "b"])("a pipe whose path changes from a to b counts with %s meanwhile", (path) => {
    const changing = existingPipe("orders", storage("b"), { oldInputs: storage("a"), status: "started" });
    expect(isRefused([changing, newPipe("new", storage(path))], service)).toBe(true);
  });

  test("a pipe of the program counts once its create has started", () => {
    const program = [newPipe("orders", args(), { status: "started" }), newPipe("new")];
    const refusal = refused("new", 'pipe "orders", resource "orders" of this program', REMOVE);
    expectRefusal({ isRequest: true, program, refusal });
  });

  test("a pipe of the program does not count before its create has started", () => {
    expect(isRefused([newPipe("orders"), newPipe("new")])).toBe(false);
  });

  test.each([
    ["counts", args(), true],
    ["does not count if its policy allows a second one", ALLOWING, false],
  ])("a pipe that this run has created %s", (_, inputs, isCounted) => {
    const written = { id: ID, isNew: true, current: listed(args()) };
    const orders = newPipe("orders", inputs, { written, status: "started" });
    expect(isRefused([orders, newPipe("new")], [listed(args())])).toBe(isCounted);
  });

  test("fields that the service never returns count as the program declares them", () => {
    const account = (name: string) =>
      withProperty(storage("a"), "source.objectStorage.connectionString", `AccountName=${name};AccountKey=k`);
    const orders = existingPipe("orders", account("one"));
    expect(isRefused([orders, newPipe("new", account("one"))], service)).toBe(true);
    expect(isRefused([orders, newPipe("new", account("two"))], service)).toBe(false);
  });
});
